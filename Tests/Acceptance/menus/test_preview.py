"""The answer to a client before it is published: with static items, with items that do not fit, with drafts."""

from longpress import item


def preview(server, app, query):
    answer = server.admin("GET", f"/apps/{app}/preview?{query}")
    assert answer.status == 200, answer.body
    return answer.json


def test_a_preview_is_what_a_client_is_answered(server, app):
    server.admin("PUT", f"/apps/{app}/releases/2.0+7", {"staticItems": [{"type": "s", "title": "SEARCH"}]})
    items = [item(id, {"en": id, "ko": "가"}, url=f"notes://{id}") for id in "abcd"]
    server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": items})
    shown = preview(server, app, "version=2.1%2B9&lang=ko")
    assert shown["answer"] == server.shortcuts(app, "2.1", "?build=9&lang=ko").json
    assert [(each["kind"], each["title"], each["visible"]) for each in shown["menu"] + shown["hidden"]] == [
        ("static", "SEARCH", True), *[("dynamic", "가", True)] * 3, ("dynamic", "가", False)]  # fmt: skip
    older = preview(server, app, "version=1.0")
    assert (older["menu"], older["answer"], older["visibleBudget"]) == ([], None, 4)


def test_a_draft_is_seen_before_it_is_published_and_then_is_the_same(server, app):
    server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [item("a")]})
    server.admin("PUT", f"/apps/{app}/sets/2.1/draft", {"items": [item("b", {"en": "B", "ko": "비"}, replaces=["a"])]})
    assert preview(server, app, "version=2.1")["menu"][0]["id"] == "a"
    shown = preview(server, app, "version=2.1&lang=ko&draft=true")
    assert shown["draft"] is True and shown["menu"][0]["title"] == "비"
    assert preview(server, app, "version=2.0.9&draft=true")["draft"] is False
    simulated = [server.admin("GET", f"/apps/{app}/simulate?from=2.0&to=2.1&draft={draft}").json for draft in ("false", "true")]
    assert [each["menu"][0]["tap"]["outcome"] for each in simulated] == ["current", "replaced"]
    server.admin("POST", f"/apps/{app}/sets/2.1/publish", {})
    assert preview(server, app, "version=2.1&lang=ko") == {**shown, "draft": False}


def test_what_a_preview_refuses(server, app):
    for query, code in [("", "invalid-parameter"), ("version=x", "invalid-version"), ("version=1&draft=maybe", "invalid-parameter"),
                        ("version=1&lang=%21", "invalid-parameter"), ("version=1&audience=A", "invalid-parameter")]:  # fmt: skip
        assert server.admin("GET", f"/apps/{app}/preview?{query}").code == code
