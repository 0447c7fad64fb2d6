/** Messages about saved and published changes (role=status) and errors (role=alert). Screen readers read both. */
import { isAbort, sentenceOf } from "../api/problem.js";
import { strings } from "../strings.js";
import { button } from "./controls.js";
import { element } from "./element.js";

const status = element("div", { role: "status", class: "status" });
const alerts = element("div", { class: "alerts" });

export const announcementPlaces = [status, alerts];

/**
 * @param {string} text
 * @param {{quiet?: boolean}} options `quiet`: only screen readers get the text, because the room shows it already
 */
export function announce(text, { quiet = false } = {}) {
  // A new element each time, so that the same text is shown and read again.
  status.replaceChildren(element("p", { class: quiet ? "quiet" : null }, text));
  document.querySelector("dialog:modal .aloud")?.replaceChildren(element("p", {}, text));
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

export function clearAlarms() {
  alerts.replaceChildren();
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
