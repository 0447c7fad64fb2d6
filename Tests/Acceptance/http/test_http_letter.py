"""The requirements of RFC 9110 and RFC 9112 for an origin server, one case a line.

Every request is followed by another on the same connection. An accepted request is read to its last byte and no further, so the second one
is answered too. A rejected request is the last one that the connection serves. So a second request can never hide in the first.
"""

import re
import socket

import pytest

from longpress import OWNER, Longpress
from wire import Message, answers, converse, exchange, get, statuses

CHUNKED = "Transfer-Encoding: chunked"


def short(value):
    """A test name that fits on a line."""
    return repr(value)[:70]


def head(*lines, target="/healthz", version="1.1", host="Host: localhost"):
    fields = ([host] if host else []) + list(lines)
    return "\r\n".join([f"GET {target} HTTP/{version}", *fields, "", ""]).encode("latin-1")


def accepts(server, request, status=200, method="GET"):
    messages, went_on = converse(server, request, methods=[method])
    assert ([m.status for m in messages], went_on) == ([status], True), request
    return messages[0]


def refuses(server, request, status=400, method="GET"):
    messages, went_on = converse(server, request, methods=[method])
    assert ([m.status for m in messages], went_on) == ([status], False), request
    assert messages[0].fields["connection"] == "close" and "date" in messages[0].fields
    assert messages[0].fields["content-type"] == "application/problem+json"
    return messages[0]


# Framing: RFC 9112 6

@pytest.mark.parametrize("lines", [
    ["Content-Length: 3", CHUNKED], [CHUNKED, "Content-Length: 3"], ["Content-Length: 0", CHUNKED], ["Content-Length: x", CHUNKED],
    ["content-length: 3", "TRANSFER-ENCODING: CHUNKED"], ["Content-Length: 3", "Transfer-Encoding: identity"],
    ["Content-Length: 3", "Transfer-Encoding:"],
], ids=short)
def test_a_length_beside_a_coding_is_refused(server, lines):
    refuses(server, head(*lines) + b"3\r\nabc\r\n0\r\n\r\n")


@pytest.mark.parametrize("lines", [
    ["Content-Length: 3", "Content-Length: 4"], ["Content-Length: 4", "Content-Length: 3"], ["Content-Length: 3, 4"],
    ["Content-Length: 3", "Content-Length: 3"], ["Content-Length: 3, 3"], ["Content-Length: 3,3"], ["Content-Length: 3,"],
    ["Content-Length: ,3"], ["Content-Length: +3"], ["Content-Length: -3"], ["Content-Length: -0"], ["Content-Length: 0x3"],
    ["Content-Length: 3h"], ["Content-Length: 3.0"], ["Content-Length: 3e0"], ["Content-Length: 3 3"], ["Content-Length: '3'"],
    ['Content-Length: "3"'], ["Content-Length: 3;"], ["Content-Length: 1_0"], ["Content-Length:"], ["Content-Length: \t "],
    ["Content-Length: \xb3"], ["Content-Length: 3\x0b"], ["Content-Length: 3\x0c"], ["Content-Length: 3\x00"], ["Content-Length: three"],
    ["Content-Length: 9223372036854775808"], ["Content-Length: 18446744073709551616"], ["Content-Length: 18446744073709551619"],
    ["Content-Length: 99999999999999999999"], ["Content-Length: 4294967299000000000000000000003"], ["Content-Length : 3"],
    ["Content-Length: 3", "Content-Length : 4"], ["Content-Length: 3", " 4"], ["Content-Length:", " 3"],
], ids=short)
def test_a_length_that_could_be_read_in_two_ways_is_refused(server, lines):
    refuses(server, head(*lines) + b"abc")


@pytest.mark.parametrize(("line", "body"), [
    ("Content-Length: 3", b"abc"), ("content-length:3", b"abc"), ("CONTENT-LENGTH: \t3 \t", b"abc"), ("Content-Length: 003", b"abc"),
    ("Content-Length: 0", b""), ("Content-Length: 00000000000000000000000003", b"abc"), ("X-Content-Length: 9", b""),
    ("Content_Length: 9", b""), (CHUNKED, b"0\r\n\r\n"), ("transfer-encoding:\tCHUNKED ", b"3\r\nabc\r\n0\r\n\r\n"),
], ids=short)
def test_a_body_is_read_to_its_end_and_no_further(server, line, body):
    accepts(server, head(line) + body)


