/** The revisions of an app, their differences, restoring them, and the audit. */
import { path } from "../api/client.js";
import { getApp, getRevision, listReleases, listSets } from "../api/apps.js";
import { page } from "../api/lists.js";
import { refusal } from "../api/session.js";
import { difference } from "../menus/difference.js";
import { menuOf, releaseFor } from "../menus/shown.js";
import { guarded } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button, emptyPlace } from "../page/controls.js";
import { element } from "../page/element.js";
import { logTime } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { address, note } from "../page/router.js";
import { row, table } from "../page/table.js";
import { menuPanel } from "../phone/menu-rows.js";
import { strings } from "../strings.js";
import { direction } from "../values/language.js";
import { appFrame, newSetButton, setName } from "./app-frame.js";
import { askToRestore, changeOf, messageLine, restoredBy } from "./revision.js";

/** @typedef {AuditEntry & {times: number}} Line */

class HistoryRoom extends Room {
  /** @type {Map<number, Revision>} */
  #revisions = new Map();
  /** @type {{from?: number, to?: number}} */
  #compared = {};
  /** @type {App} */
  app;
  /** @type {Release[]} */
  releases;
  /**
   * The published sets.
   * @type {SetSummary[]}
   */
  sets;
  /**
   * Their revisions.
   * @type {Set<number>}
   */
  live;
  /**
   * The shares of running roll-outs, by revision.
   * @type {Map<number | undefined, number | undefined>}
   */
  running;
  /** @type {HTMLElement} */
  comparison;

  async open() {
    const { app, query } = this.place;
    [this.app, this.releases] = await Promise.all([
      getApp(app, { signal: this.signal }), listReleases(app, { signal: this.signal }),
    ]);
    const read = async (/** @type {string | null} */ cursor = null) => {
      const answer = await page(path`/apps/${app}/revisions`, { cursor, signal: this.signal });
      for (const revision of answer.items) this.#revisions.set(revision.revision, revision);
      return answer;
    };
    // The audit names restored revisions.
    const first = await read();
    const [audit, sets] = await Promise.all([this.#audit(), listSets(app, { signal: this.signal })]);
    this.sets = sets;
    this.live = new Set(sets.map(({ revision }) => revision));
    this.running = new Map(sets.map(({ rollout }) => [rollout?.revision, rollout?.share]));
    const frame = appFrame(app, "history");
    /** @type {Revision | undefined} */
    const newest = first.items[0];
    if (!newest) {
      return this.show(
        strings.app.history, frame, emptyPlace(strings.history.empty, newSetButton(app, strings.timeline.first)), audit,
      );
    }
    const rows = element("tbody", {});
    const more = pagedList(first, read, (revision) => this.#row(revision), {}, { rows });
    this.comparison = element("section", { class: "comparison", "aria-label": strings.history.difference });
    this.show(strings.app.history, frame,
      element("div", { class: "beside" },
        element(
          "div", {}, tableOf(strings.history.revisions, strings.history.table, strings.history.columns, rows), more,
        ),
        this.comparison),
      audit);
    this.#compared = {};
    await this.#choose({
      to: Number(query.get("to")) || newest.revision,
      from: Number(query.get("from")) || this.#formerOf(newest)?.revision,
    });
  }

  /**
   * The previous revision of the same set in the list.
   * @param {Revision} revision
   */
  #formerOf({ revision, version, audience }) {
    return [...this.#revisions.values()].find(
      (each) => each.revision < revision && each.version === version && each.audience === audience
    );
  }

