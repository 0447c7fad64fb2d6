"""The icon of an app, which the console shows."""

import struct
import zlib

import pytest


def png(side, height=None, filler=0):
    """A grey square, or another rectangle, with `filler` random-looking bytes behind it."""
    height = side if height is None else height

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"".join(b"\0" + b"\x80" * side for _ in range(height)))
    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, height, 8, 0, 0, 0, 0))
    return head + chunk(b"IDAT", rows) + (chunk(b"tEXt", b"x" * filler) if filler else b"") + chunk(b"IEND", b"")


def put(server, app, body, type="image/png", **fields):
    return server.admin("PUT", f"/apps/{app}/icon", body=body, type=type, **fields)


def test_an_icon_is_answered_as_it_was_sent_and_named_by_the_app(server, app):
    first = put(server, app, png(120))
    assert first.status == 201 and first.json["icon"] == first.fields["etag"].strip('"')
    got = server.admin("GET", f"/apps/{app}/icon")
    assert (got.status, got.fields["content-type"], got.body) == (200, "image/png", png(120))
    assert server.admin("GET", f"/apps/{app}/icon?v=x", If_None_Match=got.fields["etag"]).status == 304
    assert put(server, app, png(60), If_Match='"stale"').status == 412
    assert put(server, app, png(60), If_Match=got.fields["etag"]).status == 200
    assert server.admin("DELETE", f"/apps/{app}/icon").status == 204
    assert server.admin("GET", f"/apps/{app}/icon").status == 404
    assert server.admin("DELETE", f"/apps/{app}/icon").status == 404
    assert server.admin("GET", f"/apps/{app}").json["icon"] is None


@pytest.mark.parametrize("body, type, status", [
    (png(2, 3), "image/png", 422),
    (png(1025), "image/png", 422),
    (b"GIF89a", "image/png", 422),
    (png(1)[:20], "image/png", 422),
    (png(1), "image/gif", 415),
    (png(1), "application/json", 415),
    (png(1, filler=131_072), "image/png", 413),
    (b"", "image/png", 400),
])  # fmt: skip
def test_what_is_not_a_small_square_png_is_refused(server, app, body, type, status):
    assert put(server, app, body, type).status == status
    assert server.admin("GET", f"/apps/{app}").json["icon"] is None


def test_a_patch_of_the_app_keeps_the_icon_and_ignores_the_member(server, app):
    put(server, app, png(1))
    app_document = server.admin("GET", f"/apps/{app}").json
    assert server.admin("PUT", f"/apps/{app}", {**app_document, "icon": "other"}).json["icon"] == app_document["icon"]
    assert server.admin("PATCH", f"/apps/{app}", {"name": "Mail"}).json["icon"] == app_document["icon"]