@pytest.mark.parametrize(("lines", "status"), [
    (["Transfer-Encoding: identity"], 400), (["Transfer-Encoding: chunked, identity"], 400), (["Transfer-Encoding: identity, chunked"], 501),
    (["Transfer-Encoding: gzip"], 400), (["Transfer-Encoding: gzip, chunked"], 501), (["Transfer-Encoding: chunked, gzip"], 400),
    (["Transfer-Encoding: chunked, chunked"], 400), ([CHUNKED, CHUNKED], 400), ([CHUNKED, "Transfer-Encoding: identity"], 400),
    (["Transfer-Encoding: identity", CHUNKED], 501), (["Transfer-Encoding: xchunked"], 400), (["Transfer-Encoding: chunkedx"], 400),
    (["Transfer-Encoding: chunke"], 400), (["Transfer-Encoding: chunked;a=b"], 400), (['Transfer-Encoding: "chunked"'], 400),
    (["Transfer-Encoding: 'chunked'"], 400), (["Transfer-Encoding: ,chunked"], 400), (["Transfer-Encoding: chunked,"], 400),
    (["Transfer-Encoding:"], 400), (["Transfer-Encoding: \x0bchunked"], 400), (["Transfer-Encoding: chunked\x0b"], 400),
    (["Transfer-Encoding: chu\x00nked"], 400), (["Transfer-Encoding: chunked\xa0"], 400), (["Transfer-Encoding : chunked"], 400),
    (["Transfer-Encoding\t: chunked"], 400), (["Transfer-Encoding:", " chunked"], 400), (["X: y", " Transfer-Encoding: chunked"], 400),
    (["Transfer-Encoding: x\n" + CHUNKED], 400), (["X: y\n" + CHUNKED], 400), (["X: y\r" + CHUNKED], 400), ([" " + CHUNKED], 400),
    (["\x00" + CHUNKED], 400), (["Transfer-Encoding: c\u0127unked".encode().decode("latin-1")], 400),
], ids=short)
def test_a_coding_that_is_not_exactly_chunked_is_refused(server, lines, status):
    refuses(server, head(*lines) + b"3\r\nabc\r\n0\r\n\r\n", status)


def test_http_1_0_has_no_codings(server):
    refuses(server, head(CHUNKED, version="1.0") + b"0\r\n\r\n")
    refuses(server, head(CHUNKED, "Connection: keep-alive", version="1.0") + b"0\r\n\r\n")


# Chunks: RFC 9112 7.1

@pytest.mark.parametrize("body", [
    b"3\r\nabc\r\n0\r\n\r\n", b"1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", b"A\r\n0123456789\r\n0\r\n\r\n", b"a\r\n0123456789\r\n000\r\n\r\n",
    b"0000000000000003\r\nabc\r\n0\r\n\r\n", b"3;x\r\nabc\r\n0;y\r\n\r\n", b'3;x=y;z="a\\"b;\r"\r\nabc\r\n0\r\n\r\n'.replace(b"\r\"", b"\""),
    b"3 ;x = y\r\nabc\r\n0\r\n\r\n", b"3\r\n\r\n\r\r\n0\r\n\r\n", b"0\r\nX-Checksum: 1\r\n\r\n",
    b"0\r\nContent-Length: 100\r\nTransfer-Encoding: gzip\r\nHost: other\r\nExpect: x\r\nConnection: close\r\n\r\n",
], ids=short)
def test_chunks_are_read_to_their_end_and_forbidden_trailers_do_nothing(server, body):
    accepts(server, head(CHUNKED) + body)


@pytest.mark.parametrize(("body", "status"), [
    (b"+3\r\nabc\r\n0\r\n\r\n", 400), (b"-3\r\nabc\r\n0\r\n\r\n", 400), (b"0x3\r\nabc\r\n0\r\n\r\n", 400), (b"1_0\r\n", 400),
    (b"3h\r\nabc\r\n0\r\n\r\n", 400), (b" 3\r\nabc\r\n0\r\n\r\n", 400), (b"3 \r\nabc\r\n0\r\n\r\n", 400), (b"\r\n0\r\n\r\n", 400),
    (b";x\r\n0\r\n\r\n", 400), (b"3\nabc\r\n0\r\n\r\n", 400), (b"3\rabc\r\n0\r\n\r\n", 400), (b"3\r\r\nabc", 400),
    (b"3\r\nabc0\r\n\r\n", 400), (b"3\r\nabc\n0\r\n\r\n", 400), (b"3\r\nabc\r0\r\n\r\n", 400), (b"3\r\nabcd\r\n0\r\n\r\n", 400),
    (b"3\r\nab\r\n0\r\n\r\n", 400), (b"3\r\nabc\r\n0\n\r\n", 400), (b"3\r\nabc\r\n0\r\n\n", 400), (b"3\r\nabc\r\n\r\n", 400),
    (b"3;\r\nabc\r\n0\r\n\r\n", 400), (b"3;x=\r\nabc\r\n0\r\n\r\n", 400), (b"3;x\nabc\r\n0\r\n\r\n", 400), (b"3;x\x00\r\nabc", 400),
    (b'3;x="\r\nabc\r\n0\r\n\r\n', 400), (b"3,x\r\nabc\r\n0\r\n\r\n", 400), (b"3;" + b"x" * 20_000 + b"\r\nabc\r\n0\r\n\r\n", 400),
    ((b"1;" + b"x" * 1000 + b"\r\na\r\n") * 20 + b"0\r\n\r\n", 400), (b"00000000000000003\r\nabc\r\n0\r\n\r\n", 400),
    (b"10000000000000003\r\nabc\r\n0\r\n\r\n", 400), (b"FFFFFFFFFFFFFFFF\r\nabc", 413), (b"7FFFFFFFFFFFFFFF\r\nabc", 413),
    (b"100001\r\n", 413), (b"0\r\nX : y\r\n\r\n", 400), (b"0\r\n X: y\r\n\r\n", 400), (b"0\r\nX: y\n\r\n", 400),
    (b"0\r\nX: \x00\r\n\r\n", 400), (b"0\r\nGET / HTTP/1.1\r\n\r\n", 400), (b"0\r\n" + b"X: y\r\n" * 101 + b"\r\n", 431),
    (b"0\r\nX: " + b"y" * 20_000 + b"\r\n\r\n", 431),
], ids=short)
def test_chunks_that_are_not_exactly_chunks_are_refused(server, body, status):
    refuses(server, head(CHUNKED) + body, status)


