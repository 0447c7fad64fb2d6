/** The revisions of an app, the difference of any two, the way back, and the audit beside it. */
import { noteOwn } from "../api/live.js";
import { path } from "../api/client.js";
import { restoreRevision } from "../api/apps.js";
import { page } from "../api/lists.js";
import { refusal } from "../api/session.js";
import { difference } from "../menus/difference.js";
import { announce } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button, emptyPlace } from "../page/controls.js";
import { confirm } from "../page/dialog.js";
import { element } from "../page/element.js";
import { timeElement } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { address, go, note } from "../page/router.js";
import { strings } from "../strings.js";
import { appFrame, setName } from "./app-frame.js";

class HistoryRoom extends Room {
  #revisions = new Map();
  #compared = { from: null, to: null };

  async open() {
    const { app } = this.place;
    const read = (cursor) => page(path`/apps/${app}/revisions`, { cursor, signal: this.signal });
    const first = await read();
    if (first.items.length === 0) return this.show(strings.app.history, appFrame(app, "history"), emptyPlace(strings.history.empty));
    const rows = element("tbody", {});
    const more = pagedList(first, read, (revision) => this.#row(revision), {}, { rows });
    const table = element(
      "table",
      { "aria-label": strings.history.revisions },
      element("thead", {}, element("tr", {}, ...strings.history.columns.map((name) => element("th", { scope: "col" }, name)))),
      rows,
    );
    this.comparison = element(
      "section",
      { class: "comparison", "aria-live": "polite" },
      element("h2", {}, strings.history.difference),
      element("p", { class: "hint" }, strings.history.choose),
    );
    this.show(strings.app.history, appFrame(app, "history"),
      element(
        "div",
        { class: "beside" },
        element(
          "div",
          {},
          element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": strings.history.table }, table),
          more,
        ),
        this.comparison,
      ), await this.#audit());
    const newest = first.items[0];
    const before = first.items.find(
      (revision) => revision !== newest && setName(revision.version, revision.audience) === setName(newest.version, newest.audience),
    );
    this.#choose("to", Number(this.place.query.get("to")) || newest.revision);
    this.#choose("from", Number(this.place.query.get("from")) || before?.revision || null);
  }

  #row(revision) {
    this.#revisions.set(revision.revision, revision);
    const name = setName(revision.version, revision.audience);
    const radio = (side) => element(
      "input",
      {
        type: "radio",
        name: `compare-${side}`,
        value: revision.revision,
        "aria-label": strings.history[side](revision.revision),
        on: { change: () => this.#choose(side, revision.revision) },
      },
    );
    const restore = button(strings.history.restore, () => this.#restore(revision, name), { kind: "quiet", refusal: refusal("publisher") });
    return element("tr", { "data-revision": revision.revision },
      element("td", { class: "number" }, revision.revision),
      element(
        "td",
        {},
        element(
          "a",
          {
            href: address(["apps", this.place.app, "revisions", String(revision.revision)]),
            "aria-label": strings.history.open(revision.revision),
          },
          name,
        ),
        revision.kind === "deleted" && element("span", { class: "badge" }, strings.history.deleted),
      ),
      element("td", {}, timeElement(revision.publishedAt)), element("td", {}, revision.by),
      element("td", { class: "compare" }, radio("from"), radio("to")), element("td", {}, restore));
  }

  #choose(side, number) {
    this.#compared[side] = number;
    for (const radio of this.querySelectorAll(`input[name="compare-${side}"]`)) radio.checked = Number(radio.value) === number;
    const { from, to } = this.#compared;
    note({ from, to });
    const [older, newer] = [this.#revisions.get(from), this.#revisions.get(to)];
    if (!newer) return;
    this.comparison.replaceChildren(
      element("h2", {}, strings.history.difference),
      element("p", {}, strings.history.compared(older, newer)),
      changeWords(difference(older?.set, newer.set)),
    );
  }

  #restore(revision, name) {
    confirm(strings.history.restoreTitle(revision.revision), strings.history.restoreText(revision.revision, name), strings.history.restore, async () => {
      const made = (await restoreRevision(this.place.app, revision.revision)).revision;
      noteOwn(this.place.app, made);
      announce(strings.history.restored(revision.revision, made));
      go(["apps", this.place.app, "revisions", String(made)]);
    });
  }

  async #audit() {
    if (refusal("owner")) return element(
      "section",
      {},
      element("h2", {}, strings.history.audit),
      element("p", { class: "hint" }, refusal("owner")),
    );
    const read = async (cursor) => {
      const answer = await page("/audit", { cursor, limit: 100, signal: this.signal });
      return { ...answer, items: answer.items.filter((entry) => entry.app === this.place.app) };
    };
    const rows = element("tbody", {});
    const draw = (entry) => element("tr", {}, element("td", {}, timeElement(entry.at)), element("td", {}, entry.token), element(
      "td",
      {},
      element("code", {}, entry.action),
    ),
      element(
        "td",
        {},
        [
          entry.version,
          entry.audience && entry.audience !== "default" ? entry.audience : null,
          entry.revision ? strings.timeline.revision(entry.revision) : null,
        ].filter(Boolean).join(" · "),
      ), element("td", {}, entry.detail?.reason ?? entry.reason ?? ""));
    const more = pagedList(await read(), read, draw, {}, { rows });
    const table = element(
      "table",
      { "aria-label": strings.history.audit },
      element("thead", {}, element("tr", {}, ...strings.history.auditColumns.map((name) => element("th", { scope: "col" }, name)))),
      rows,
    );
    return element(
      "section",
      {},
      element("h2", {}, strings.history.audit),
      element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": strings.history.auditTable }, table),
      more,
    );
  }
}

customElements.define("lp-history", HistoryRoom);
