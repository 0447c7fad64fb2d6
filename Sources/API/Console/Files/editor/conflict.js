/**
 * The changes of two editors that conflict, side by side: in a modal dialog while publishing, otherwise in a dialog
 * within the page.
 */
import { menuOf } from "../menus/shown.js";
import { announce } from "../page/announcements.js";
import { memberName } from "../page/change-words.js";
import { button } from "../page/controls.js";
import { openDialog } from "../page/dialog.js";
import { element, replaceChildren, uniqueID } from "../page/element.js";
import { written } from "../page/format.js";
import { strings } from "../strings.js";
import { newsWords } from "./review.js";
import { direction, languageName } from "../values/language.js";

/** @typedef {(id: string) => string} NameOf the title of an item, or its id */

/**
 * @param {Conflict} conflict @param {NameOf} nameOf
 * @returns {Promise<Choices | null>} null if the dialog was closed
 */
export function askForChoices({ contests, ...news }, nameOf) {
  return new Promise((resolve) => {
    /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog:modal")).forEach(
      (dialog) => dialog.close()
    );
    const choices = startingChoices(contests);
    const { dialog, close } = openDialog(strings.conflict.title, {
      wide: true,
      content: [
        element("p", {}, newsWords(news), strings.conflict.explanation),
        ...contests.map((contest) => choiceOf(contest, choices, nameOf)),
      ],
      actions: [button(strings.conflict.merge, null, { kind: "primary", type: "submit" })],
      submit: () => {
        resolve(choices);
        close();
      },
      onClose: () => resolve(null),
    });
    const heading = /** @type {HTMLElement} */ (dialog.querySelector("h2"));
    heading.tabIndex = -1;
    heading.focus();
  });
}

/** The same within the page, so that editing can go on. */
export class ConflictPanel {
  element = element("div");
  /** @type {Conflict | null} */
  #shown = null;
  /** @type {Choices | undefined} */
  #choices;
  #nameOf;
  #merge;
  #putOff;

  /**
   * @param {NameOf} nameOf @param {(conflict: Conflict, choices: Choices) => unknown} merge
   * @param {(conflict: Conflict) => void} putOff called by Escape
   */
  constructor(nameOf, merge, putOff) {
    this.#nameOf = nameOf;
    this.#merge = merge;
    this.#putOff = putOff;
  }

  /** @param {Conflict | null} conflict */
  refresh(conflict) {
    if (conflict === this.#shown) return;
    this.#shown = conflict;
    const hadFocus = this.element.contains(document.activeElement);
    const drawn = conflict && this.#draw(conflict);
    this.#choices = drawn?.choices;
    replaceChildren(this.element, drawn?.dialog);
    if (hadFocus) drawn?.heading.focus();
    if (conflict) announce(strings.editor.collides(conflict.contests.length));
  }

  /** @param {Conflict} conflict */
  #draw(conflict) {
    const choices = startingChoices(conflict.contests, this.#choices);
    const heading = element("h2", { id: uniqueID("conflict"), tabindex: -1 }, strings.conflict.title);
    const merge = button(strings.conflict.merge, () => this.#merge(conflict, choices), { kind: "primary" });
    const dialog = element("dialog", { open: true, class: "in-page", "aria-labelledby": heading.id },
      heading,
      element("p", {}, newsWords(conflict), strings.conflict.explanation),
      ...conflict.contests.map((contest) => choiceOf(contest, choices, this.#nameOf)),
      element("div", { class: "actions" }, merge));
    dialog.addEventListener("keydown", (event) => event.key === "Escape" && this.#putOff(conflict));
    return { dialog, heading, choices };
  }
}

/** @param {Contest[]} contests @param {Choices} former @returns {Choices} */
function startingChoices(contests, former = new Map()) {
  return new Map(contests.map(({ key }) => [key, former.get(key) ?? "mine"]));
}

/** @param {Contest} contest @param {Choices} choices @param {NameOf} nameOf */
function choiceOf(contest, choices, nameOf) {
  const name = uniqueID("choice");
  const heading = element("h3", { id: uniqueID("contest") }, ...subjectOf(contest, nameOf));
  const before = element(
    "p", { class: "hint", id: uniqueID("before") }, strings.conflict.before, shown(contest, contest.base),
  );
  const side = (/** @type {"mine" | "theirs"} */ which, /** @type {string} */ label) => {
    const value = element("span", { class: "side-value", id: uniqueID("value") }, shown(contest, contest[which]));
    const radio = element("input", {
      type: "radio", name, value: which, checked: choices.get(contest.key) === which, "aria-label": label,
      "aria-describedby": value.id,
    });
    radio.addEventListener("change", () => choices.set(contest.key, which));
    return element("label", { class: "side" }, element("span", { class: "side-name" }, radio, label), value);
  };
  return element(
    "div", { role: "radiogroup", "aria-labelledby": heading.id, "aria-describedby": before.id, class: "contest" },
    heading,
    before,
    element("div", { class: "sides" }, side("mine", strings.conflict.mine), side("theirs", strings.conflict.theirs)));
}

/**
 * The item and the member in words; for a member of the menu without an item.
 * @param {Contest} contest @param {NameOf} nameOf @returns {Child[]}
 */
function subjectOf({ item, member }, nameOf) {
  const { members, member: textIn, of } = strings.conflict;
  const [name, ...rest] = member.split(".");
  const inner = rest.join(".");
  if (member === "order" || member === "fallbackURL") return [members[member]];
  const words = name === "title" || name === "subtitle"
    ? textIn(name, languageName(inner))
    : /** @type {Record<string, string>} */ (members)[name] ?? memberName(member);
  return of(element("bdi", {}, nameOf(item ?? inner)), words);
}

/** @param {Contest} contest @param {any} value @returns {Child} */
function shown(contest, value) {
  const tag = /^(?:sub)?title\.(.+)$/.exec(contest.member)?.[1];
  return tag
    ? element("bdi", { lang: tag, dir: direction(tag) }, written(value))
    : element("bdi", {}, words(contest, value));
}

/** @param {Contest} contest @param {any} value */
function words(contest, value) {
  if (contest.member === "removed") {
    if (value === undefined) return strings.conflict.removed;
    const [row] = menuOf(
      { items: [value] }, [], Object.keys(value.title)[0] ?? "", Object.keys(value.title)[0] ?? "",
    ).shown;
    return strings.conflict.kept(row?.title ?? value.id);
  }
  if (contest.member === "order") return value.join(", ");
  if (contest.member === "enabled") return written(value !== false);
  if (contest.member.startsWith("retired.")) {
    return value ? strings.conflict.retired(value.url) : strings.conflict.notRetired;
  }
  return written(value);
}
