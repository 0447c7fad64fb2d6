"""HTTP/1.1 byte by byte, without a client library."""

import re
import socket
import time


def exchange(server, sent, half_close=False, wait=120, pause=None):
    """Everything that is received until the server closes or goes silent."""
    with socket.create_connection(server.address, timeout=wait) as connection:
        for piece in [sent] if pause is None else [sent[i:i + 1] for i in range(len(sent))]:
            connection.sendall(piece)
            if pause:
                time.sleep(pause)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        received = b""
        try:
            while piece := connection.recv(65536):
                received += piece
        except TimeoutError:
            received += b"<open>"
        except ConnectionResetError:
            received += b"<reset>"
        return received


def statuses(received):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d\d\d) ", received)]


def get(target="/healthz", *fields, method="GET", version="1.1"):
    lines = [f"{method} {target} HTTP/{version}", "Host: localhost", *fields, "", ""]
    return "\r\n".join(lines).encode()


class Message:
    """One answer, parsed by RFC 9112."""

    def __init__(self, received, method):
        head, _, rest = received.partition(b"\r\n\r\n")
        status, *lines = head.split(b"\r\n")
        assert re.fullmatch(rb"HTTP/1\.1 \d\d\d [\t\x20-\x7e]*", status), status
        assert b"\n" not in head.replace(b"\r\n", b"") and b"\r" not in head.replace(b"\r\n", b"")
        self.status = int(status[9:12])
        self.fields = {}
        for line in lines:
            name, _, value = line.partition(b": ")
            assert re.fullmatch(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name), line
            assert name.lower() not in self.fields, line
            self.fields[name.lower().decode()] = value.decode()
        if self.status in (204, 304) or self.status < 200:
            assert "content-length" not in self.fields and "transfer-encoding" not in self.fields
        has_body = method != "HEAD" and self.status not in (204, 304) and self.status >= 200
        length = int(self.fields["content-length"]) if has_body else 0
        self.body, self.rest = rest[:length], rest[length:]
        assert len(self.body) == length


def answers(received, *methods):
    """The answers in `received`, to requests with these methods (GET by default)."""
    messages = []
    while received:
        messages.append(Message(received, methods[len(messages)] if len(messages) < len(methods) else "GET"))
        received = messages[-1].rest
    return messages


def converse(server, *requests, methods=()):
    """The answers to `requests`, sent together with a last request that ends the connection.

    The answer to the last request is left out. The second value says whether it arrived: then the server read every request exactly to its
    end.
    """
    received = exchange(server, b"".join(requests) + get("/readyz", "Connection: close"))
    assert not received.endswith((b"<open>", b"<reset>")), received
    messages = answers(received, *methods)
    went_on = bool(messages) and messages[-1].body == b"ready\n"
    return messages[:-1] if went_on else messages, went_on
