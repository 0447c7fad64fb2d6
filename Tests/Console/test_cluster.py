"""The console with three nodes on PostgreSQL: each node answers like one service."""

import pytest

from cluster import Cluster
from longpress import item
from playwright.sync_api import expect
from rooms import editor, entered, item_of, publish, published_revision, saved, write

APP = "com.example.nodes"


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster.nodes
    cluster.stop()


@pytest.fixture(scope="module")
def server(nodes):
    """The first node, which the other fixtures use."""
    items = [item(id, {"en": id.upper()}, url=f"mail://{id}") for id in "abc"]
    assert nodes[0].admin("PUT", f"/apps/{APP}", {"defaultLanguage": "en", "name": "Mail"}).status == 201
    assert nodes[0].admin("PUT", f"/apps/{APP}/sets/1.0", {"items": items}).status == 201
    return nodes[0]


@pytest.fixture(scope="module")
def console(server):
    return console_of(server)


def console_of(node):
    return "http://{}:{}/console/".format(*node.address)


def title(page, id):
    return item_of(page, id).get_by_role("textbox", name="Title (en)", exact=True)


def test_a_session_is_one_of_every_node(enter, nodes):
    # The nodes are ports of one host, and cookies ignore ports.
    page = enter()
    for node in nodes[1:]:
        page.goto(console_of(node) + f"#/apps/{APP}")
        page.get_by_role("heading", level=1, name="Mail").or_(page.get_by_role("heading", level=1, name=APP)).wait_for()
        assert page.get_by_label("Token").count() == 0


def test_what_is_published_at_another_node_is_heard(enter, nodes):
    page = enter(place=f"#/apps/{APP}/sets/1.0.0/default")
    nodes[1].admin("PATCH", f"/apps/{APP}/sets/1.0/items/b", {"title": {"en": "Heard"}})
    expect(title(page, "b")).to_have_value("Heard")


def test_editors_at_two_nodes_lose_nothing(enter, nodes):
    here = enter(place=f"#/apps/{APP}/sets/1.0.0/default")
    there = enter()
    there.goto(editor(console_of(nodes[2]), APP))
    entered(there)
    write(here, "a", "Title (en)", "From here")
    saved(here)
    write(there, "c", "Title (en)", "From there")
    saved(there)
    publish(here)
    published = published_revision(here)
    titles = [shown["localizedTitle"] for shown in nodes[1].shortcuts(APP, "1.0", f"?revision={published}").json["items"]]
    assert (titles[0], titles[2]) == ("From here", "From there")


@pytest.mark.parametrize("place", [f"#/apps/{APP}/sets/1.0.0/default", "#/about"])
def test_a_token_that_is_revoked_at_another_node_is_out_of_an_idle_page(place, enter, nodes):
    made = nodes[0].admin("POST", "/tokens", {"name": f"gone from {place}", "role": "editor"}).json
    page = enter(made["token"], place=place)
    # The stream is open: otherwise the page would only notice at its next request.
    with page.expect_response("**/admin/v1/stream*"):
        page.reload()
    entered(page)
    assert nodes[2].admin("DELETE", f"/tokens/{made['id']}").status == 204
    page.get_by_label("Token").wait_for()