def test_a_trailer_is_no_credential(server):
    body = f"2\r\n{{}}\r\n0\r\nAuthorization: Bearer {OWNER}\r\n\r\n".encode()
    refuses(server, get("/admin/v1/apps", CHUNKED) + body, 401)


# Lines and fields: RFC 9112 2.2, 5

@pytest.mark.parametrize("request_bytes", [
    b"GET /healthz HTTP/1.1\nHost: a\n\n", b"GET /healthz HTTP/1.1\r\nHost: a\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: a\r\n\n",
    b"GET /healthz HTTP/1.1\nHost: a\r\n\r\n", b"GET /healthz HTTP/1.1\rHost: a\r\r", b"GET /healthz HTTP/1.1\r\nHost: a\rX: y\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nX: y\r\r\nHost: a\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: a\r\n\rGET / HTTP/1.1\r\n\r\n",
    b"\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", b"\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    b" GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", b"\x00GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    b"\xef\xbb\xbfGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", b"GET /healthz HTTP/1.1\r\n Host: a\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\n\r\nHost: a\r\n\r\n",
], ids=short)
def test_lines_end_with_crlf_and_nothing_else(server, request_bytes):
    refuses(server, request_bytes)


@pytest.mark.parametrize("line", [
    "X : y", "X\t: y", " X: y", "\tX: y", "X: y\r\n folded", "X: y\r\n\tfolded", "X:\r\n y", ": y", ":", "X", "X y", "X\x00: y", "X\x7f: y",
    "X\xe9: y", "(X): y", "X@y: z", "X[0]: y", "{X}: y", "X/y: z", "X,y: z", "X;y: z", "X=y: z", "X?: y", "<X>: y", 'X": y', "X\\: y",
    "X: a\x00b", "X: a\x01b", "X: a\x08b", "X: a\x0bb", "X: a\x1bb", "X: a\x1fb", "X: a\x7fb", "X: a\rb", "X: a\nb",
], ids=short)
def test_a_malformed_field_is_refused(server, line):
    refuses(server, head(line))


@pytest.mark.parametrize("line", [
    "X:y", "X:", "X: \t ", "X: a\tb", "X: \xe9\xff", "!#$%&'*+-.^_`|~09AZaz: y", "X: a: b", "X: (a, \"b\\\"\")", "Upgrade: h2c",
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c",
    "Range: bytes=0-0", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "If-Modified-Since: nonsense", "If-Range: \"x\"",
    "Cookie: a=b", "Connection: keep-alive", "Connection: te", "Connection: Host", "TE: trailers", "Trailer: X", "Max-Forwards: 0", "Via: 1.1 a",
], ids=short)
def test_odd_but_sound_fields_change_nothing(server, line):
    assert accepts(server, head(line)).body == b"ok\n"


@pytest.mark.parametrize(("count", "accepted"), [(99, True), (100, False)])
def test_the_number_of_fields_is_bounded(server, count, accepted):
    request = head(*["X: y"] * count)
    accepts(server, request) if accepted else refuses(server, request, 431)


def test_target_and_fields_are_bounded(server):
    accepts(server, head(target="/healthz?" + "a" * (8192 - 9)))
    refuses(server, head(target="/healthz?" + "a" * (8192 - 8)), 414)
    refuses(server, b"A" * 9000, 414)
    accepts(server, head("X: " + "y" * 16_000))
    refuses(server, head("X: " + "y" * 17_000), 431)
    refuses(server, head("X" * 17_000 + ": y"), 431)


