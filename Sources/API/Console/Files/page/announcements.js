/** Messages about saved and published changes (role=status) and errors (role=alert). Screen readers read both. */
import { isAbort, sentenceOf } from "../api/problem.js";
import { strings } from "../strings.js";
import { button } from "./controls.js";
import { element, replaceChildren } from "./element.js";

/** Milliseconds for which the button of an announcement stays. */
const LASTING = 15_000;
/** An announcement of this age, in milliseconds, is not about the room that opens. */
const OLD = 1000;
let announcedAt = 0;

const status = element("div", { role: "status" });
const undoing = element("div");
const alerts = element("div", { class: "alerts" });

export const announcementPlaces = [element("div", { class: "status" }, status, undoing), alerts];

/**
 * @param {string} text
 * @param {{quiet?: boolean, undo?: (() => void) | null}} options `quiet`: only screen readers get the text, because the
 *   room shows it already; `undo`: undoes what is announced, with a button beside the text
 */
export function announce(text, { quiet = false, undo = null } = {}) {
  // An automatic save does not take the button away.
  if (!quiet) replaceChildren(undoing, undo && undoable(text, undo));
  announcedAt = Date.now();
  // A new element each time, so that the same text is shown and read again.
  status.replaceChildren(element("p", { class: quiet || undo ? "quiet" : null }, text));
  document.querySelector("dialog:modal .aloud")?.replaceChildren(element("p", {}, text));
}

/** @param {string} text @param {() => void} undo */
function undoable(text, undo) {
  const shown = element("p", {}, element("span", { "aria-hidden": "true" }, text), button(strings.editor.undo, undo));
  setTimeout(() => shown.matches(":hover, :focus-within") || shown.remove(), LASTING);
  return shown;
}

/**
 * Shows an error until it is dismissed or the place is left. Cancelled requests are not errors, and a 401 opens the
 * sign-in form.
 * @param {any} error
 */
export function alarm(error) {
  if (isAbort(error) || error.status === 401) return;
  /** @type {HTMLElement[]} */
  const texts = [element("p", {}, sentenceOf(error))];
  if (error.violations?.length) {
    texts.push(
      element("ul", {}, ...error.violations.map((/** @type {Violation} */ { message }) => element("li", {}, message)))
    );
  }
  const dismiss = button(strings.common.dismiss, () => shown.remove(), { kind: "quiet" });
  const shown = element("div", { class: "alert" }, element("div", { role: "alert" }, ...texts), dismiss);
  alerts.replaceChildren(shown);
  if (!("status" in error)) console.error(error);
}

/** Removes an announcement of the room that is left. */
export function clearStatus() {
  if (Date.now() - announcedAt > OLD) status.replaceChildren();
}

export function clearAlarms() {
  alerts.replaceChildren();
  undoing.replaceChildren();
}

/**
 * Runs a control's work and shows its error.
 * @template {any[]} Values @template Result @param {(...values: Values) => Promise<Result> | Result} work
 * @returns {(...values: Values) => Promise<Result | undefined>}
 */
export function guarded(work) {
  return async (...values) => {
    try {
      return await work(...values);
    } catch (error) {
      alarm(error);
    }
  };
}
