/** What people tap most, taps by day and outcome, and rules that may be removed. */
import { getApp, listSets } from "../api/apps.js";
import { get, path } from "../api/client.js";
import { chartOf } from "../page/chart.js";
import { emptyPlace, field } from "../page/controls.js";
import { element, svg } from "../page/element.js";
import { LOCALE, once, writeTime } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { address, note } from "../page/router.js";
import { row, table } from "../page/table.js";
import { strings } from "../strings.js";
import { compareVersions } from "../values/version.js";
import { appFrame, setName } from "./app-frame.js";
import { editorOf, kindOfOutcome, outcomeWord } from "./gap-list.js";
import { withDocuments } from "./set-documents.js";

const RANGES = ["7", "30", "90", "own"];
/** Ranked items that are shown at first, and the size of their drawings. */
const [RANKED, WIDTH, LOW] = [10, 120, 28];
/** The API lists at most this many kinds of taps, the most frequent first. */
const MOST_KINDS = 1000;
const MOST_SHOWN = 100;
/** Days of counts after which a rule without a tap may go. */
const ENOUGH_DAYS = 7;
/** The oldest day of an own range. */
const MOST_DAYS = 730;

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
    const { app, query } = this.place;
    const options = { signal: this.signal };
    const range = rangeOf(query);
    const asked = { since: apiTime(range.first), until: range.until && apiTime(range.until) };
    const [days, { body: ranking }, sets, { defaultLanguage }] = await Promise.all([
      this.#days(range, asked), get(path`/apps/${app}/taps/ranking`, { query: asked, ...options }),
      listSets(app, options), getApp(app, options),
    ]);
    const documents = await withDocuments(app, sets, options);
    this.sets = sets;
    for (const { set } of documents) {
      for (const { id, title } of set?.items ?? []) this.titles.set(id, title[defaultLanguage]);
    }
    const { outcomes, items } = days.all;
    const total = sum(outcomes);
    const words = range.until ? strings.taps.between(shortDate().format(range.first), shortDate().format(range.last))
      : strings.taps.days(days.counts.length);
    const frame = [appFrame(app, "taps"), this.#choices(range, asked)];
    const rules = rulesOf(documents);
    const ruleTable = [
      element("h2", {}, strings.taps.rules),
      rules.length === 0 ? element("p", { class: "hint" }, strings.taps.noRules)
        : this.#rules(rules, items, total, isYoung(days.counts)),
    ];
    if (total === 0) return this.show(strings.app.taps, frame, emptyPlace(strings.taps.empty(words)), ...ruleTable);
    const gone = items.filter(({ outcome }) => ["replaced", "retired", "removed"].includes(outcome));
    this.show(strings.app.taps, frame,
      element("h2", {}, strings.taps.ranking(amount(total), words)), this.#ranking(ranking, range.first),
      dayChart(days.counts),
      element("h2", {}, strings.taps.outcomes), this.#outcomes(outcomes, total),
      element("p", { class: "hint" },
        strings.taps.counted(amount(sum(days.all.resolved)), amount(sum(days.all.reported)))),
      element("h2", {}, strings.taps.old),
      gone.length === 0 ? element("p", { class: "hint" }, strings.taps.noOld) : this.#old(gone),
      ...ruleTable);
  }

  /**
   * The range of days, and a link to the counts as a file.
   * @param {Range} range @param {{since: string, until: string | null}} asked
   */
  #choices({ choice, first, last }, asked) {
    const days = field(strings.taps.range, { tag: "select" });
    days.input.append(...RANGES.map((value) =>
      element("option", { value, selected: value === choice }, strings.taps.ranges(value))));
    const own = [[strings.taps.first, first], [strings.taps.last, last]].map(([label, date]) =>
      field(String(label), { type: "date", value: dayText(/** @type {Date} */ (date)), max: dayText(new Date()) }));
    const change = () => {
      const isOwn = days.input.value === "own";
      const [from, to] = own.map(({ input }) => input.value);
      if (isOwn && (!from || !to)) return;
      note({ days: isOwn ? null : days.input.value, from: isOwn ? from : null, to: isOwn ? to : null });
      return this.refresh();
    };
    for (const { input } of [days, ...own]) input.addEventListener("change", change);
    const query = new URLSearchParams({ format: "csv", ...asked, until: asked.until ?? apiTime(new Date()) });
    const file = `/admin/v1${path`/apps/${this.place.app}/taps`}?${query}`;
    return element(
      "div", { class: "gap-choice" }, days.row, choice === "own" && own.map(({ row }) => row),
      element("a", { class: "button", href: file, download: `${this.place.app}-taps.csv` }, strings.taps.export),
    );
  }

  /**
   * The items, the most tapped first.
   * @param {TapRanking} ranking @param {Date} first the day of the first count
   */
  #ranking({ items, other }, first) {
    const most = items[0]?.count ?? 1;
    const pageAt = (/** @type {number} */ start) => ({
      items: items.slice(start, start + RANKED),
      next: start + RANKED < items.length ? String(start + RANKED) : null,
    });
    const rows = element("ol", { class: "ranking", "aria-label": strings.taps.mostUsed });
    const more = pagedList(
      pageAt(0), async (start) => pageAt(Number(start)), (item) => this.#ranked(item, most, first), {}, { rows },
    );
    return [rows, more, other > 0 && element("p", { class: "hint" }, strings.taps.other(amount(other)))];
  }

  /** @param {RankedItem} ranked @param {number} most the greatest count @param {Date} first */
  #ranked({ item, count, lost, outcomes, versions, byDay }, most, first) {
    const name = element("span", { class: "aloud" }, `: ${this.titles.get(item) ?? item}`);
    const parts = element("details", {}, element("summary", {}, strings.taps.parts, name));
    parts.addEventListener("toggle", () => parts.childElementCount === 1 && parts.append(
      element("div", { class: "parts" },
        counts(strings.taps.byVersion, Object.entries(versions).sort(([a], [b]) => compareVersions(b, a))),
        counts(strings.taps.byOutcome, Object.entries(outcomes).map(
          ([outcome, each]) => [strings.gap.outcomes[/** @type {Outcome} */ (outcome)], each]
        )),
        counts(strings.taps.byDay, byDay.flatMap(
          (each, day) => (each > 0 ? [[shortDate().format(dayAfter(first, day)), each]] : [])
        ))),
    ));
    return element("li", {},
      element("div", { class: "ranked" },
        element("strong", {}, this.#called(item)),
        element("span", { class: "number" }, strings.taps.count(count)),
        element("span", { class: "share", style: { "--share": `${(count / most) * 100}%` } }),
        sparkline(byDay),
        lost > 0 && element("span", { class: "outcome lost" }, strings.gap.lostCount(lost))),
      parts);
  }

  /**
   * Counts by day in the browser's time zone, added up from hours because the API's days are in UTC.
   * @param {Range} range @param {{since: string, until: string | null}} asked
   */
  async #days({ first, last }, asked) {
    const length = Math.round((last.getTime() - first.getTime()) / 86_400_000) + 1;
    const counts = Array.from(
      { length }, (_, index) => ({ date: dayAfter(first, index), taken: 0, landed: 0, lost: 0 }),
    );
    /** @type {TapStatistics} */
    const all = (await get(
      path`/apps/${this.place.app}/taps`, { query: { ...asked, bucket: "hour" }, signal: this.signal },
    )).body;
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
    const columns = strings.taps.outcomeColumns;
    const rows = counts.sort(([, left], [, right]) => right - left).map(([outcome, count]) =>
      row(columns, [outcomeWord(outcome), amount(count), strings.taps.share(count, total)]));
    return table(strings.taps.outcomes, columns, element("tbody", {}, ...rows));
  }

  /**
   * Unknown ids are counted together, so that strangers cannot fill the table.
   * @param {TapCount[]} items
   */
  #old(items) {
    const columns = strings.taps.oldColumns;
    const rows = items.slice(0, MOST_SHOWN).map(({ item, tagVersion, version, outcome, count }) => row(columns, [
      ...(item === null
        ? [strings.taps.unknownIDs, "", ""]
        : [this.#called(item), tagVersion ?? "—", version ?? "—"]),
      [outcomeWord(outcome), outcome === "removed" && item !== null && this.#decide(version)], amount(count),
    ]));
    return [
      table(strings.taps.old, columns, element("tbody", {}, ...rows)),
      items.length > MOST_SHOWN && element("p", { class: "hint" }, strings.taps.mostShown(MOST_SHOWN, items.length)),
    ];
  }

  /**
   * The item's title, or its id if no set has the item.
   * @param {string} id
   */
  #called(id) {
    const title = this.titles.get(id);
    return title ? element("bdi", { title: id }, title) : element("code", {}, id);
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

  /** @param {Rule[]} rules @param {TapCount[]} taps @param {number} total @param {boolean} young */
  #rules(rules, taps, total, young) {
    const columns = strings.taps.ruleColumns;
    const rows = rules.map(({ id, heir, version, audience }) => {
      const tapped = taps.filter(({ item }) => item === id);
      const count = tapped.reduce((sum, tap) => sum + tap.count, 0);
      const from = [...new Set(tapped.map(({ tagVersion }) => tagVersion).filter(Boolean))];
      const verdict = count > 0
        ? strings.taps.needed(from.slice(0, 5))
        : total === 0 || taps.length >= MOST_KINDS ? strings.taps.cannotTell(total)
        : young ? strings.taps.tooEarly : strings.taps.mayGo;
      return row(columns, [
        this.#called(id), heir ? [strings.taps.replacedBy, " ", this.#called(heir)] : strings.taps.retired,
        element(
          "a", { href: address(["apps", this.place.app, "sets", version, audience]) }, setName(version, audience),
        ),
        amount(count), verdict,
      ]);
    });
    return [
      element("p", { class: "hint" }, strings.taps.rulesHint),
      table(strings.taps.rules, columns, element("tbody", {}, ...rows)),
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

/**
 * A small table of counts.
 * @param {string} name @param {[string, number][]} entries
 */
const counts = (name, entries) => element(
  "table", {}, element("caption", {}, name),
  element("tbody", {}, ...entries.map(([label, count]) => element(
    "tr", {}, element("th", { scope: "row" }, label), element("td", { class: "number" }, amount(count)),
  ))),
);

/** @param {number[]} counts by day */
function sparkline(counts) {
  const top = Math.max(1, ...counts);
  const step = WIDTH / Math.max(1, counts.length - 1);
  const high = (/** @type {number} */ count) => LOW - 1 - (count / top) * (LOW - 2);
  const points = counts.map((count, day) => `${(day * step).toFixed(1)} ${high(count).toFixed(1)}`);
  return svg(
    "svg", { class: "sparkline", width: WIDTH, height: LOW, "aria-hidden": "true" },
    svg("path", { d: `M${points.join("L")}` }),
  );
}

/**
 * The days of the address: the last 30 days if it names none. `until` is the end of a range that may end in the past.
 * @typedef {{choice: string, first: Date, last: Date, until: Date | null}} Range
 * @param {URLSearchParams} query @returns {Range}
 */
function rangeOf(query) {
  const now = new Date();
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const [from, to] = ["from", "to"].map((name) => new Date(`${query.get(name)}T00:00`)).sort(
    (left, right) => left.getTime() - right.getTime(),
  );
  if (from >= dayAfter(today, -MOST_DAYS) && to <= today) {
    return { choice: "own", first: from, last: to, until: dayAfter(to, 1) };
  }
  const choice = RANGES.find((days) => days === query.get("days") && days !== "own") ?? "30";
  return { choice, first: dayAfter(today, 1 - Number(choice)), last: today, until: null };
}

const dayAfter = (/** @type {Date} */ date, /** @type {number} */ days) =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
const dayText = (/** @type {Date} */ date) => writeTime(date).slice(0, 10);
const apiTime = (/** @type {Date} */ date) => date.toISOString().replace(/\.\d+Z$/, "Z");

/** @typedef {{date: Date, taken: number, landed: number, lost: number}} Day */

/** @type {("taken" | "landed" | "lost")[]} */
const KINDS = ["taken", "landed", "lost"];
const HEIGHT = 160;
const [AXIS, BELOW, ABOVE] = [44, 22, 20];
/**
 * Whether counting began less than `ENOUGH_DAYS` ago. Then an item without taps may still be needed.
 * @param {Record<(typeof KINDS)[number], number>[]} counts by day
 */
function isYoung(counts) {
  const first = counts.findIndex((day) => KINDS.some((kind) => day[kind] > 0));
  return counts.length - first < Math.min(ENOUGH_DAYS, counts.length);
}

const compact = once(() => new Intl.NumberFormat("en", { notation: "compact" }));
const shortDate = once(() => new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric" }));

/** @param {Day[]} days */
function dayChart(days) {
  const legend = element("ul", { class: "legend", "aria-hidden": "true" },
    ...KINDS.map((kind) => element("li", { class: kind }, strings.taps.kinds[kind])));
  return chartOf(
    strings.taps.byDay, HEIGHT + BELOW + ABOVE, (chart, width) => drawn(chart, days, width),
    [strings.taps.day, ...KINDS.map((kind) => strings.taps.kinds[kind])],
    days.map((day) => [shortDate().format(day.date), ...KINDS.map((kind) => day[kind])]), legend,
  );
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
          "text", { x: AXIS + (index + 0.5) * step, y: at(count) - 4, "text-anchor": "middle" },
          compact().format(count),
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
      }, shortDate().format(day.date)),
    ]
    : []));
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
