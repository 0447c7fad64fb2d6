/** The revisions of an app, the difference of any two, the way back, and the audit beside it. */
import { follow, noteOwn } from "../api/live.js";
import { path } from "../api/client.js";
import { getApp, getRevision, restoreRevision } from "../api/apps.js";
import { page } from "../api/lists.js";
import { refusal } from "../api/session.js";
import { difference } from "../menus/difference.js";
import { announce, guarded } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button, emptyPlace } from "../page/controls.js";
import { confirm } from "../page/dialog.js";
import { element } from "../page/element.js";
import { logTime } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { address, go, note } from "../page/router.js";
import { strings } from "../strings.js";
import { appFrame, setName } from "./app-frame.js";

/** Entries of the audit that are read at most to find some of this app. */
const MOST_SEARCHED = 2000;

class HistoryRoom extends Room {
  #revisions = new Map();
  #compared = {};

  async open() {
    const { app, query } = this.place;
    this.app = await getApp(app, { signal: this.signal });
    await this.#draw();
    if (this.comparison) {
      await this.#choose({ to: Number(query.get("to")) || this.newest.revision });
      await this.#choose({ from: Number(query.get("from")) || this.#formerOf(this.newest)?.revision });
    }
    follow(app, this.signal, guarded(async () => {
      await this.#draw();
      await this.#choose({ to: this.#compared.to ?? this.newest?.revision });
    }));
  }

  async #draw() {
    const { app } = this.place;
    const read = (cursor) => page(path`/apps/${app}/revisions`, { cursor, signal: this.signal });
    const [first, audit] = [await read(), await this.#audit()];
    const frame = appFrame(app, "history");
    this.newest = first.items[0];
    if (!this.newest) return this.show(strings.app.history, frame, emptyPlace(strings.history.empty), audit);
    const rows = element("tbody", {});
    const more = pagedList(first, read, (revision) => this.#row(revision), {}, { rows });
    this.comparison = element("section", { class: "comparison", "aria-label": strings.history.difference });
    this.show(strings.app.history, frame,
      element("div", { class: "beside" },
        element("div", {}, tableOf(strings.history.revisions, strings.history.table, strings.history.columns, rows), more), this.comparison),
      audit);
  }

  /** The revision before, of the same set, among those that are shown. */
  #formerOf({ revision, version, audience }) {
    return [...this.#revisions.values()].find((each) => each.revision < revision && each.version === version && each.audience === audience);
  }

  #row(revision) {
    this.#revisions.set(revision.revision, revision);
    const name = setName(revision.version, revision.audience);
    const radio = (side) => element("input", {
      type: "radio", name: `compare-${side}`, value: revision.revision, checked: this.#compared[side] === revision.revision,
      "aria-label": strings.history[side](revision.revision), on: { change: guarded(() => this.#choose({ [side]: revision.revision })) },
    });
    const restore = button(strings.history.restore, () => this.#restore(revision, name), {
      kind: "quiet", refusal: refusal("publisher") ?? (revision.kind === "deleted" ? strings.history.nothingToRestore : null),
      "aria-description": strings.history.named(revision.revision, name, revision.by),
    });
    const link = element("a", {
      href: address(["apps", this.place.app, "revisions", String(revision.revision)]), "aria-label": strings.history.open(revision.revision, name),
    }, name);
    return element("tr", { "data-revision": revision.revision },
      element("td", { class: "number" }, revision.revision),
      element("td", {}, link, revision.kind === "deleted" && [" ", element("span", { class: "badge" }, strings.history.deleted)]),
      element("td", {}, logTime(revision.publishedAt)), element("td", {}, revision.by),
      element("td", { class: "compare" }, radio("from")), element("td", { class: "compare" }, radio("to")), element("td", {}, restore));
  }

  /** Compares two revisions. @param {{from?: number, to?: number}} chosen */
  async #choose(chosen) {
    Object.assign(this.#compared, chosen);
    const { from, to } = this.#compared;
    for (const side of ["from", "to"]) {
      for (const radio of this.querySelectorAll(`input[name="compare-${side}"]`)) radio.checked = Number(radio.value) === this.#compared[side];
    }
    note({ from, to });
    const [older, newer] = await Promise.all([from, to].map((number) => number && this.#read(number)));
    if (from !== this.#compared.from || to !== this.#compared.to || !newer) return;
    const line = (revision) => strings.history.named(revision.revision, setName(revision.version, revision.audience), revision.by);
    this.comparison.replaceChildren(
      element("h2", {}, strings.history.difference),
      older
        ? element("dl", {}, element("dt", {}, strings.gap.from), element("dd", {}, line(older)), element("dt", {}, strings.gap.to), element("dd", {}, line(newer)))
        : element("p", {}, strings.history.alone(line(newer))),
      changeWords(difference(older?.set, newer.set), this.app),
      element("p", { class: "hint" }, strings.history.choose),
    );
  }

  /** A revision of the list, or of an address that names one that is not shown yet. */
  async #read(number) {
    if (!this.#revisions.has(number)) {
      const read = await getRevision(this.place.app, number, { signal: this.signal });
      this.#revisions.set(number, read);
    }
    return this.#revisions.get(number);
  }

  #restore(revision, name) {
    confirm(strings.history.restoreTitle(revision.revision), strings.history.restoreText(revision.revision, name), strings.history.restore, async () => {
      const made = (await restoreRevision(this.place.app, revision.revision)).revision;
      noteOwn(this.place.app, made);
      announce(strings.history.restored(revision.revision, made));
      go(["apps", this.place.app, "revisions", String(made)]);
    });
  }

  /** The audit is of all apps: pages without an entry of this one are passed over. */
  async #audit() {
    const heading = element("h2", {}, strings.history.audit);
    if (refusal("owner", { everyApp: true })) return element("section", {}, heading, element("p", { class: "hint" }, strings.history.auditOwners));
    const read = async (cursor) => {
      const items = [];
      let [next, searched] = [cursor, 0];
      do {
        const answer = await page("/audit", { cursor: next, limit: 200, signal: this.signal });
        items.push(...answer.items.filter((entry) => entry.app === this.place.app || entry.changes?.some(({ app }) => app === this.place.app)));
        searched += answer.items.length;
        next = answer.next;
      } while (next && items.length < 25 && searched < MOST_SEARCHED);
      return { items, next };
    };
    const rows = element("tbody", {});
    const more = pagedList(await read(), read, auditRow, {}, { rows });
    return element("section", {}, heading, element("p", { class: "hint" }, strings.history.auditHint),
      tableOf(strings.history.audit, strings.history.auditTable, strings.history.auditColumns, rows), more);
  }
}

function auditRow(entry) {
  const what = [
    entry.version, entry.audience && entry.audience !== "default" ? entry.audience : null,
    entry.revision ? strings.timeline.revision(entry.revision) : null,
  ].filter(Boolean).join(" · ");
  return element("tr", {}, element("td", {}, logTime(entry.at)), element("td", {}, entry.token), element("td", {}, element("code", {}, entry.action)),
    element("td", {}, what), element("td", { class: "long" }, entry.reason ?? ""));
}

function tableOf(name, region, columns, rows) {
  const heads = columns.map((column) => element("th", { scope: "col" }, column));
  const table = element("table", { "aria-label": name }, element("thead", {}, element("tr", {}, ...heads)), rows);
  return element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": region }, table);
}

customElements.define("lp-history", HistoryRoom);