# Request line: RFC 9112 3

@pytest.mark.parametrize(("line", "status"), [
    ("GET  /healthz HTTP/1.1", 400), ("GET /healthz  HTTP/1.1", 400), ("GET\t/healthz HTTP/1.1", 400), ("GET /healthz\tHTTP/1.1", 400),
    ("GET /healthz HTTP/1.1 ", 400), ("GET /healthz HTTP/1.1\t", 400), ("GET /healthz", 400), ("GET", 400), ("/healthz HTTP/1.1", 400),
    ("GET HTTP/1.1", 400), ("GET /healthz HTTP/1.1 x", 400), ("GET /health z HTTP/1.1", 400), ("GET /healthz http/1.1", 400),
    ("GET /healthz Http/1.1", 400), ("GET /healthz HTTP/1", 400), ("GET /healthz HTTP/1.", 400), ("GET /healthz HTTP/.1", 400),
    ("GET /healthz HTTP/1.10", 400), ("GET /healthz HTTP/01.1", 400), ("GET /healthz HTTP/1,1", 400), ("GET /healthz HTTP/+1.1", 400),
    ("GET /healthz HTTP 1.1", 400), ("GET /healthz HTTPS/1.1", 400), ("GET /healthz ICY/1.1", 400), ("GET /healthz HTTP/1.1\x00", 400),
    ("GET /healthz HTTP/2.0", 505), ("GET /healthz HTTP/3.0", 505), ("GET /healthz HTTP/0.9", 505), ("GET /healthz HTTP/9.9", 505),
    ("PRI * HTTP/2.0", 505), ("GE\x00T /healthz HTTP/1.1", 400), ("G@T /healthz HTTP/1.1", 400), ("(GET) /healthz HTTP/1.1", 400),
    ("GET healthz HTTP/1.1", 400), ("GET ../healthz HTTP/1.1", 400), ("GET ?a HTTP/1.1", 400), ("GET \\healthz HTTP/1.1", 400),
    ("GET * HTTP/1.1", 400), ("GET *x HTTP/1.1", 400), ("OPTIONS ** HTTP/1.1", 400), ("OPTIONS *? HTTP/1.1", 400),
    ("GET localhost:80 HTTP/1.1", 400), ("CONNECT /healthz HTTP/1.1", 400), ("CONNECT localhost HTTP/1.1", 400),
    ("CONNECT localhost:80 HTTP/1.1", 501), ("CONNECT http://localhost:80/ HTTP/1.1", 400), ("GET http:/healthz HTTP/1.1", 400),
    ("GET http:///healthz HTTP/1.1", 400), ("GET http://user@localhost/healthz HTTP/1.1", 400), ("GET http://:80/healthz HTTP/1.1", 400),
    ("GET http://localhost:x/healthz HTTP/1.1", 400), ("GET ftp://localhost/healthz HTTP/1.1", 400),
    ("GET http://local host/healthz HTTP/1.1", 400), ("GET http://localhost#/healthz HTTP/1.1", 400),
    ("GET /healthz# HTTP/1.1", 400), ("GET /healthz#a HTTP/1.1", 400), ("GET /health\x00z HTTP/1.1", 400), ("GET /healthz\x7f HTTP/1.1", 400),
    ("GET /\xe9 HTTP/1.1", 400), ("GET /<a> HTTP/1.1", 400), ("GET /a|b HTTP/1.1", 400), ("GET /a^b HTTP/1.1", 400), ("GET /a`b HTTP/1.1", 400),
    ("GET /{a} HTTP/1.1", 400), ('GET /"a" HTTP/1.1', 400), ("GET /[a] HTTP/1.1", 400), ("GET /a\\b HTTP/1.1", 400),
    ("GET /% HTTP/1.1", 400), ("GET /%4 HTTP/1.1", 400), ("GET /%4g HTTP/1.1", 400), ("GET /%%34%31 HTTP/1.1", 400), ("GET /%u0041 HTTP/1.1", 400),
    ("GET /%00 HTTP/1.1", 400), ("GET /%FF HTTP/1.1", 400), ("GET /%C0%AF HTTP/1.1", 400), ("GET /%C1%A1 HTTP/1.1", 400),
    ("GET /%E0%80%AF HTTP/1.1", 400), ("GET /%ED%A0%80 HTTP/1.1", 400), ("GET /%F5%80%80%80 HTTP/1.1", 400), ("GET /healthz?% HTTP/1.1", 400),
    ("GET /healthz?a=%zz HTTP/1.1", 400), ("GET /healthz?a=%FF HTTP/1.1", 400), ("GET /healthz?a=%00 HTTP/1.1", 400),
], ids=short)
def test_a_malformed_request_line_is_refused(server, line, status):
    refuses(server, f"{line}\r\nHost: localhost\r\n\r\n".encode("latin-1"), status)


