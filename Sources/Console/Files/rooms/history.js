/** The revisions of an app, the difference of any two, the way back, and the audit beside it. */
import { follow, noteOwn } from "../api/live.js";
import { path } from "../api/client.js";
import { getApp, getRevision, listReleases, listSets, restoreRevision } from "../api/apps.js";
import { page } from "../api/lists.js";
import { refusal } from "../api/session.js";
import { difference } from "../menus/difference.js";
import { menuOf, releaseFor } from "../menus/shown.js";
import { announce, guarded } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button, emptyPlace } from "../page/controls.js";
import { openDialog } from "../page/dialog.js";
import { element } from "../page/element.js";
import { logTime } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { address, go, note } from "../page/router.js";
import { menuPanel } from "../phone/menu-rows.js";
import { strings } from "../strings.js";
import { direction } from "../values/language.js";
import { appFrame, setName } from "./app-frame.js";

/** Entries of the audit that are read at most to find some of this app. */
const MOST_SEARCHED = 2000;

class HistoryRoom extends Room {
  #revisions = new Map();
  #compared = {};

  async open() {
    const { app, query } = this.place;
    [this.app, this.releases] = await Promise.all([getApp(app, { signal: this.signal }), listReleases(app, { signal: this.signal })]);
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
    const [first, audit, sets] = await Promise.all([read(), this.#audit(), listSets(app, { signal: this.signal })]);
    this.live = new Set(sets.map(({ revision }) => revision));
    const frame = appFrame(app, "history");
    this.newest = first.items[0];
    if (!this.newest) return this.show(strings.app.history, frame, emptyPlace(strings.history.empty), audit);
    const rows = element("tbody", {});
    const more = pagedList(first, read, (revision) => this.#row(revision), {}, { rows });
    this.comparison = element("section", { class: "comparison", "aria-label": strings.history.difference });
    this.show(strings.app.history, frame,
      element("div", { class: "beside" },
        element("div", {}, tableOf(strings.history.revisions, strings.history.table, strings.history.columns, rows, "revisions"), more), this.comparison),
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
      kind: "quiet", refusal: refusal("publisher") ?? this.#pointless(revision),
      "aria-description": strings.history.named(revision.revision, name, revision.by),
    });
    const link = element("a", {
      href: address(["apps", this.place.app, "revisions", String(revision.revision)]), "aria-label": strings.history.open(revision.revision),
    }, revision.revision);
    const badge = (text) => [" ", element("span", { class: "badge" }, text)];
    return element("tr", { "data-revision": revision.revision },
      element("td", { class: "number" }, link),
      element("td", {}, name, revision.kind === "deleted" && badge(strings.history.deleted), this.live.has(revision.revision) && badge(strings.history.live)),
      element("td", {}, logTime(revision.publishedAt)), element("td", {}, element("bdi", {}, revision.by)),
      element("td", { class: "compare", "data-side": strings.gap.from }, radio("from")),
      element("td", { class: "compare", "data-side": strings.gap.to }, radio("to")), element("td", {}, restore));
  }

  /** Why restoring a revision would do nothing; null where it does something. */
  #pointless({ kind, revision }) {
    if (kind === "deleted") return strings.history.nothingToRestore;
    return this.live.has(revision) ? strings.history.isLive : null;
  }

  /** The menu that a revision is, with the static items of its version. */
  #menu(revision, name) {
    const { defaultLanguage } = this.app;
    const statics = releaseFor(revision.version, this.releases)?.staticItems ?? [];
    const { shown } = menuOf(revision.set ?? { items: [] }, statics, defaultLanguage, defaultLanguage);
    return element("figure", {}, element("figcaption", {}, name), revision.set
      ? shown.length > 0 ? menuPanel(shown, { name, direction: direction(defaultLanguage) }) : element("p", { class: "hint" }, strings.phone.noMenu)
      : element("p", { class: "hint" }, strings.history.noSet));
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
    const isOther = older && setName(older.version, older.audience) !== setName(newer.version, newer.audience);
    this.comparison.replaceChildren(
      element("h2", {}, strings.history.difference),
      older
        ? element("dl", {}, element("dt", {}, strings.gap.from), element("dd", {}, line(older)), element("dt", {}, strings.gap.to), element("dd", {}, line(newer)))
        : element("p", {}, strings.history.alone(line(newer))),
      ...(isOther ? [element("p", { class: "hint" }, strings.history.otherSets)] : []),
      element("div", { class: "before-after" }, ...[older, newer].filter(Boolean).map((each) => this.#menu(each, strings.revision.title(each.revision)))),
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
    const { app } = this.place;
    const standing = [...this.#revisions.values()].find((each) => this.live.has(each.revision) && setName(each.version, each.audience) === name);
    const restore = async () => {
      try {
        const made = (await restoreRevision(app, revision.revision)).revision;
        noteOwn(app, made);
        opened.close();
        announce(strings.history.restored(revision.revision, made));
        go(["apps", app, "revisions", String(made)]);
      } catch (error) {
        opened.fail(error);
      }
    };
    const opened = openDialog(strings.history.restoreTitle(revision.revision), {
      content: [
        element("p", {}, strings.history.restoreText(revision.revision, name)),
        element("div", { class: "before-after" }, standing && this.#menu(standing, strings.publish.before), this.#menu(revision, strings.publish.after)),
      ],
      actions: [button(strings.history.restore, null, { kind: "primary", type: "submit" })],
      submit: restore,
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
    const folded = async (cursor) => {
      const answer = await read(cursor);
      return { ...answer, items: foldSaves(answer.items) };
    };
    const more = pagedList(await folded(), folded, auditRow, {}, { rows });
    return element("section", {}, heading, element("p", { class: "hint" }, strings.history.auditHint),
      tableOf(strings.history.audit, strings.history.auditTable, strings.history.auditColumns, rows, "wraps"), more);
  }
}

/** A draft saves itself at each pause of typing: saves of one draft by one token that follow each other are one line. */
function foldSaves(entries) {
  const folded = [];
  for (const entry of entries) {
    const last = folded.at(-1);
    const again = last && ["action", "token", "version", "audience"].every((member) => entry[member] === last[member]) && entry.action === "draft.saved";
    if (again) last.times++;
    else folded.push({ ...entry, times: 1 });
  }
  return folded;
}

function auditRow(entry) {
  const what = [
    entry.version, entry.audience && entry.audience !== "default" ? entry.audience : null,
    entry.revision ? strings.timeline.revision(entry.revision) : null,
  ].filter(Boolean).join(" · ");
  return element("tr", {}, element("td", {}, logTime(entry.at)), element("td", {}, element("bdi", {}, entry.token)),
    element("td", {}, strings.history.actions[entry.action] ?? entry.action, entry.times > 1 && strings.history.times(entry.times)),
    element("td", {}, what), element("td", { class: "long" }, entry.reason ?? ""));
}

function tableOf(name, region, columns, rows, kind = null) {
  const heads = columns.map((column) => element("th", { scope: "col" }, column));
  const table = element("table", { "aria-label": name, class: kind }, element("thead", {}, element("tr", {}, ...heads)), rows);
  return element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": region }, table);
}

customElements.define("lp-history", HistoryRoom);
