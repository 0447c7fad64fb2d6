/** Taps, their outcomes, and rules that may be removed. */
import { getApp, listSets } from "../api/apps.js";
import { get, path } from "../api/client.js";
import { emptyPlace } from "../page/controls.js";
import { element, svg } from "../page/element.js";
import { LOCALE } from "../page/format.js";
import { Room } from "../page/room.js";
import { address } from "../page/router.js";
import { table as labelledTable } from "../page/table.js";
import { strings } from "../strings.js";
import { appFrame, setName } from "./app-frame.js";
import { editorOf, kindOfOutcome } from "./gap-list.js";
import { withDocuments } from "./set-documents.js";

const DAYS = 30;
/** The API lists at most this many kinds of taps, the most frequent first. */
const MOST_KINDS = 1000;
const MOST_SHOWN = 100;

/**
 * @typedef {{id: string, heir: string | null, version: string, audience: string}} Rule a set's rule for a removed id
 */

class TapsRoom extends Room {
  /** @type {SetSummary[]} */
  sets = [];
  /**
   * Titles by id, from the last set that has the item.
   * @type {Map<string, string>}
   */
  titles = new Map();

  async open() {
    const { app } = this.place;
    const options = { signal: this.signal };
    const [days, sets, { defaultLanguage }] = await Promise.all([
      this.#days(), listSets(app, options), getApp(app, options),
    ]);
    const documents = await withDocuments(app, sets, options);
    this.sets = sets;
    for (const { set } of documents) {
      for (const { id, title } of set?.items ?? []) this.titles.set(id, title[defaultLanguage]);
    }
    const { outcomes, items } = days.all;
    const total = sum(outcomes);
    const frame = appFrame(app, "taps");
    const rules = rulesOf(documents);
    const ruleTable = [
      element("h2", {}, strings.taps.rules),
      rules.length === 0 ? element("p", { class: "hint" }, strings.taps.noRules) : this.#rules(rules, items, total),
    ];
    if (total === 0) return this.show(strings.app.taps, frame, emptyPlace(strings.taps.empty(DAYS)), ...ruleTable);
    const gone = items.filter(({ outcome }) => ["replaced", "retired", "removed"].includes(outcome));
    this.show(strings.app.taps, frame, dayChart(days.counts),
      element("h2", {}, strings.taps.outcomes(DAYS)), this.#outcomes(outcomes, total),
      element("p", { class: "hint" },
        strings.taps.counted(amount(sum(days.all.resolved)), amount(sum(days.all.reported)))),
      element("h2", {}, strings.taps.old),
      gone.length === 0 ? element("p", { class: "hint" }, strings.taps.noOld) : this.#old(gone),
      ...ruleTable);
  }

