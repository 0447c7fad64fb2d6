"""Lists: every match of a filter once, in full pages; pages with a limit in bytes; and errors for values that cannot be meant."""

import base64
import json

import pytest

from contract import DOCUMENT, METHODS, resolved
from longpress import item, unique


def read(server, path, query, limit, token=None):
    """All pages of a list."""
    items, cursor = [], None
    while True:
        target = f"{path}?limit={limit}" + (f"&{query}" if query else "") + (f"&cursor={cursor}" if cursor else "")
        page = server.admin("GET", target, **({"token": token} if token else {}))
        assert page.status == 200, page.body
        assert len(page.json["items"]) == limit or page.json["next"] is None
        items += page.json["items"]
        cursor = page.json["next"]
        if cursor is None:
            return items


@pytest.fixture
def written(own):
    """Two apps, each with some revisions, and a token with its end."""
    ci = own.admin("POST", "/tokens", {"name": "ci", "role": "publisher"}).json
    for number in range(12):
        name = "ab"[number % 2]
        own.admin("PUT", f"/apps/com.example.{name}", {"defaultLanguage": "en", "name": {"a": "Notes", "b": "Mail"}[name]})
        version, audience = f"{number % 3 + 1}.0", ["default", "guest"][number % 4 // 2]
        answer = own.admin(
            "PUT", f"/apps/com.example.{name}/sets/{version}?audience={audience}", {"items": [item(f"i{number}")]},
            **({"token": ci["token"]} if number % 3 else {}))
        assert answer.status in (200, 201)
    assert own.admin("DELETE", f"/tokens/{ci['id']}").status == 204
    return own, ci


@pytest.mark.parametrize("limit", [1, 3, 200])
def test_the_audit_is_filtered(written, limit):
    server, ci = written
    everything = read(server, "/audit", "", 200)
    middle = everything[len(everything) // 2]["at"]
    for query, matches in [
        ("app=com.example.a", lambda entry: entry["app"] == "com.example.a"),
        ("token=ci", lambda entry: entry["token"] == "ci"),
        ("action=set.published", lambda entry: entry["action"] == "set.published"),
        ("token=ci&app=com.example.b&action=set.published", lambda entry: (entry["token"], entry["app"]) == ("ci", "com.example.b")),
        ("tokenID=admin-token", lambda entry: entry["tokenID"] == "admin-token"), (f"tokenID={ci['id']}", lambda entry: entry["token"] == "ci"),
        ("target=com.example.a", lambda entry: entry["target"]["id"] == "com.example.a"),
        (f"target={ci['id']}", lambda entry: entry["action"].startswith("token.")),
        (f"from={middle}", lambda entry: entry["at"] >= middle), (f"to={middle}", lambda entry: entry["at"] < middle),
        ("token=nobody", lambda entry: False), ("app=com.example.never", lambda entry: False),
    ]:
        assert read(server, "/audit", query, limit) == list(filter(matches, everything)), query
        after = everything[-3]["id"]
        later = [entry for entry in reversed(everything) if int(entry["id"]) > int(after) and matches(entry)]
        assert read(server, "/audit", f"{query}&after={after}", limit) == later, query
    assert [entry["target"] for entry in read(server, "/audit", f"target={ci['id']}", limit)] == [
        {"kind": "token", "id": ci["id"], "name": "ci"}] * 2


@pytest.mark.parametrize("limit", [1, 2, 200])
def test_apps_are_searched_and_sorted(written, limit):
    server, _ = written
    server.admin("PUT", "/apps/org.example.unpublished", {"defaultLanguage": "en"})
    server.admin("PUT", "/apps/com.example.a/sets/9.0", {"items": []})
    for query, expected in [
        ("", ["com.example.a", "com.example.b", "org.example.unpublished"]), ("q=MAI", ["com.example.b"]), ("q=com.", ["com.example.a", "com.example.b"]),
        ("q=", ["com.example.a", "com.example.b", "org.example.unpublished"]), ("q=nothing", []),
        ("sort=name", ["com.example.b", "com.example.a", "org.example.unpublished"]), ("sort=id&q=B", ["com.example.b", "org.example.unpublished"]),
        ("sort=publishedAt", ["com.example.a", "com.example.b", "org.example.unpublished"]),
    ]:
        assert [app["app"] for app in read(server, "/apps", query, limit)] == expected, query


@pytest.mark.parametrize("limit", [1, 2, 200])
def test_revisions_are_filtered(written, limit):
    server, _ = written
    everything = read(server, "/apps/com.example.a/revisions", "", 200)
    for query, version, audience in [
        ("version=1.0", "1.0.0", None), ("version=01", "1.0.0", None), ("audience=guest", None, "guest"),
        ("version=3&audience=default", "3.0.0", "default"), ("version=7", "7.0.0", None),
    ]:
        expected = [revision for revision in everything if version in (None, revision["version"]) and audience in (None, revision["audience"])]
        assert read(server, "/apps/com.example.a/revisions", query, limit) == expected, query


@pytest.mark.parametrize(("target", "said"), [
    ("/audit?app=a%20b", "app: "), ("/audit?token=", "token: "), ("/audit?token=a%0a", "token: "), ("/audit?token=" + "a" * 101, "token: "),
    ("/audit?target=", "target: "), ("/audit?action=token.create", 'Did you mean "token.created"?'), ("/audit?action=x", "Use one of: app.created, "),
    ("/audit?from=yesterday", "from: "), ("/audit?to=2026", "to: "), ("/audit?after=x", "after: "), ("/audit?after=-1", "after: "), ("/audit?after=99999999999999999999", "after: "),
     ("/audit?from=2027-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", "later than to"),
    ("/apps?sort=size", "Use one of: id, name, publishedAt, attention."), ("/apps?sort=", "sort: "), ("/apps?q=a%0ab", "q: "), ("/apps?q=" + "a" * 101, "q: "),
    ("/apps/com.example.a/revisions?version=x", "version: "), ("/apps/com.example.a/revisions?version=1.0%2B5", "version: "),
    ("/apps/com.example.a/revisions?audience=Everyone", "audience: "), ("/apps?cursor=YXBwcwoA", "cursor: "),
])
def test_a_filter_that_cannot_be_meant_is_refused(server, target, said):
    server.admin("PUT", "/apps/com.example.a", {"defaultLanguage": "en"})
    answer = server.admin("GET", target)
    assert (answer.status, answer.code) == (400, "invalid-parameter") and said in answer.json["detail"], answer.body


def test_a_scoped_owner_filters_by_its_own_apps_only(written):
    server, _ = written
    scoped = server.admin("POST", "/tokens", {"name": unique("scoped"), "role": "owner", "apps": ["com.example.a"]}).json["token"]
    assert {entry["app"] for entry in read(server, "/audit", "app=com.example.a", 50, scoped)} == {"com.example.a"}
    for app in ["com.example.b", "com.example.never"]:
        assert server.admin("GET", f"/audit?app={app}", token=scoped).code == "forbidden"


@pytest.fixture(scope="module")
def furnished(server):
    """Values for path parameters: an app with a little of everything, and a webhook."""
    server.admin("PUT", "/apps/com.example.cursors", {"defaultLanguage": "en"})
    for version in ("1.0", "2.0", "3.0"):
        for path in ("releases/{}", "sets/{}"):
            server.admin("PUT", "/apps/com.example.cursors/" + path.format(version), {"items": [item("a")]} if "sets" in path else {})
        server.admin("PUT", f"/apps/com.example.cursors/sets/{version}/draft", {"items": [item("b")]})
        server.admin("PUT", f"/apps/com.example.cursors/sets/{version}.1/draft", {"items": [item("c")]})
        server.admin("POST", f"/apps/com.example.cursors/sets/{version}.1/publish", {"at": "2098-01-01T00:00:00Z"})
    hook = server.admin("POST", "/webhooks", {"url": "http://127.0.0.1:9/", "enabled": False, "apps": ["com.example.cursors"]}).json["id"]
    return {"app": "com.example.cursors", "id": hook, "version": "1.0", "item": "a", "revision": "1"}


def parameters(path, operation, where):
    shared = DOCUMENT["paths"][path].get("parameters", [])
    return [found["name"] for each in shared + operation.get("parameters", []) if (found := resolved(each))["in"] == where]


def operations():
    return [
        pytest.param(method.upper(), path, operation, id=operation["operationId"])
        for path, methods in DOCUMENT["paths"].items() for method, operation in methods.items() if method in METHODS]


LISTS = [each for each in operations() if each.values[0] == "GET" and "cursor" in parameters(*each.values[1:], "query")]


def encoded(*fields):
    return base64.urlsafe_b64encode("\n".join(fields).encode()).decode().rstrip("=")


@pytest.mark.parametrize(("method", "path", "operation"), LISTS)
def test_a_cursor_that_no_list_has_given_is_refused(server, furnished, method, path, operation):
    target = path.removeprefix("/admin/v1").format(**furnished) + "?limit=1"
    target += "&q=a" if "q" in parameters(path, operation, "query") else ""
    given = server.admin("GET", target).json["next"]
    fields = base64.urlsafe_b64decode(given + "==").decode().split("\n") if given else ["apps", "a"]
    spoiled = [
        "", "x", "%00", "%FF", "=", encoded("nothing"), encoded(*fields, "more"), encoded(*fields[:-1]), encoded("another", *fields[1:]),
        base64.urlsafe_b64encode(b"\xff\xfe").decode(), "A" * 3000,
    ]
    for index, field in enumerate(fields[1:], 1):
        spoiled += [encoded(*fields[:index], field + "\0", *fields[index + 1:]), encoded(*fields[:index], "\0", *fields[index + 1:])]
        if field.lstrip("-").isdigit():
            spoiled += [encoded(*fields[:index], number, *fields[index + 1:]) for number in ("", "a", "1.5", str(2**63))]
    for cursor in spoiled:
        answer = server.admin("GET", f"{target}&cursor={cursor}")
        assert answer.status == 400 and answer.code in ("invalid-parameter", "bad-request"), (cursor, answer.body)
    # Any field that a list may have given gets an answer.
    for index, field in enumerate(fields[1:], 1):
        others = ["0", "-1", str(2**63 - 1), str(-(2**63))] if field.lstrip("-").isdigit() else ["", "zz", "\u00e9", "'"]
        for other in others:
            answer = server.admin("GET", f"{target}&cursor={encoded(*fields[:index], other, *fields[index + 1:])}")
            assert answer.status in (200, 400), (other, answer.body)


@pytest.mark.parametrize(("method", "path", "operation"), operations())
def test_a_nul_anywhere_is_the_callers_fault(server, furnished, method, path, operation):
    names = parameters(path, operation, "path")
    plain = {name: furnished.get(name, "a") for name in names}
    fields = {"Authorization": "Bearer owner-token-of-the-acceptance-tests-0123456789", "Content-Type": "application/json"}
    targets = [path.format(**{**plain, name: "a%00b"}) for name in names]
    targets += [f"{path.format(**{**plain, 'app': 'com.example.none'})}?{name}=a%00b" for name in parameters(path, operation, "query")]
    for target in targets:
        answer = server.request(method, target, "{}" if method in ("PUT", "POST", "PATCH") else None, fields)
        assert 400 <= answer.status < 500, (target, answer.body)


def test_a_page_has_a_bound_in_bytes(server, app):
    """Releases of 400 kB each: two on a page. A release that is larger than a page has its own page."""
    large = {"urlSchemes": [], "assets": {"images": ["i" * 250 + str(number) for number in range(1580)], "symbols": []}}
    larger = {"assets": {"images": ["i" * 250 + str(number) for number in range(3500)], "symbols": ["s" * 250] * 500}}
    for number in range(1, 6):
        assert server.admin("PUT", f"/apps/{app}/releases/{number}.0", large).status == 201
    assert server.admin("PUT", f"/apps/{app}/releases/2.5", larger).status == 201
    pages, cursor = [], None
    while not pages or cursor:
        page = server.admin("GET", f"/apps/{app}/releases?limit=200" + (f"&cursor={cursor}" if cursor else ""))
        pages.append([release["version"] for release in page.json["items"]])
        assert len(page.json["items"]) == 1 or len(page.body) <= (1 << 20) + 200
        cursor = page.json["next"]
    assert pages == [["1.0.0", "2.0.0"], ["2.5.0"], ["3.0.0", "4.0.0"], ["5.0.0"]]


@pytest.mark.parametrize(("path", "prepared"), [("schedule", 40), ("revisions", 40), ("schedule", 17), ("drafts", 40), ("sets", 40)])
def test_pages_of_large_documents_are_small_and_whole(server, app, path, prepared):
    """Sets of some 80 kB: twelve on a page of the schedule, and each is on exactly one page."""
    menu = {"items": [item(f"i{number}", userInfo={"k": "v" * 4000}) for number in range(20)]}
    for number in range(prepared):
        target = f"/apps/{app}/sets/{number + 1}.0"
        assert server.admin("PUT", target + ("" if path in ("revisions", "sets") else "/draft"), menu).status == 201
        if path == "schedule":
            assert server.admin("POST", target + "/publish", {"at": "2098-01-01T00:00:00Z"}).status == 202
    seen, cursor = [], None
    while True:
        page = server.admin("GET", f"/apps/{app}/{path}?limit=200" + (f"&cursor={cursor}" if cursor else ""))
        assert page.status == 200 and len(page.body) <= (1 << 20) + 200
        assert json.loads(page.body).keys() == {"items", "next"}
        seen += [each["version"] for each in page.json["items"]]
        cursor = page.json["next"]
        if cursor is None:
            break
        assert len(page.body) > 900_000
    assert sorted(seen) == sorted(f"{number + 1}.0.0" for number in range(prepared))
    assert [each["version"] for each in read(server, f"/apps/{app}/{path}", "", 3)] == seen