@pytest.mark.parametrize(("line", "status"), [
    ("GET /healthz HTTP/1.1", 200), ("GET /healthz HTTP/1.2", 200), ("GET /healthz HTTP/1.9", 200), ("GET /%68ealthz HTTP/1.1", 200),
    ("GET /health%7A HTTP/1.1", 200), ("GET /health%7a? HTTP/1.1", 200), ("GET /healthz??a=/?%41 HTTP/1.1", 200),
    ("GET http://localhost/healthz HTTP/1.1", 200), ("GET HTTP://LOCALHOST/healthz HTTP/1.1", 200), ("GET https://a:8443/healthz HTTP/1.1", 200),
    ("GET http://[::1]:80/healthz?x HTTP/1.1", 200), ("GET http://localhost HTTP/1.1", 200), ("GET http://localhost?x HTTP/1.1", 200),
    ("GET / HTTP/1.1", 200), ("GET //healthz HTTP/1.1", 404), ("GET /healthz/ HTTP/1.1", 404), ("GET /./healthz HTTP/1.1", 404),
    ("GET /a/../healthz HTTP/1.1", 404), ("GET /a%2F..%2Fhealthz HTTP/1.1", 404), ("GET /%2e/healthz HTTP/1.1", 404),
    ("GET %2Fhealthz HTTP/1.1", None), ("GET /%2Fhealthz HTTP/1.1", 404), ("GET /HEALTHZ HTTP/1.1", 404), ("GET /healthz;a=b HTTP/1.1", 404),
    ("GET /healthz%00 HTTP/1.1", None), ("GET /healthz%3Fa HTTP/1.1", 404), ("GET /%25%36%38ealthz HTTP/1.1", 404),
    ("GET /admin/v1/apps HTTP/1.1", 401), ("GET /v1/../admin/v1/apps HTTP/1.1", 404), ("GET /%61dmin/v1/apps HTTP/1.1", 401),
    ("get /healthz HTTP/1.1", 501), ("Get /healthz HTTP/1.1", 501), ("BREW /healthz HTTP/1.1", 501), ("TRACE /healthz HTTP/1.1", 405),
    ("PROPFIND /nothing HTTP/1.1", 501), ("!#$%&'*+-.^_`|~ /healthz HTTP/1.1", 501), ("PUT /healthz HTTP/1.1", 405),
    ("DELETE /v1/apps/a/versions/1/taps HTTP/1.1", 405), ("POST /nothing HTTP/1.1", 404), ("OPTIONS * HTTP/1.1", 204),
    ("OPTIONS /healthz HTTP/1.1", 204), ("OPTIONS /nothing HTTP/1.1", 404),
], ids=short)
def test_a_sound_request_line_is_understood(server, line, status):
    request = f"{line}\r\nHost: localhost\r\n\r\n".encode("latin-1")
    if status is None:
        refuses(server, request)
    else:
        accepts(server, request, status)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
def test_the_star_belongs_to_options(server, method):
    refuses(server, f"{method} * HTTP/1.1\r\nHost: a\r\n\r\n".encode(), method=method)


def test_one_empty_line_before_a_request_is_forgiven_also_between_two(server):
    messages, went_on = converse(server, b"\r\n", get(), b"\r\n", head("Content-Length: 3") + b"abc", b"\r\n")
    assert [m.status for m in messages] == [200, 200] and went_on


# Host: RFC 9112 3.2

@pytest.mark.parametrize("host", [
    None, "Host:", "Host: \t", "Host: a\r\nHost: a", "Host: a\r\nhost: b", "Host: a\r\nHost:", "Host: a, b", "Host: a b", "Host: a\tb",
    "Host: user@a", "Host: user:pass@a", "Host: a/b", "Host: /", "Host: a?b", "Host: a#b", "Host: http://a", "Host: a:b", "Host: a:-1",
    "Host: a:80:80", "Host: a:65536", "Host: a:999999999999999999999", "Host: :80", "Host: [::1", "Host: ::1", "Host: [x]", "Host: [::1]x", "Host: [1:2]", "Host: [::::]", "Host: [1.2.3.4]", "Host: [1::2::3]", "Host: [12345::]", "Host: [::1.2.3]",
    "Host: [1:2:3:4:5:6:7:8:9]", "Host: [:1]", "Host: [1:]", "Host: [::1.2.3.256]", "Host: [1:2:3:4:5:6:7::8]",
    "Host: [::1]:x", "Host: a%zz", "Host: a%", "Host: a\\b", "Host: a<b", "Host: \xe9", "Host: a\x00b", 'Host: "a"', "Host : a", "Host: a\r\n b",
], ids=short)
def test_a_missing_or_malformed_host_is_refused(server, host):
    refuses(server, head(host=host))


