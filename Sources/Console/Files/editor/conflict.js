/**
 * What two editors both changed, side by side: as a modal dialog when somebody publishes, and as one in the page when it comes to light.
 */
import { menuOf } from "../menus/shown.js";
import { button } from "../page/controls.js";
import { openDialog } from "../page/dialog.js";
import { element, uniqueID } from "../page/element.js";
import { written } from "../page/format.js";
import { strings } from "../strings.js";

/** @param {Contest[]} contests @param {Conflict["cause"]} cause @returns {Promise<Choices | null>} null where it is put off */
export function askForChoices(contests, cause) {
  return new Promise((resolve) => {
    const choices = startingChoices(contests);
    const { close } = openDialog(strings.conflict.title, {
      wide: true,
      content: [element("p", {}, strings.conflict.explanation(cause)), ...contests.map((contest) => choiceOf(contest, choices))],
      actions: [button(strings.conflict.merge, null, { kind: "primary", type: "submit" })],
      submit: () => {
        resolve(choices);
        close();
      },
      onClose: () => resolve(null),
    });
  });
}

/**
 * The same in the page, where work goes on beside it.
 * @param {Conflict} conflict @param {(choices: Choices) => void} merge
 */
export function conflictPanel({ contests, cause }, merge) {
  const choices = startingChoices(contests);
  const heading = element("h2", { id: uniqueID("conflict") }, strings.conflict.title);
  return element("dialog", { open: true, class: "in-page", "aria-labelledby": heading.id }, heading,
    element("p", {}, strings.conflict.explanation(cause)), ...contests.map((contest) => choiceOf(contest, choices)),
    element("div", { class: "actions" }, button(strings.conflict.merge, () => merge(choices), { kind: "primary" })));
}

/** @param {Contest[]} contests @returns {Choices} */
function startingChoices(contests) {
  return new Map(contests.map(({ key }) => [key, "mine"]));
}

/** @param {Contest} contest @param {Choices} choices */
function choiceOf(contest, choices) {
  const name = uniqueID("choice");
  const heading = element("h3", { id: uniqueID("contest") }, contest.key);
  const side = (/** @type {"mine" | "theirs"} */ which, /** @type {string} */ label) => {
    const radio = element("input", { type: "radio", name, value: which, checked: choices.get(contest.key) === which, "aria-label": label });
    radio.addEventListener("change", () => choices.set(contest.key, which));
    return element(
      "label",
      { class: "side" },
      element("span", { class: "side-name" }, radio, label),
      element("span", { class: "side-value", dir: "auto" }, shown(contest, contest[which])),
    );
  };
  return element("div", { role: "radiogroup", "aria-labelledby": heading.id, class: "contest" },
    heading,
    element("p", { class: "hint" }, strings.conflict.before(shown(contest, contest.base))),
    element("div", { class: "sides" }, side("mine", strings.conflict.mine), side("theirs", strings.conflict.theirs)));
}

/** @param {Contest} contest @param {any} value */
function shown(contest, value) {
  if (contest.member === "removed") {
    if (value === undefined) return strings.conflict.removed;
    const [row] = menuOf({ items: [value] }, [], Object.keys(value.title)[0] ?? "", Object.keys(value.title)[0] ?? "").shown;
    return strings.conflict.kept(row?.title ?? value.id);
  }
  if (contest.member === "order") return value.join(", ");
  if (contest.member === "enabled") return written(value !== false);
  return written(value);
}
