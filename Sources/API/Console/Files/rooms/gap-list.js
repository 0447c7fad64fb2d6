/** The menu between an update and the first launch, with a sentence for each tap. */
import { decisionOf, itemOf } from "../menus/document.js";
import { effectiveSet } from "../menus/shown.js";
import { refusal } from "../api/session.js";
import { element } from "../page/element.js";
import { shortTime } from "../page/format.js";
import { address } from "../page/router.js";
import { phoneOf } from "../phone/phone.js";
import { strings } from "../strings.js";
import { compareVersions } from "../values/version.js";
import { joinLines } from "./joins.js";

/** @typedef {import("./gap-icons.js").IconOf} IconOf */
/** @typedef {{phone: HTMLElement, list: HTMLElement}} Screen */

/**
 * A simulated row as the phone draws it.
 * @param {SimulatedItem} item @param {Icon | null | undefined} icon
 * @returns {import("../menus/shown.js").Row}
 */
export function simulatedRow(item, icon) {
  return {
    kind: item.kind,
    id: item.id,
    type: item.type,
    title: item.title,
    subtitle: item.subtitle || undefined,
    icon: icon ?? undefined,
  };
}

/**
 * The scheduled menu that decides what a tap on a removed item does; undefined without one.
 * @param {ScheduleEntry[]} schedule
 * @param {{id: string, menu: string, to: string, audience: string}} removal `menu`: the version of the menu that phones
 *   with the version `to` get
 */
function planFor(schedule, { id, menu, to, audience }) {
  return schedule.find(({ set, version, audience: of }) => (
    set && of === audience && compareVersions(version, to) <= 0 && (
      set.retired?.some((entry) => entry.id === id)
      || (compareVersions(version, menu) >= 0 && (itemOf(set, id) || decisionOf(set, id)))
    )
  ));
}

/**
 * Notes at lost taps which scheduled menu decides them.
 * @param {Simulation} simulation @param {string} version of the menu that phones get @param {ScheduleEntry[]} schedule
 */
export function notePlans({ menu, hidden, to, audience }, version, schedule) {
  for (const { id, tap } of [...menu, ...hidden]) {
    if (tap.outcome !== "removed") continue;
    tap.plan = planFor(schedule, { id: id ?? "", menu: version, to, audience });
  }
}

/**
 * A list of items, each with a sentence that says what a tap on it does.
 * @param {SimulatedItem[]} items
 * @param {Simulation} simulation
 * @param {string} name of the list
 * @param {string | null} editor the address of the editor where a rule can be added
 */
export function tapList(items, simulation, name, editor) {
  const titles = new Map(
    simulation.afterLaunch.menu.concat(simulation.afterLaunch.hidden).map((item) => [item.id, item.title])
  );
  return element("ul", { "aria-label": name, class: "on-screen" }, ...items.map((item) => line(item, titles, editor)));
}

/** @param {SimulatedItem} item @param {Map<string | null, string>} titles @param {string | null} editor */
function line(item, titles, editor) {
  const { outcome, item: target, url, plan } = item.tap;
  const opened = element("bdi", {}, titles.get(target) ?? target ?? item.title);
  const entry = element("li", { class: `tap ${kindOfOutcome(outcome)}` },
    element("strong", { class: "title", dir: "auto" }, item.title), " ",
    element("span", { class: "sentence" },
      strings.gap.sentence(outcome, opened, url && element("bdi", {}, url), plan && shortTime(plan.at))),
    outcome === "removed" && !plan && editor && refusal("editor") === null && [
      " ", element("a", { href: `${editor}?removed=${encodeURIComponent(item.id ?? "")}` }, strings.gap.decide),
    ]);
  // The whole entry leads to the decision, if there is one.
  entry.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a, button, select, input, label")) return;
    /** @type {HTMLElement | null} */ (entry.querySelector("a, .gap-decision > :only-child"))?.click();
  });
  return entry;
}

/**
 * What loses taps, each with a link to the decision that ends the loss for all updates.
 * @param {(import("../menus/gap.js").Removal & {pairs: number})[]} causes
 * @param {{app: string, audience: string, titleOf: (id: string) => string, taps: Map<string, number>,
 *   schedule: ScheduleEntry[]}} known `taps`: the lost taps by item
 */
export function causeList(causes, { app, audience, titleOf, taps, schedule }) {
  const sorted = [...causes].sort((left, right) => (taps.get(right.id) ?? 0) - (taps.get(left.id) ?? 0));
  return element("ul", { class: "rows", "aria-label": strings.gap.causes }, ...sorted.map(({ id, version, pairs }) => {
    const plan = planFor(schedule, { id, menu: version, to: version, audience });
    return element(
      "li", {},
      element(
        "span", {}, ...strings.gap.cause(element("bdi", { class: "name" }, titleOf(id)), version, pairs, taps.get(id)),
        plan && `. ${strings.gap.planned(plan.version, shortTime(plan.at))}`,
      ),
      !plan && refusal("editor") === null && [
        " ",
        element(
          "a", { class: "button", href: address(["apps", app, "sets", version, audience], { removed: id }) },
          strings.gap.decideOnce,
        ),
      ],
    );
  }));
}

/**
 * The kind of an outcome.
 * @param {Outcome} outcome
 * @returns {"taken" | "landed" | "lost"}
 */
export function kindOfOutcome(outcome) {
  if (outcome === "removed" || outcome === "unknown") return "lost";
  return outcome === "retired" ? "landed" : "taken";
}

export const outcomeWord = (/** @type {Outcome} */ outcome) =>
  element("span", { class: `outcome ${kindOfOutcome(outcome)}` }, strings.gap.outcomes[outcome]);

/**
 * The address of the editor of the set that is in effect for a version.
 * @param {string} app @param {string} version @param {SetSummary[]} sets of the audience
 */
export function editorOf(app, version, sets) {
  const set = effectiveSet(version, sets);
  return set ? address(["apps", app, "sets", set.version, set.audience]) : null;
}

/** @param {Simulation} simulation */
export const lostTaps = ({ menu }) => menu.filter(({ tap }) => kindOfOutcome(tap.outcome) === "lost");

/**
 * A phone and the list of its taps.
 * @param {Simulation} simulation @param {App} app @param {IconOf} icon
 * @param {string} name of the list
 * @param {string | null} editor
 * @returns {Screen}
 */
export function screenWithTaps(simulation, app, icon, name, editor) {
  const phone = phoneOf({
    app,
    rows: simulation.menu.map((item) => simulatedRow(item, icon(item))),
    language: simulation.language,
  });
  const list = tapList(simulation.menu, simulation, name, editor);
  return { phone, list };
}

/**
 * The lines from a phone's rows to the entries of its list.
 * @param {Screen} screen
 */
export function rowJoins({ phone, list }) {
  const rows = [...phone.querySelectorAll(".menu-row")];
  return [...list.children].map((entry, index) => ({ from: rows[index], to: entry, kind: entry.classList[1] }));
}

/**
 * A phone with its list, for the timeline.
 * @param {Simulation} simulation @param {App} app @param {IconOf} icon
 * @param {string} name of the list
 * @param {string | null} editor
 */
export function onScreen(simulation, app, icon, name, editor) {
  const drawn = screenWithTaps(simulation, app, icon, name, editor);
  const pair = element("div", { class: "gap-pair" }, drawn.phone, drawn.list);
  pair.prepend(joinLines(pair, rowJoins(drawn)));
  return pair;
}