@pytest.mark.parametrize("host", ["Host: a", "HOST:a.b", "Host: a:80", "Host: a:", "Host: 127.0.0.1:8080", "Host: [::1]:80", "Host: [::]", "Host: [2001:DB8::]", "Host: [1:2:3:4:5:6:7:8]",
                                  "Host: [::ffff:192.0.2.1]", "Host: [1:2:3:4:5:6:192.0.2.1]:80", "Host: [1::8]", "Host: a_b", "Host: %41"])
def test_any_sound_host_will_do(server, host):
    accepts(server, head(host=host))


def test_http_1_0_needs_no_host_but_not_two(server):
    messages, _ = converse(server, head(host=None, version="1.0"))
    assert [m.status for m in messages] == [200]
    refuses(server, head(host="Host: a\r\nHost: a", version="1.0"))


# Connections: RFC 9112 9

@pytest.mark.parametrize(("version", "lines", "goes_on", "said"), [
    ("1.1", [], True, None), ("1.1", ["Connection: close"], False, "close"), ("1.1", ["Connection: CLOSE"], False, "close"),
    ("1.1", ["Connection: x, close"], False, "close"), ("1.1", ["Connection: keep-alive, close"], False, "close"),
    ("1.1", ["Connection: x", "Connection: close"], False, "close"), ("1.1", ["Connection: keep-alive"], True, None),
    ("1.1", ["Connection: closed"], True, None), ("1.1", ['Connection: "close"'], True, None), ("1.0", [], False, "close"),
    ("1.0", ["Connection: keep-alive"], True, "keep-alive"), ("1.0", ["Connection: Keep-Alive"], True, "keep-alive"),
    ("1.0", ["Connection: keep-alive, close"], False, "close"), ("1.0", ["Connection: close"], False, "close"),
    ("1.2", [], True, None), ("1.1", ["Proxy-Connection: close"], True, None),
], ids=short)
def test_the_connection_goes_on_as_asked(server, version, lines, goes_on, said):
    messages, went_on = converse(server, head(*lines, version=version))
    assert ([m.status for m in messages], went_on, messages[0].fields.get("connection")) == ([200], goes_on, said)


def test_pipelined_requests_are_answered_in_order_with_heads_bodies_and_errors_in_between(server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": []})
    menu = f"/v1/apps/{app}/versions/1/shortcuts"
    tap = b'{"type": "x"}'
    requests = [
        ("GET", get()), ("HEAD", get(menu, method="HEAD")), ("GET", get("/nothing")), ("HEAD", get("/nothing", method="HEAD")),
        ("POST", get(menu.replace("shortcuts", "taps"), "Content-Length: 13", "Content-Type: application/json", method="POST") + tap),
        ("PUT", get("/healthz", "Content-Length: 3", method="PUT") + b"abc"), ("GET", get(menu)), ("OPTIONS", get("*", method="OPTIONS")),
        ("BREW", get(method="BREW")), ("HEAD", get("/admin/v1/apps", method="HEAD")), ("GET", get(menu, 'If-None-Match: *')),
        ("POST", get(menu.replace("shortcuts", "taps"), CHUNKED, method="POST") + b"2\r\n{]\r\n0\r\n\r\n"),
        ("GET", get(menu.replace("/1/", "/x/"))), ("GET", get("/healthz", CHUNKED) + b"0\r\n\r\n"),
    ]
    messages, went_on = converse(server, *[sent for _, sent in requests], methods=[method for method, _ in requests])
    assert [m.status for m in messages] == [200, 200, 404, 404, 200, 405, 200, 204, 501, 401, 304, 400, 400, 200] and went_on


def test_what_is_behind_a_refused_request_is_never_looked_at(server, app):
    smuggled = get(f"/admin/v1/apps/{app}", f"Authorization: Bearer {OWNER}", method="DELETE")
    for request in (head("Content-Length: 3", CHUNKED), head("X : y"), head(host=None), head("Expect: tea"), head(target="/%")):
        messages, _ = converse(server, request, smuggled)
        assert len(messages) == 1
    assert server.admin("GET", f"/apps/{app}").status == 200


def test_a_client_that_closes_its_half_gets_every_answer(server, app):
    requests = get() + get(f"/v1/apps/{app}/versions/1/shortcuts") + get("/healthz", "Content-Length: 2") + b"hi"
    assert statuses(exchange(server, requests, half_close=True)) == [200, 404, 200]
    assert exchange(server, get()[:-2], half_close=True) == b""


def test_a_client_that_goes_in_the_middle_of_anything_costs_nothing(server):
    request = head(CHUNKED) + b"3\r\nabc\r\n0\r\n\r\n"
    for cut in range(1, len(request)):
        with socket.create_connection(server.address) as connection:
            connection.sendall(request[:cut])
    assert server.get("/healthz").status == 200


# Expect: RFC 9110 10.1.1

@pytest.mark.parametrize("value", ["tea", "100-continue, tea", "100", "200-ok", '"100-continue"', "100-continue=x", ""])
def test_another_expectation_fails(server, value):
    refuses(server, head(f"Expect: {value}", "Content-Length: 3") + b"abc", 417)


def test_100_continue_is_for_1_1_and_for_bodies_that_have_not_begun(server):
    for request in (
        head("Expect: 100-continue"), head("Expect: 100-continue", "Content-Length: 3") + b"abc",
        head("Expect: 100-continue", "Content-Length: 3", "Connection: keep-alive", version="1.0") + b"abc",
    ):
        accepts(server, request)
    with socket.create_connection(server.address, timeout=120) as connection:
        connection.sendall(head("Expect: 100-Continue", CHUNKED))
        assert connection.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"3\r\nabc\r\n0\r\n\r\n")
        assert Message(connection.recv(1000), "GET").status == 200
        connection.sendall(head("Expect: 100-continue", "Content-Length: 3", "Connection: keep-alive", version="1.0"))
        connection.sendall(b"abc")
        assert Message(connection.recv(1000), "GET").status == 200


