/** What was tapped, what became of it, and which rules nobody needs any more. */
import { findSet, listSets } from "../api/apps.js";
import { get, path } from "../api/client.js";
import { emptyPlace } from "../page/controls.js";
import { element } from "../page/element.js";
import { Room } from "../page/room.js";
import { strings } from "../strings.js";
import { appFrame } from "./app-frame.js";
import { dayChart } from "./day-chart.js";
import { kindOfOutcome } from "./gap-list.js";

const DAYS = 14;
const DAY = 86_400_000;

class TapsRoom extends Room {
  async open() {
    const { app } = this.place;
    const [month, days, rules] = await Promise.all([this.#since(Date.now() - 30 * DAY), this.#days(), this.#rules()]);
    const total = Object.values(month.outcomes).reduce((sum, count) => sum + count, 0);
    const gone = month.items.filter(({ outcome }) => ["replaced", "retired", "removed"].includes(outcome));
    this.show(strings.app.taps, appFrame(app, "taps"),
      total === 0 ? emptyPlace(strings.taps.empty) : element("div", {}, dayChart(days), this.#outcomes(month.outcomes)),
      element("h2", {}, strings.taps.old), gone.length === 0 ? element("p", { class: "hint" }, strings.taps.noOld) : this.#old(gone),
      element("h2", {}, strings.taps.rules), rules.length === 0 ? element(
        "p",
        { class: "hint" },
        strings.taps.noRules,
      ) : this.#ruleTable(rules, month.items));
  }

  async #since(time) {
    return (
      await get(
        path`/apps/${this.place.app}/taps`,
        { query: { since: new Date(time).toISOString().replace(/\.\d+Z$/, "Z") }, signal: this.signal },
      )
    ).body;
  }

  /** Counts by day: the API counts from a time on, so a day is what its beginning has more than the next one's. */
  async #days() {
    const today = new Date();
    today.setHours(0, 0, 0, 0);
    const beginnings = Array.from(
      { length: DAYS },
      (_, index) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - (DAYS - 1 - index)),
    );
    const totals = await Promise.all(beginnings.map(async (day) => (await this.#since(day.getTime())).outcomes));
    return beginnings.map((date, index) => {
      const counts = { date, taken: 0, landed: 0, lost: 0 };
      for (const [outcome, count] of Object.entries(totals[index])) counts[kindOfOutcome(outcome)] += count - (totals[index + 1]?.[outcome] ?? 0);
      return counts;
    });
  }

  async #rules() {
    const { app } = this.place;
    const sets = await listSets(app, { signal: this.signal });
    const found = await Promise.all(
      sets.slice(-40).map(
        async ({ version, audience }) => ({ version, audience, ...(await findSet(app, version, audience, { signal: this.signal })) }),
      ),
    );
    return found.flatMap(({ version, audience, set }) => [
      ...(set?.items ?? []).flatMap(
        (item) => (item.replaces ?? []).map((id) => ({ id, rule: strings.taps.replacedBy(item.id), version, audience })),
      ),
      ...(set?.retired ?? []).map(({ id }) => ({ id, rule: strings.taps.retired, version, audience })),
    ]);
  }

  #outcomes(outcomes) {
    const rows = Object.entries(outcomes).sort(([, left], [, right]) => right - left).map(([outcome, count]) =>
      element(
        "tr",
        {},
        element("td", {}, element("span", { class: `outcome ${kindOfOutcome(outcome)}` }, outcome)),
        element("td", {}, strings.gap.outcomes[outcome]),
        element("td", { class: "number" }, count),
      ));
    return element("div", {}, element("h2", {}, strings.taps.outcomes), table(strings.taps.outcomes, strings.taps.outcomeColumns, rows));
  }

  #old(items) {
    return table(strings.taps.old, strings.taps.oldColumns, items.slice(0, 100).map((tap) =>
      element("tr", {}, element(
        "td",
        {},
        element("code", {}, tap.item ?? strings.common.none),
      ), element("td", {}, tap.tagVersion ?? strings.common.none), element("td", {}, tap.version ?? strings.common.none),
        element(
          "td",
          {},
          element("span", { class: `outcome ${kindOfOutcome(tap.outcome)}` }, tap.outcome),
        ), element("td", { class: "number" }, tap.count))));
  }

  #ruleTable(rules, taps) {
    return table(strings.taps.rules, strings.taps.ruleColumns, rules.map(({ id, rule, version, audience }) => {
      const count = taps.filter(({ item }) => item === id).reduce((sum, tap) => sum + tap.count, 0);
      return element(
        "tr",
        {},
        element("td", {}, element("code", {}, id)),
        element("td", {}, rule),
        element("td", {}, `${version} ${audience}`),
        element("td", { class: "number" }, count),
        element("td", {}, count === 0 ? strings.taps.mayGo : strings.taps.needed),
      );
    }));
  }
}

function table(name, columns, rows) {
  return element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": name },
    element(
      "table",
      { "aria-label": name },
      element("thead", {}, element("tr", {}, ...columns.map((column) => element("th", { scope: "col" }, column)))),
      element("tbody", {}, ...rows),
    ));
}

customElements.define("lp-taps", TapsRoom);
