/**
 * Three phones: before an update, after it but before the first launch, and after the first launch. Lines join each
 * row to the outcome of its tap. Arrow keys step through the pairs of versions.
 */
import { findDraft, getApp, listReleases, listSchedule, listSets, simulate } from "../api/apps.js";
import { get, path } from "../api/client.js";
import { refusal } from "../api/session.js";
import { judgedPairs, lossCauses } from "../menus/gap.js";
import { effectiveSet } from "../menus/shown.js";
import { alarm, announce, guarded } from "../page/announcements.js";
import { button, emptyPlace, field } from "../page/controls.js";
import { element, replaceChildren } from "../page/element.js";
import { pagedList } from "../page/paged-list.js";
import { isTyping } from "../page/keys.js";
import { shortTime } from "../page/format.js";
import { Room } from "../page/room.js";
import { note } from "../page/router.js";
import { phoneOf } from "../phone/phone.js";
import { strings } from "../strings.js";
import { compareVersions } from "../values/version.js";
import { appFrame, audiencesOf, newSetButton } from "./app-frame.js";
import { iconsOf } from "./gap-icons.js";
import { gapDecision, gapPlan } from "./gap-decision.js";
import {
  causeList, editorOf, lostTaps, notePlans, rowJoins, screenWithTaps, simulatedRow, tapList,
} from "./gap-list.js";
import { joinLines } from "./joins.js";
import { documentOf, forgottenItems, withDocuments } from "./set-documents.js";

const PAIRS_AT_ONCE = 24;
const MOST_NAMED = 6;

/** @typedef {import("../menus/gap.js").Pair} Pair */
/** @typedef {import("./gap-icons.js").IconOf} IconOf */
/** @typedef {ReturnType<typeof field>} Choice */

class UpdateGapRoom extends Room {
  /** @type {Pair[]} */
  #pairs = [];
  /** The number of pairs that lose a tap. */
  losing = 0;
  /** The loss of the shown pair as a sentence. */
  verdict = "";
  /** @type {App} */
  app;
  /** @type {SetSummary[]} */
  sets;
  /** @type {Release[]} */
  releases;
  /** @type {ScheduleEntry[]} */
  schedule;
  /**
   * Ascending.
   * @type {string[]}
   */
  versions;
  /** @type {Choice} */
  from;
  /** @type {Choice} */
  to;
  /** @type {Choice | null} */
  audience = null;
  /** @type {HTMLElement} */
  position;
  /**
   * The buttons to other pairs, and the position.
   * @type {HTMLElement[]}
   */
  walks;
  /** @type {HTMLElement} */
  pictures;
  /** @type {HTMLElement} */
  pairList;