  /** Counts by day in the browser's time zone, added up from hours because the API's days are in UTC. */
  async #days() {
    const today = new Date();
    const counts = Array.from({ length: DAYS }, (_, index) => ({
      date: new Date(today.getFullYear(), today.getMonth(), today.getDate() - (DAYS - 1 - index)), taken: 0, landed: 0,
      lost: 0,
    }));
    const query = { since: counts[0].date.toISOString().replace(/\.\d+Z$/, "Z"), bucket: "hour" };
    /** @type {TapStatistics} */
    const all = (await get(path`/apps/${this.place.app}/taps`, { query, signal: this.signal })).body;
    for (const { since, outcomes } of all.buckets ?? []) {
      const day = counts.filter(({ date }) => date <= new Date(since)).at(-1) ?? counts[0];
      for (const [outcome, count] of Object.entries(outcomes)) {
        day[kindOfOutcome(/** @type {Outcome} */ (outcome))] += count;
      }
    }
    return { all, counts };
  }

  /** @param {Record<Outcome, number>} outcomes @param {number} total */
  #outcomes(outcomes, total) {
    const counts = /** @type {[Outcome, number][]} */ (Object.entries(outcomes));
    const rows = counts.sort(([, left], [, right]) => right - left).map(([outcome, count]) =>
      element("tr", {},
        element("td", {}, outcomeWord(outcome)),
        element("td", { class: "number" }, amount(count)),
        element("td", { class: "number" }, strings.taps.share(count, total))));
    return table(strings.taps.outcomes(DAYS), strings.taps.outcomeColumns, rows);
  }

  /**
   * Unknown ids are counted together, so that strangers cannot fill the table.
   * @param {TapCount[]} items
   */
  #old(items) {
    const rows = items.slice(0, MOST_SHOWN).map((tap) => element("tr", {},
      ...(tap.item === null
        ? [element("td", { colspan: 3 }, strings.taps.unknownIDs)]
        : [
          element("td", {}, this.#called(tap.item)), element("td", {}, tap.tagVersion ?? "—"),
          element("td", {}, tap.version ?? "—"),
        ]),
      element(
        "td", {}, outcomeWord(tap.outcome), tap.outcome === "removed" && tap.item !== null && this.#decide(tap.version),
      ),
      element("td", { class: "number" }, amount(tap.count))));
    return [
      table(strings.taps.old, strings.taps.oldColumns, rows),
      items.length > MOST_SHOWN && element("p", { class: "hint" }, strings.taps.mostShown(MOST_SHOWN, items.length)),
    ];
  }

  /**
   * An id with its title, if a set has the item.
   * @param {string} id
   */
  #called(id) {
    const title = this.titles.get(id);
    return [title && [element("bdi", {}, title), " "], element("code", {}, id)];
  }

  /**
   * A link to the editor where a rule can be added.
   * @param {string | null} version
   */
  #decide(version) {
    const editor = version
      && editorOf(this.place.app, version, this.sets.filter(({ audience }) => audience === "default"));
    return editor && [" ", element("a", { href: editor }, strings.gap.decide)];
  }

  /** @param {Rule[]} rules @param {TapCount[]} taps @param {number} total */
  #rules(rules, taps, total) {
    const rows = rules.map(({ id, heir, version, audience }) => {
      const tapped = taps.filter(({ item }) => item === id);
      const count = tapped.reduce((sum, tap) => sum + tap.count, 0);
      const from = [...new Set(tapped.map(({ tagVersion }) => tagVersion).filter(Boolean))];
      const verdict = count > 0
        ? strings.taps.needed(from.slice(0, 5))
        : total === 0 || taps.length >= MOST_KINDS ? strings.taps.cannotTell(total, DAYS) : strings.taps.mayGo(DAYS);
      return element("tr", {},
        element("td", {}, this.#called(id)),
        element("td", {}, heir ? [strings.taps.replacedBy, " ", this.#called(heir)] : strings.taps.retired),
        element(
          "td", {},
          element(
            "a", { href: address(["apps", this.place.app, "sets", version, audience]) }, setName(version, audience),
          ),
        ),
        element("td", { class: "number" }, amount(count)),
        element("td", {}, verdict));
    });
    return [
      element("p", { class: "hint" }, strings.taps.rulesHint),
      table(strings.taps.rules, strings.taps.ruleColumns, rows),
    ];
  }
}

/**
 * The rules of the sets for removed ids.
 * @param {(SetSummary & {set: ShortcutSet | null})[]} sets
 * @returns {Rule[]}
 */
function rulesOf(sets) {
  return sets.flatMap(({ version, audience, set }) => [
    ...(set?.items ?? []).flatMap(
      (item) => (item.replaces ?? []).map((id) => ({ id, heir: item.id, version, audience }))
    ),
    ...(set?.retired ?? []).map(({ id }) => ({ id, heir: null, version, audience })),
  ]);
}

const sum = (/** @type {Partial<Record<Outcome, number>>} */ outcomes) =>
  Object.values(outcomes).reduce((total, count) => total + count, 0);
const amount = (/** @type {number} */ number) => number.toLocaleString("en");
const outcomeWord = (/** @type {Outcome} */ outcome) =>
  element("span", { class: `outcome ${kindOfOutcome(outcome)}` }, strings.gap.outcomes[outcome]);

/**
 * @param {string} name @param {string[]} columns `#` marks columns of numbers
 * @param {HTMLElement[]} rows
 */
function table(name, columns, rows) {
  const names = columns.map((column) => column.replace("#", ""));
  const heads = columns.map(
    (column, place) => element("th", { scope: "col", class: column.startsWith("#") ? "number" : null }, names[place])
  );
  for (const row of rows) {
    row.setAttribute("role", "row");
    [...row.children].forEach((cell, place) => {
      cell.setAttribute("role", "cell");
      cell.replaceChildren(element("span", {}, ...cell.childNodes));
      // On narrow screens each cell names its column, unless it spans several.
      if (row.children.length === names.length) cell.setAttribute("data-label", names[place]);
    });
  }
  const made = labelledTable(name, [], element("tbody", {}, ...rows));
  made.querySelector("thead")?.replaceChildren(element("tr", { role: "row" }, ...heads));
  return made;
}

/** @typedef {{date: Date, taken: number, landed: number, lost: number}} Day */

/** @type {("taken" | "landed" | "lost")[]} */
const KINDS = ["taken", "landed", "lost"];
const HEIGHT = 160;
const [AXIS, BELOW, ABOVE] = [44, 22, 20];
const SHORTLY = new Intl.NumberFormat("en", { notation: "compact" });
const SHORT = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric" });

/** @param {Day[]} days */
function dayChart(days) {
  const chart = svg("svg", { class: "chart", height: HEIGHT + BELOW + ABOVE, "aria-hidden": "true" });
  const place = element("div", { class: "chart-place" }, chart);
  new ResizeObserver(() => drawn(chart, days, place.clientWidth)).observe(place);
  const rows = days.map((day) => element("tr", {},
    element("td", {}, SHORT.format(day.date)), ...KINDS.map((kind) => element("td", { class: "number" }, day[kind]))));
  const heads = KINDS.map((kind) => element("th", { scope: "col", class: "number" }, strings.taps.kinds[kind]));
  const table = element("table", { "aria-label": strings.taps.byDay },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, strings.taps.day), ...heads)),
    element("tbody", {}, ...rows));
  const legend = element("ul", { class: "legend", "aria-hidden": "true" },
    ...KINDS.map((kind) => element("li", { class: kind }, strings.taps.kinds[kind])));
  return element("figure", {}, element("figcaption", {}, strings.taps.byDay), legend, place,
    element("details", {}, element("summary", {}, strings.taps.asTable), table));
}

