/** What is on the screen between an update and the first launch, and what each tap does, in words. */
import { element } from "../page/element.js";
import { phoneOf } from "../phone/phone.js";
import { strings } from "../strings.js";

/**
 * A simulated row as the phone draws it.
 * @param {object | undefined} icon @param {boolean} marked whether the row shows what becomes of its tap
 */
export function simulatedRow(item, icon, marked) {
  return {
    kind: item.kind,
    id: item.id,
    type: item.type,
    title: item.title,
    subtitle: item.subtitle || undefined,
    icon,
    mark: marked ? kindOfOutcome(item.tap.outcome) : null,
  };
}

/**
 * The list `On screen`: title, outcome, sentence.
 * @param {object} simulation as the API answers it
 */
export function onScreenList(simulation) {
  const titles = new Map(simulation.afterLaunch.menu.concat(simulation.afterLaunch.hidden).map((item) => [item.id, item.title]));
  return element("ul", { "aria-label": strings.gap.onScreen, class: "on-screen" }, ...simulation.menu.map((item) => line(item, titles)));
}

export function line(item, titles) {
  const { outcome, item: target, url } = item.tap;
  return element("li", { class: `tap ${kindOfOutcome(outcome)}` },
    element("strong", { class: "title", dir: "auto" }, item.title), " ",
    element("span", { class: "outcome" }, outcome), " ",
    element("span", { class: "sentence" }, strings.gap.sentence(outcome, titles.get(target) ?? target, url)));
}

/** Whether a tap still does something of use. */
export function kindOfOutcome(outcome) {
  if (outcome === "removed" || outcome === "unknown") return "lost";
  return outcome === "retired" ? "landed" : "taken";
}

/** A phone with its list, for the timeline. */
export function onScreen(simulation, app, title, icon) {
  return element("section", { class: "gap-summary" }, element("h2", {}, title),
    element("div", { class: "gap-pair" },
      phoneOf({
        name: app.name ?? app.app,
        rows: simulation.menu.map((item) => simulatedRow(item, icon(item), true)),
        language: simulation.language,
      }), onScreenList(simulation)));
}