  async open() {
    const { app, query } = this.place;
    const options = { signal: this.signal };
    [this.app, this.sets, this.releases, this.schedule] = await Promise.all([
      getApp(app, options), listSets(app, options), listReleases(app, options), listSchedule(app, options),
    ]);
    this.versions = [...new Set([...this.sets, ...this.releases].map(({ version }) => version))].sort(compareVersions);
    const frame = appFrame(app, "gap");
    if (this.versions.length < 2) {
      return this.show(strings.app.gap, frame, emptyPlace(strings.gap.empty, newSetButton(app)));
    }
    const select = (/** @type {string} */ label, /** @type {string} */ chosen) =>
      this.#select(label, this.versions, chosen);
    this.from = select(strings.gap.from, query.get("from") ?? this.versions[this.versions.length - 2]);
    this.to = select(strings.gap.to, query.get("to") ?? this.versions[this.versions.length - 1]);
    const audiences = audiencesOf(this.sets);
    this.audience = audiences.length > 1
      ? this.#select(strings.gap.audience, audiences, query.get("audience") ?? "default")
      : null;
    this.audience?.input.addEventListener("change", guarded(() => this.#judge()));
    this.position = element("p", { class: "pair-position" });
    this.walks = [
      button(strings.gap.previous, () => this.#walk(-1)), button(strings.gap.next, () => this.#walk(1)), this.position,
    ];
    // A single pair needs no way to others.
    for (const each of this.walks) each.hidden = this.versions.length < 3;
    this.pictures = element("div", { class: "gap" });
    this.pairList = element("div", {});
    this.show(strings.app.gap, frame,
      element(
        "p", { class: "hint gap-hint" }, strings.gap.hint, this.versions.length > 2 && strings.gap.walk,
      ),
      element("div", { class: "gap-choice" }, this.from.row, this.to.row, this.audience?.row,
        this.walks),
      this.pictures, this.pairList);
    addEventListener("keydown", (event) => this.#key(event), { signal: this.signal });
    // Without a pair in the address, the first pair is shown, which has the greatest loss.
    const chosen = query.has("from") || query.has("to");
    if (chosen) await this.#draw();
    await this.#judge();
    if (!chosen) await this.#choose(this.#pairs[0]);
  }

  /** @param {string} label @param {string[]} values @param {string} chosen */
  #select(label, values, chosen) {
    const made = field(label, { tag: "select" });
    made.input.append(
      ...values.map((value) => element("option", { value, selected: value === chosen }, strings.common.audience(value)))
    );
    made.input.addEventListener("change", guarded(async () => {
      await this.#draw();
      this.#tell();
    }));
    return made;
  }

  get #chosenAudience() {
    return this.audience?.input.value ?? this.sets[0]?.audience ?? "default";
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (
      isTyping(event.target) || event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog:modal")
    ) {
      return;
    }
    if (event.key === "ArrowRight") this.#walk(1);
    else if (event.key === "ArrowLeft") this.#walk(-1);
    else return;
    event.preventDefault();
  }

  /** @param {number} by */
  #walk(by) {
    const place = this.#position();
    const next = place < 0 ? 0 : (place + by + this.#pairs.length) % this.#pairs.length;
    if (!this.#pairs[next]) return;
    guarded(async () => {
      await this.#choose(this.#pairs[next]);
      this.#tell();
    })();
  }

  /** @param {Pair} pair */
  #choose({ from, to }) {
    this.from.input.value = from;
    this.to.input.value = to;
    return this.#draw();
  }

  /** Announces the chosen pair to screen readers. */
  #tell() {
    const place = this.#position();
    const where = place < 0 ? "" : strings.gap.position(place + 1, this.#pairs.length, this.losing);
    announce(
      [strings.gap.pair(this.from.input.value, this.to.input.value), where, this.verdict].join(" "), { quiet: true },
    );
  }

  /** The position of the chosen pair; -1 if it is not an update. */
  #position() {
    return this.#pairs.findIndex(({ from, to }) => from === this.from.input.value && to === this.to.input.value);
  }

  async #draw() {
    const [from, to, audience] = [this.from.input.value, this.to.input.value, this.#chosenAudience];
    note({ from, to, audience: this.audience && audience });
    this.#tellPosition();
    const options = { signal: this.signal };
    const known = { sets: this.sets, releases: this.releases, audience, ...options };
    const menu = effectiveSet(to, this.sets.filter((set) => set.audience === audience));
    const [before, between, oldIcon, newIcon, draft, forgotten] = await Promise.all([
      simulate(this.place.app, { from, to: from, audience }, options),
      simulate(this.place.app, { from, to, audience }, options),
      iconsOf(this.place.app, [from, to], known), iconsOf(this.place.app, [to], known),
      menu && findDraft(this.place.app, menu.version, audience, options),
      menu && !refusal("editor") ? this.#forgotten(menu).catch(() => []) : [],
    ]);
    if (from !== this.from.input.value || to !== this.to.input.value || audience !== this.#chosenAudience) return;
    const phone = (/** @type {SimulatedItem[]} */ items, /** @type {IconOf} */ icon, /** @type {string} */ listName) =>
      phoneOf({
      app: this.app, rows: items.map((item) => simulatedRow(item, icon(item))),
      language: between.language, listName,
    });
    const editor = editorOf(this.place.app, to, this.sets.filter((set) => set.audience === audience));
    if (menu) notePlans(between, menu.version, this.schedule);
    const old = phone(before.menu, oldIcon, strings.gap.before(from));
    const now = screenWithTaps(between, this.app, oldIcon, strings.gap.onScreen, null);
    between.menu.forEach((item, place) => {
      const { outcome, plan } = item.tap;
      if (outcome !== "removed" || !menu) return;
      now.list.children[place].append(
        plan ? gapPlan(this.app, item, plan) : gapDecision(this.app, menu, item, draft?.set ?? null),
      );
    });
    const next = phone(between.afterLaunch.menu, newIcon, strings.gap.after);
    const lost = lostTaps(between);
    const others = forgotten.filter(({ id }) => !lost.some((item) => item.id === id));
    const times = lost.flatMap(({ tap: { plan } }) => plan?.at ?? []).sort();
    this.verdict = strings.gap.verdict(lost.length, between.menu.length, times.length, shortTime(times.at(-1) ?? 0));
    replaceChildren(this.pictures,
      element("div", { class: "verdicts" },
        (lost.length > 0 || others.length === 0)
          && element("p", { class: `verdict ${lost.length > 0 ? "lost" : "taken"}` }, this.verdict),
        others.length > 0 && element("p", { class: "forgotten" },
          strings.gap.forgotten(others.map(({ title }) => title)),
          element("a", { href: `${editor}?removed=${encodeURIComponent(others[0].id)}` }, strings.gap.decide))),
      element("section", { class: "gap-before" }, element("h2", {}, strings.gap.before(from)), old),
      element("section", { class: "gap-between" },
        element("h2", {}, compareVersions(from, to) > 0 ? strings.gap.downgraded(to) : strings.gap.between(to)),
        now.phone,
        element("div", { class: "gap-taps" }, now.list, between.hidden.length > 0 && [
          element("h3", {}, strings.gap.hidden), tapList(between.hidden, between, strings.gap.hidden, editor),
        ])),
      element(
        "section", { class: "gap-after" }, element("h2", {}, strings.gap.after),
        element("div", {}, next, changes(before, between)),
      ),
      element(
        "ul", { class: "tap-legend" },
        ...Object.entries(strings.gap.kinds).map(([kind, text]) => element("li", { class: kind }, text)),
      ),
    );
    this.pictures.append(joinLines(this.pictures, joinsOf(old, now, next, before, between)));
  }

  /** @param {SetSummary} menu */
  async #forgotten(menu) {
    const options = { signal: this.signal };
    const set = await documentOf(this.place.app, menu, options);
    return forgottenItems(this.app, menu, set ?? { items: [] }, options);
  }

  /** Computes the losses of all pairs from the documents of the sets. */
  async #judge() {
    const audience = this.#chosenAudience;
    const sets = this.sets.filter((set) => set.audience === audience).sort(
      (left, right) => compareVersions(left.version, right.version)
    );
    this.pairList.replaceChildren(element("p", { class: "hint" }, strings.gap.judging(sets.length)));
    const { app } = this.place;
    const [timeline, { body: ranking }] = await Promise.all([
      withDocuments(app, sets, { signal: this.signal }), get(path`/apps/${app}/taps/ranking`, { signal: this.signal }),
    ]);
    if (audience !== this.#chosenAudience) return;
    this.#pairs = judgedPairs(this.versions, timeline, this.releases);
    this.losing = this.#pairs.filter(({ lost }) => lost !== null && lost > 0).length;
    const unjudged = this.#pairs.filter(({ lost }) => lost === null).length;
    const rows = element("ol", { class: "pairs" });
    const pageAt = (/** @type {number} */ start) => ({
      items: this.#pairs.slice(start, start + PAIRS_AT_ONCE),
      next: start + PAIRS_AT_ONCE < this.#pairs.length ? String(start + PAIRS_AT_ONCE) : null,
    });
    const more = pagedList(
      pageAt(0), async (start) => pageAt(Number(start)), (pair) => this.#pairEntry(pair), {}, { rows },
    );
    const items = timeline.flatMap(({ set }) => set?.items ?? []);
    const titleOf = (/** @type {string} */ id) =>
      items.findLast((item) => item.id === id)?.title[this.app.defaultLanguage] ?? id;
    const taps = new Map(ranking.items.map((/** @type {RankedItem} */ { item, lost }) => [item, lost]));
    replaceChildren(this.pairList,
      element("h2", {}, strings.gap.causes),
      element(
        "p", {}, strings.gap.losing(this.losing, this.#pairs.length),
        unjudged > 0 && ` ${strings.gap.unjudged(unjudged)}`,
      ),
      this.losing > 0 && causeList(lossCauses(this.#pairs), {
        app, audience, titleOf, taps, schedule: this.schedule,
      }),
      element("details", {}, element("summary", {}, strings.gap.pairs), rows, more));
    this.#tellPosition();
  }

  /** @param {Pair} pair */
  #pairEntry(pair) {
    const choose = button(`${pair.from} → ${pair.to}`, guarded(() => this.#choose(pair)), {
      kind: "quiet", "data-pair": `${pair.from} ${pair.to}`,
      "aria-current": String(this.#pairs[this.#position()] === pair),
    });
    if (pair.lost !== 0) choose.append(element("span", { class: "lost-count" }, strings.gap.lostCount(pair.lost)));
    return element("li", {}, choose);
  }

  #tellPosition() {
    const place = this.#position();
    this.position.textContent = place < 0 ? "" : strings.gap.position(place + 1, this.#pairs.length, this.losing);
    const chosen = `${this.from.input.value} ${this.to.input.value}`;
    /** @type {NodeListOf<HTMLElement>} */
    const entries = this.pairList.querySelectorAll("[data-pair]");
    for (const entry of entries) entry.setAttribute("aria-current", String(entry.dataset.pair === chosen));
  }
}

/**
 * The changes at the first launch, by title.
 * @param {Simulation} before @param {Simulation} between
 */
function changes(before, { menu, hidden, afterLaunch }) {
  const titles = new Map(
    [...before.menu, ...menu, ...hidden, ...afterLaunch.menu, ...afterLaunch.hidden].map(({ id, title }) => [id, title])
  );
  /** @type {[string[], string][]} */
  const all = [
    [afterLaunch.added, strings.gap.added], [afterLaunch.removed, strings.gap.removed],
    [afterLaunch.changed, strings.gap.changed],
  ];
  const lists = all.filter(([ids]) => ids.length > 0);
  if (lists.length === 0) return element("p", { class: "hint" }, strings.gap.unchanged);
  return element("dl", { class: "launch-changes" }, ...lists.flatMap(([ids, word]) => [
    element("dt", {}, word),
    element("dd", {}, ...ids.slice(0, MOST_NAMED).flatMap(
      (id, index) => [index > 0 && ", ", element("bdi", {}, titles.get(id) ?? id)]
    ),
      ids.length > MOST_NAMED && strings.gap.more(ids.length - MOST_NAMED)),
  ]));
}

/**
 * Lines from the first phone to the second, from each row to its sentence, and from the sentence to the resulting row.
 * @param {HTMLElement} old @param {import("./gap-list.js").Screen} now @param {HTMLElement} next
 * @param {Simulation} before @param {Simulation} between
 */
function joinsOf(old, now, next, before, between) {
  const key = (/** @type {SimulatedItem} */ { kind, id, type, title }) =>
    (kind === "static" ? `static ${type} ${title}` : id);
  const rowsOf = (/** @type {HTMLElement} */ phone, /** @type {SimulatedItem[]} */ items) => {
    const rows = [...phone.querySelectorAll(".menu-row")];
    return new Map(items.map((item, index) => [key(item), rows[index]]));
  };
  const [oldRows, newRows] = [rowsOf(old, before.menu), rowsOf(next, between.afterLaunch.menu)];
  const rows = [...now.phone.querySelectorAll(".menu-row")];
  const targetOf = (/** @type {SimulatedItem} */ item) =>
    newRows.get(item.kind === "static" ? key(item) : item.tap.item);
  /** @type {{from: Element | undefined, to: Element | undefined, kind: string}[]} */
  const joins = [
    ...between.menu.map((item, index) => ({ from: oldRows.get(key(item)), to: rows[index], kind: "stays" })),
    ...rowJoins(now),
    ...between.menu.map(
      (item, index) => ({
        from: now.list.children[index], to: targetOf(item), kind: now.list.children[index].classList[1],
      })
    ),
  ];
  return joins.flatMap(({ from, to, kind }) => (from && to ? [{ from, to, kind }] : []));
}

customElements.define("lp-update-gap", UpdateGapRoom);
