"""The comment of `plan --format github`, rendered by GitHub's own Markdown library."""

import html.parser
import re
import urllib.parse

import cmarkgfm
from cmarkgfm.cmark import Options

from longpress import instant, item
from remote import remote
from test_remote_trees import Tree, catalog, everything, token, tree  # noqa: F401


class Page(html.parser.HTMLParser):
    """The elements of a page, and the text outside of code, in which GitHub looks for mentions, references and emoji."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.prose, self.depth = set(), "", 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)
        self.depth += tag == "code"

    def handle_endtag(self, tag):
        self.depth -= tag == "code"

    def handle_data(self, data):
        if not self.depth:
            self.prose += data


def rendered(comment):
    return cmarkgfm.github_flavored_markdown_to_html(comment, options=Options.CMARK_OPT_UNSAFE)


def comment(server, tree, *arguments):
    status, out, err = remote(server, "plan", tree.folder, "--format", "github", *arguments)
    return status, out, err


def test_a_comment_says_what_a_product_manager_needs(server, mail, tree, tmp_path):
    sets = f"/apps/{mail}/sets"
    server.admin("PUT", f"/apps/{mail}", {"name": "Mail", "defaultLanguage": "en", "fallbackURL": "mail://home"})
    server.admin("PUT", f"{sets}/1.0?audience=member", {"items": [item("a", {"en": "Inbox"})]})
    assert remote(server, "pull", tree.folder, "--app", mail)[0] == 0
    assert remote(server, "apply", tree.folder)[0] == 0
    status, out, _ = comment(server, tree)
    assert status == 0 and out == "### Menus\n\nNothing changes.\n\n"

    # A campaign that git does not know, a removal without a rule, and a conflict.
    author = token(server, "publisher", mail)
    until = urllib.parse.quote(instant(3 * 86400))
    server.admin("PATCH", f"{sets}/1.0/items/a?audience=member&until={until}", {"title": {"en": "Sale"}}, author)
    path = f"{mail}/sets/2.0.0.json"
    document = tree.read(path)
    removed = document["items"].pop(0)
    document["items"].append(item("new", {"en": "New message"}))
    tree.write(path, document)
    status, out, err = comment(server, tree)
    assert status == 2, err
    title = removed["title"]["en"]
    assert "**The menu of 2.0.0 for everyone changes.**\n\nFor versions from 2.0.0 on.\n" in out
    assert f"- `{title}` is removed without a rule: a tap opens `mail://home`.\n- `New message` is new." in out
    assert f"- A tap on `{title}` (id `{removed['id']}`) opens `mail://home`.\n" in out
    assert re.search(r"- The menu of 1\.0\.0 for `member` was changed by `publisher \d+` on \d+ \w+ \d{4} at \d\d:\d\d UTC \(revision \d+\)\. "
                     r"It reverts automatically on \d+ \w+ \d{4} at \d\d:\d\d UTC, unless someone publishes before then\.\n"
                     r"  - Title `en` of `Sale`: ~~`Inbox`~~ → `Sale`\n", out), out
    page = Page(rendered(out))
    assert {"details", "summary", "del", "li"} <= page.elements

    # The comment of a tree with errors has them. The exit code is that of a failure.
    tree.write(path, {"items": [{"id": "a"}]})
    status, out, err = comment(server, tree)
    assert status == 1 and out.startswith("### Menus\n\nThe plan failed. Nothing can be applied.\n\n- ")
    assert "type is missing" in out and "type is missing" in err
    tree.write(path, b"<<<<<<< @all\n")
    status, out, _ = comment(server, tree)
    assert status == 1 and "2\\.0\\.0\\.json" in out and "@all" not in Page(rendered(out)).prose


HOSTILE = [
    "@octocat", "#12", "<img src=x>", "</summary></details>", "[a](https://x.y)", "https://x.y", "www.x.y", "a@x.y", "``` ` ``", "**b** _i_ ~~d~~",
    "| a | b |", "&lt;b&gt; &#64;all", ":tada:", "$a$", "\\`a\\`", "- a", "<!-- a", "0123456789abcdef0123456789abcdef01234567", "GH-1 a/b#2",
]


def test_text_of_menus_stays_text(server, mail, tree):
    """Every hostile text is in a title, a URL's neighbour, an id's rule, an app's name and a key; the page has no element of its own."""
    assert remote(server, "pull", tree.folder, "--app", mail)[0] == 0
    items = [item(f"i{number}", {"en": text[:100], "ko": text[::-1]}) for number, text in enumerate(HOSTILE)]
    tree.write(f"{mail}/sets/2.0.0.json", {"items": items})
    app = {"name": "<b>@all</b> `x` https://x.y", "defaultLanguage": "en"}
    tree.write(f"{mail}/app.json", app)
    status, out, err = comment(server, tree)
    assert status == 2, err
    page = rendered(out)
    assert Page(page).elements <= {"h3", "p", "details", "summary", "code", "strong", "ul", "li", "del"}, Page(page).elements
    assert not re.search(r"@\w|#\w|https?:|www\.|:\w+:|\$|GH-1|[0-9a-f]{40}", Page(page).prose), Page(page).prose
    shown = html.unescape(re.sub(r"<[^>]+>", "", page))
    for text in HOSTILE:
        assert text in shown, text
    assert app["name"] in shown
    # The next plan says how they change, and finds removed titles on the service.
    assert remote(server, "apply", tree.folder)[0] == 0
    tree.write(f"{mail}/sets/2.0.0.json", {"items": [item("i0", {"en": "Plain"})]})
    status, out, _ = comment(server, tree)
    page = rendered(out)
    assert status == 2 and Page(page).elements <= {"h3", "p", "details", "summary", "code", "strong", "ul", "li", "del"}
    shown = html.unescape(re.sub(r"<[^>]+>", "", page))
    assert all(f"{text} is removed without a rule" in shown for text in HOSTILE[1:])