def test_a_final_answer_takes_the_place_of_100_continue_where_the_body_is_not_wanted(server):
    for request, status in (
        (get("/nothing", "Expect: 100-continue", "Content-Length: 3", method="POST"), 404),
        (get("/healthz", "Expect: 100-continue", "Content-Length: 3", method="PUT"), 405),
        (get("/healthz", "Expect: 100-continue", f"Content-Length: {2 << 20}"), 413),
    ):
        messages = answers(exchange(server, request))
        assert [m.status for m in messages] == [status] and messages[0].fields["connection"] == "close"


# Answers: RFC 9110 6.6.1, 9.3.2, 10.2.1, 13, 15

def test_every_answer_has_a_date_and_405_names_what_is_allowed(server, app):
    for target, method, status in [("/healthz", "GET", 200), ("/nothing", "GET", 404), ("/healthz", "PUT", 405), ("*", "OPTIONS", 204),
                                   ("/healthz", "BREW", 501), ("/admin/v1/apps", "GET", 401), (f"/v1/apps/{app}/versions/x/taps", "GET", 405)]:
        message = accepts(server, get(target, method=method), status)
        assert re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", message.fields["date"])
        assert ("allow" in message.fields) == (status in (204, 405))
        assert ("www-authenticate" in message.fields) == (status == 401)
    assert accepts(server, get(method="PUT"), 405).fields["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("target", ["/healthz", "/metrics", "/openapi.yaml", "/nothing", "/admin/v1/apps", "MENU", "PLIST", "/healthz?%41", "405"])
def test_head_has_the_fields_of_get_and_no_body(server, app, target):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": []})
    fields = ["Accept: application/x-plist"] if target == "PLIST" else []
    target = {"MENU": f"/v1/apps/{app}/versions/1/shortcuts", "405": f"/v1/apps/{app}/versions/1/taps"}.get(target, target)
    if target.endswith("PLIST"):
        target = f"/v1/apps/{app}/versions/1/shortcuts"
    varying = ["date", "x-request-id"] + (["content-length"] if target == "/metrics" else [])
    for _ in range(2):
        (got, headed), went_on = converse(server, get(target, *fields), get(target, *fields, method="HEAD"), methods=["GET", "HEAD"])
        assert went_on and got.status == headed.status and headed.body == b"" != got.body
        assert [{n: v for n, v in m.fields.items() if n not in varying} for m in (got, headed)].count(
            {n: v for n, v in got.fields.items() if n not in varying}) == 2
        assert got.fields.keys() == headed.fields.keys()


@pytest.mark.parametrize("request_bytes", [
    get(method="HEAD").replace(b"localhost", b"a b"), get("/healthz", "X : y", method="HEAD"), get("/healthz", "Expect: tea", method="HEAD"),
    get("/healthz", "Content-Length: x", method="HEAD"), get("/%", method="HEAD"), get("/%FF", method="HEAD"),
    get("/healthz", "X: " + "y" * 20_000, method="HEAD"), get("/healthz", f"Content-Length: {2 << 20}", method="HEAD"),
    get("/healthz", CHUNKED, method="HEAD") + b"x",
], ids=short)
def test_a_refused_head_has_no_body_either(server, request_bytes):
    message = Message(exchange(server, request_bytes), "HEAD")
    assert message.status >= 400 and message.rest == b""


@pytest.fixture
def menu(server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": []})
    target = f"/v1/apps/{app}/versions/1/shortcuts"
    return target, server.get(target).fields["etag"]


@pytest.mark.parametrize(("fields", "status"), [
    (["If-None-Match: {tag}"], 304), (["If-None-Match: W/{tag}"], 304), (["If-None-Match: *"], 304), (["If-None-Match: \"x\", {tag}"], 304),
    (["If-None-Match: {tag}, \"x\""], 304), (["If-None-Match: \"x\",,W/{tag} ,"], 304), (["If-None-Match: \"a,b\", {tag}"], 304),
    (["If-None-Match: \"x\"", "If-None-Match: {tag}"], 304), (["If-None-Match: {tag}", "If-None-Match: \"x\""], 304),
    (["If-None-Match: {tag}", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], 304),
    (["If-None-Match: \"x\""], 200), (["If-None-Match: W/\"x\", \"\""], 200), (["If-None-Match: {bare}"], 200), (["If-None-Match: w/{tag}"], 200),
    (["If-None-Match: {tag}{tag}"], 200), (["If-None-Match: {tag}, x"], 200), (["If-None-Match: {unclosed}"], 200), (["If-None-Match:"], 200),
    (["If-None-Match: \"*\""], 200), (["If-None-Match: *, {tag}"], 200), (["If-None-Match: \"x\"", "If-Modified-Since: Fri, 31 Dec 2100 23:59:59 GMT"], 200),
    (["If-Modified-Since: Fri, 31 Dec 2100 23:59:59 GMT"], 200), (["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], 200),
    (["If-Match: {tag}"], 200), (["If-Match: *"], 200), (["If-Match: \"x\", {tag}"], 200), (["If-Match: \"x\""], 412), (["If-Match: W/{tag}"], 412),
    (["If-Match: \"x\"", "If-None-Match: {tag}"], 412), (["If-Match: {tag}", "If-None-Match: {tag}"], 304), (["If-Match: nonsense"], 412),
    (["Range: bytes=0-3"], 200),
], ids=short)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_conditions_are_judged_as_13_2_2_says(server, menu, method, fields, status):
    target, tag = menu
    lines = [line.format(tag=tag, bare=tag.strip('"'), unclosed=tag[:-1]) for line in fields]
    for _ in range(2):
        message = accepts(server, get(target, *lines, method=method), status, method)
        if status == 412:
            continue
        assert message.fields["etag"] == tag and {"date", "cache-control", "vary", "content-location"} <= message.fields.keys()
        assert ("content-type" in message.fields) == (status == 200)


def test_a_condition_on_what_would_not_be_200_is_ignored(server, app):
    for target in ("/nothing", f"/v1/apps/{app}/versions/1/shortcuts"):
        for field in ("If-None-Match: *", 'If-Match: "x"'):
            accepts(server, get(target, field), 404)


def test_what_was_negotiated_is_told_to_caches(server, menu):
    target, _ = menu
    message = accepts(server, get(target, "Accept-Encoding: gzip"))
    assert message.fields["vary"] == "Accept-Encoding, Accept, Accept-Language"
    assert accepts(server, get(target, "Accept-Encoding: gzip;q=0, identity")).fields.get("content-encoding") is None
    for fields in (["Accept: text/html"], ["Accept: application/json;q=0"]):
        accepts(server, get(target, *fields), 406)


def test_two_credentials_are_none(server):
    accepts(server, get("/admin/v1/apps", f"Authorization: Bearer {OWNER}", "Authorization: Bearer x"), 401)
    accepts(server, get("/admin/v1/apps", "Authorization: Bearer x", f"Authorization: Bearer {OWNER}"), 401)


# Time: RFC 9110 15.5.9

def test_a_head_that_drips_in_has_one_clock_and_so_has_the_next(tmp_path):
    slow = Longpress(tmp_path, "--header-timeout", "400ms")
    try:
        for before in (b"", get()):
            with socket.create_connection(slow.address, timeout=120) as connection:
                connection.sendall(before)
                if before:
                    assert Message(connection.recv(1000), "GET").status == 200
                received, request = b"", get("/healthz", "X: " + "y" * 1000, method="HEAD")
                connection.sendall(request[:50])
                connection.settimeout(0.05)
                for byte in request[50:]:
                    connection.sendall(bytes([byte]))
                    try:
                        received = connection.recv(1000)
                        break
                    except TimeoutError:
                        continue
                message = Message(received, "HEAD")
                assert (message.status, message.fields["connection"], message.rest) == (408, "close", b"")
    finally:
        slow.stop()