  /** @param {Revision} revision */
  #row(revision) {
    const name = setName(revision.version, revision.audience);
    const radio = (/** @type {"from" | "to"} */ side) => element("input", {
      type: "radio", name: `compare-${side}`, value: revision.revision,
      checked: this.#compared[side] === revision.revision,
      "aria-label": strings.history[side](revision.revision),
      on: { change: guarded(() => this.#choose({ [side]: revision.revision })) },
    });
    const restore = button(strings.history.restore, guarded(() => this.#restore(revision)), {
      kind: "quiet", refusal: refusal("publisher") ?? this.#pointless(revision),
      "aria-description": strings.history.named(revision.revision, name, revision.by),
    });
    const link = element("a", {
      href: address(["apps", this.place.app, "revisions", String(revision.revision)]),
      "aria-label": strings.history.open(revision.revision),
    }, revision.revision);
    const badge = (/** @type {string} */ text) => [" ", element("span", { class: "badge" }, text)];
    return element("tr", { "data-revision": revision.revision },
      element("td", { class: "number" }, link),
      element("td", {}, name,
        this.live.has(revision.revision) && badge(strings.history.live), messageLine(revision)),
      element("td", {}, logTime(revision.publishedAt)),
      element(
        "td", { class: "change" }, changeOf(revision, restoredBy(revision, this.#revisions.values())),
        revision.kind === "candidate" && badge(strings.history.runs(this.running.get(revision.revision))),
        revision.importedBy && badge(strings.history.importedBy(revision.importedBy)),
      ),
      element("td", { class: "compare", "data-side": strings.history.columns[4] }, radio("from")),
      element("td", { class: "compare", "data-side": strings.history.columns[5] }, radio("to")),
      element("td", {}, restore));
  }

  /**
   * Why a revision cannot be restored; null if it can.
   * @param {Revision} revision
   */
  #pointless({ kind, revision }) {
    if (kind === "deleted") return strings.history.nothingToRestore;
    return this.live.has(revision) ? strings.history.isLive : null;
  }

  /**
   * The menu of a revision, with the static items of its version.
   * @param {Revision} revision @param {string} name
   */
  #menu(revision, name) {
    const { defaultLanguage } = this.app;
    const statics = releaseFor(revision.version, this.releases)?.staticItems ?? [];
    const { shown } = menuOf(revision.set ?? { items: [] }, statics, defaultLanguage, defaultLanguage);
    return element("figure", {}, element("figcaption", {}, name), revision.set
      ? shown.length > 0
        ? menuPanel(shown, { name, direction: direction(defaultLanguage) })
        : element("p", { class: "hint" }, strings.phone.noMenu)
      : element("p", { class: "hint" }, strings.history.noSet));
  }

  /**
   * Compares two revisions.
   * @param {{from?: number, to?: number}} chosen
   */
  async #choose(chosen) {
    Object.assign(this.#compared, chosen);
    const { from, to } = this.#compared;
    /** @type {NodeListOf<HTMLInputElement>} */
    const radios = this.querySelectorAll("input[type=radio]");
    for (const radio of radios) radio.checked = Number(radio.value) === (radio.name === "compare-from" ? from : to);
    note({ from, to });
    const [older, newer] = await Promise.all([from, to].map((number) => (number ? this.#read(number) : null)));
    if (from !== this.#compared.from || to !== this.#compared.to || !newer) return;
    const line = (/** @type {Revision} */ { revision, version, audience, by }) =>
      strings.history.named(revision, setName(version, audience), by);
    const isOther = older && setName(older.version, older.audience) !== setName(newer.version, newer.audience);
    this.comparison.replaceChildren(
      element("h2", {}, strings.history.difference),
      older
        ? element("dl", {},
          element("dt", {}, strings.gap.from), element("dd", {}, line(older)), element("dt", {}, strings.gap.to),
          element("dd", {}, line(newer)))
        : element("p", {}, strings.history.alone(line(newer))),
      ...(isOther ? [element("p", { class: "hint" }, strings.history.otherSets)] : []),
      element("div", { class: "before-after" },
        ...(older ? [older, newer] : [newer]).map((each) => this.#menu(each, strings.revision.title(each.revision)))),
      newer.kind === "deleted"
        ? element("p", {}, strings.history.deletedSet(setName(newer.version, newer.audience)), " ", element("a", {
          href: address(["apps", this.place.app, "revisions", String(newer.revision)]),
        }, strings.revision.title(newer.revision)))
        : changeWords(difference(older?.set, newer.set), this.app),
      element("p", { class: "hint" }, strings.history.choose),
    );
  }

  /**
   * A revision, which the list may not show yet.
   * @param {number} number
   */
  async #read(number) {
    const revision = this.#revisions.get(number)
      ?? (await getRevision(this.place.app, number, { signal: this.signal }));
    this.#revisions.set(number, revision);
    return revision;
  }

  /** @param {Revision} revision */
  async #restore(revision) {
    const live = this.sets.find(
      ({ version, audience }) => version === revision.version && audience === revision.audience
    );
    askToRestore(this.app, this.releases, revision, live ? await this.#read(live.revision) : null);
  }

  async #audit() {
    const heading = element("h2", {}, strings.history.audit);
    if (refusal("owner", { everyApp: true })) {
      return element("section", {}, heading, element("p", { class: "hint" }, strings.history.auditOwners));
    }
    const rows = element("tbody", {});
    const folded = async (/** @type {string | null} */ cursor = null) => {
      const answer = await page("/audit", { cursor, query: { app: this.place.app }, signal: this.signal });
      return { ...answer, items: foldSaves(answer.items) };
    };
    const restoredIn = (/** @type {Line} */ { action, revision }) => {
      const made = action === "set.published" && this.#revisions.get(Number(revision));
      return made ? restoredBy(made, this.#revisions.values()) : null;
    };
    const more = pagedList(await folded(), folded, (entry) => auditRow(entry, restoredIn(entry)), {}, { rows });
    return element("section", {}, heading, element("p", { class: "hint" }, strings.history.auditHint),
      table(strings.history.audit, strings.history.auditColumns, rows), more);
  }
}

/**
 * Combines consecutive saves of a draft by one token, because a draft saves itself at each pause of typing.
 * @param {AuditEntry[]} entries
 * @returns {Line[]}
 */
function foldSaves(entries) {
  /** @type {Line[]} */
  const folded = [];
  for (const entry of entries) {
    const last = folded.at(-1);
    const again = last
      && entry.action === "draft.saved"
      && /** @type {(keyof AuditEntry)[]} */ (["action", "token", "version", "audience"])
      .every((member) => entry[member] === last[member]);
    if (again) last.times++;
    else folded.push({ ...entry, times: 1 });
  }
  return folded;
}

/** @param {Line} entry @param {number | null} restored */
function auditRow(entry, restored) {
  /** @type {Record<string, string>} */
  const actions = strings.history.actions;
  const what = [
    entry.version, entry.audience && entry.audience !== "default" ? entry.audience : null,
    entry.revision ? strings.timeline.revision(entry.revision) : null,
  ].filter(Boolean).join(" · ");
  return row(strings.history.auditColumns, [
    logTime(entry.at), element("bdi", {}, entry.token),
    [
      restored ? strings.history.restored(restored) : actions[entry.action] ?? strings.history.otherAction,
      entry.times > 1 && strings.history.times(entry.times),
    ], what,
    [entry.reason, entry.message].filter(Boolean).join(" · "),
  ]);
}

/** @param {string} name @param {string} region @param {string[]} columns @param {HTMLElement} rows */
function tableOf(name, region, columns, rows) {
  const heads = columns.map((column) => element("th", { scope: "col" }, column));
  const made = element(
    "table", { "aria-label": name, class: "revisions" }, element("thead", {}, element("tr", {}, ...heads)), rows,
  );
  return element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": region }, made);
}

customElements.define("lp-history", HistoryRoom);
