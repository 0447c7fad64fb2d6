"""The console's files, as a browser fetches them."""

import gzip
import re

import pytest

from longpress import Longpress

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


def named(page):
    """The addresses in the page."""
    return ["/console/" + address for address in re.findall(r'(?:src|href)="([^"]+)"', page.body.decode())]


def test_the_page_and_what_it_names(server):
    page = server.get("/console/")
    assert page.status == 200 and page.fields["content-type"] == "text/html; charset=utf-8" and page.fields["cache-control"] == "no-cache"
    assert b"<script>" not in page.body and b"<style" not in page.body and b"style=" not in page.body
    answers = {address: server.get(address) for address in named(page)}
    assert {address.rsplit(".")[-1] for address in answers} >= {"js", "css", "svg"}
    for address, answer in answers.items():
        assert answer.status == 200 and re.search(r"/[0-9a-f]{16}/", address), address
        assert answer.fields["cache-control"] == "public, max-age=31536000, immutable"
    for answer in [page, *answers.values()]:
        assert answer.fields["content-security-policy"] == POLICY
        assert answer.fields["referrer-policy"] == "no-referrer" and answer.fields["x-content-type-options"] == "nosniff"
        assert answer.fields["vary"] == ("Accept-Encoding, Cookie" if answer is page else "Accept-Encoding")


@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_a_browser_need_not_fetch_twice(server, coding):
    page = server.get("/console/")
    for address in ["/console/", *named(page)]:
        whole = server.get(address, Accept_Encoding=coding)
        again = server.get(address, Accept_Encoding=coding, If_None_Match=whole.fields["etag"])
        assert (again.status, again.body, again.fields["etag"]) == (304, b"", whole.fields["etag"])
        head = server.request("HEAD", address, fields={"Accept-Encoding": coding})
        assert (head.status, head.body) == (200, b"")
        assert head.fields["content-length"] == whole.fields["content-length"] == str(len(whole.body))
        plain = server.get(address)
        packed = whole.fields.get("content-encoding") == "gzip"
        assert (gzip.decompress(whole.body) if packed else whole.body) == plain.body
        assert packed == (whole.fields["etag"] != plain.fields["etag"])


def test_without_its_slash_the_address_leads_on_and_nothing_else_is_there(server):
    leads = server.get("/console")
    assert (leads.status, leads.fields["location"]) == (308, "console/")
    for target in ("/console/index.html", "/console/files/", "/console/files/0000000000000000/main.js", "/console/..%2fopenapi.yaml"):
        assert (server.get(target).status, server.get(target).code) == (404, "unknown-resource")
    refused = server.request("POST", "/console/")
    assert refused.status == 405 and refused.fields["allow"] == "GET, HEAD, OPTIONS"


def test_it_is_at_the_address_of_the_admin_plane_or_nowhere(tmp_path):
    apart = Longpress(tmp_path, "--admin-listen", "127.0.0.1:0")
    try:
        assert apart.get("/console/").status == 404
    finally:
        apart.stop()
    off = Longpress(tmp_path, "--console", "off")
    try:
        assert off.get("/console/").status == 404 and off.get("/console").status == 404
        assert off.admin("GET", "/apps").status == 200
    finally:
        off.stop()