/**
 * Draws the bars in the available width, beside an axis of whole numbers.
 * @param {SVGElement} chart @param {Day[]} days @param {number} width
 */
function drawn(chart, days, width) {
  if (width <= AXIS) return;
  const top = roundAbove(Math.max(1, ...days.map((day) => KINDS.reduce((sum, kind) => sum + day[kind], 0))));
  const step = (width - AXIS) / days.length;
  const at = (/** @type {number} */ count) => ABOVE + HEIGHT - (count / top) * HEIGHT;
  const lines = [0, top / 2, top].filter(Number.isInteger).flatMap((count) => [
    svg("line", { x1: AXIS, x2: width, y1: at(count), y2: at(count) }),
    svg("text", { x: AXIS - 8, y: at(count) + 4, "text-anchor": "end" }, count.toLocaleString("en")),
  ]);
  const bars = days.flatMap((day, index) => {
    let below = 0;
    return KINDS.map((kind) => {
      const y = at(below + day[kind]);
      const bar = svg(
        "rect", { x: AXIS + index * step + step * 0.1, y, width: step * 0.8, height: at(below) - y, class: kind },
      );
      below += day[kind];
      return bar;
    });
  });
  const amounts = days.flatMap((day, index) => {
    const count = KINDS.reduce((sum, kind) => sum + day[kind], 0);
    return count > 0
      ? [
        svg(
          "text", { x: AXIS + (index + 0.5) * step, y: at(count) - 4, "text-anchor": "middle" }, SHORTLY.format(count),
        ),
      ]
      : [];
  });
  // The last day has a label, and others as far as labels fit.
  const every = Math.ceil(64 / step);
  const labels = days.flatMap((day, index) => ((days.length - 1 - index) % every === 0
    ? [
      svg("text", {
        x: AXIS + (index + 0.5) * step, y: ABOVE + HEIGHT + 16,
        "text-anchor": index === days.length - 1 ? "end" : "middle", dx: index === days.length - 1 ? step / 2 : 0,
      }, SHORT.format(day.date)),
    ]
    : []));
  chart.setAttribute("width", String(width));
  chart.replaceChildren(...lines, ...bars, ...(step > 24 ? amounts : []), ...labels);
}

/**
 * The next of 1, 2, 4, 6, 8, 10, 20, 40 …, so that its half is a whole number, except for 1.
 * @param {number} count
 */
function roundAbove(count) {
  const power = 10 ** Math.floor(Math.log10(count));
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((round) => round >= count) ?? count;
}

customElements.define("lp-taps", TapsRoom);
