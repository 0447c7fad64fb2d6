"""How the tests find elements: by role and accessible name."""


def editor(console, app, version="1.0.0", audience="default"):
    return f"{console}#/apps/{app}/sets/{version}/{audience}"


def entered(page):
    """Waits until the page of the address has read its data."""
    # The browser reports a change after # in a separate task.
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    page.locator("main:not([aria-busy]) > :not([aria-busy])").first.wait_for()


def item_of(page, id):
    return page.get_by_role("list", name="Items").get_by_role("group", name=f"Item {id}", exact=True)


def write(page, id, field, text):
    """Fills a field of an item, such as `Title (en)`."""
    item_of(page, id).get_by_role("textbox", name=field, exact=True).fill(text)


def add_item(page, title, id=None):
    """Adds an item. Its id comes from the title."""
    page.get_by_role("button", name="Add item").click()
    page.keyboard.type(title)
    page.keyboard.press("Tab")
    item_of(page, id or title).wait_for()


def advanced(page, id):
    """The fields for developers, unfolded."""
    details = item_of(page, id).locator("details.more")
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    return details


def decision(page, title):
    """What a tap on a removed item does."""
    return page.get_by_role("table", name="Removed items").get_by_role("combobox", name=f"A tap on {title}", exact=True)


def saved(page):
    page.locator(".saving.saved").wait_for()


def publish(page):
    """Clicks Publish now, which may open a conflict."""
    page.get_by_role("button", name="Publish…").click()
    page.get_by_role("dialog", name="Publish").get_by_role("button", name="Publish now").click()


def published_revision(page):
    page.wait_for_url("**/revisions/*")
    return int(page.url.rsplit("/", 1)[1].split("?")[0])


def menu(page):
    """The titles on the phone, from top to bottom."""
    rows = page.get_by_role("region", name="Preview").get_by_role("list", name="Menu").get_by_role("listitem")
    return rows.locator(".title").all_text_contents()
