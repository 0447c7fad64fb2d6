"""Lists that are filtered: what matches, in full pages, once; and what is said to a filter that cannot be meant."""

import pytest

from longpress import item


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
    ("/apps?sort=size", "Use one of: id, name, publishedAt."), ("/apps?sort=", "sort: "), ("/apps?q=a%0ab", "q: "), ("/apps?q=" + "a" * 101, "q: "),
    ("/apps/com.example.a/revisions?version=x", "version: "), ("/apps/com.example.a/revisions?version=1.0%2B5", "version: "),
    ("/apps/com.example.a/revisions?audience=Everyone", "audience: "), ("/apps?cursor=YXBwcwoA", "cursor: "),
])
def test_a_filter_that_cannot_be_meant_is_refused(server, target, said):
    server.admin("PUT", "/apps/com.example.a", {"defaultLanguage": "en"})
    answer = server.admin("GET", target)
    assert (answer.status, answer.code) == (400, "invalid-parameter") and said in answer.json["detail"], answer.body


def test_a_scoped_owner_filters_by_its_own_apps_only(written):
    server, _ = written
    scoped = server.admin("POST", "/tokens", {"name": "scoped", "role": "owner", "apps": ["com.example.a"]}).json["token"]
    assert {entry["app"] for entry in read(server, "/audit", "app=com.example.a", 50, scoped)} == {"com.example.a"}
    for app in ["com.example.b", "com.example.never"]:
        assert server.admin("GET", f"/audit?app={app}", token=scoped).code == "forbidden"
