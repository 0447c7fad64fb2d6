/** Buttons, fields and messages. */
import { isNever } from "../api/session.js";
import { strings } from "../strings.js";
import { element, setAttribute, uniqueID } from "./element.js";

/** Milliseconds in which the second click of a double click may follow. */
const SETTLING = 1000;
let settledAt = 0;

/** Notes that a request was sent, so that new buttons with `settles` ignore clicks for a moment. */
export function settle() {
  settledAt = Date.now() + SETTLING;
}

/**
 * A button. A disabled one can still get the focus and has the reason as its description. Clicks are ignored while its
 * work runs. With `settles`, they are also ignored right after a request was sent, because the second click of a
 * double click may hit the button.
 * @param {string} text @param {((event: MouseEvent) => unknown) | null} press @param {ButtonOptions} options
 */
export function button(text, press, { refusal = null, kind, label, icon, settles = false, ...attributes } = {}) {
  const made = element("button", { type: "button", class: kind, "aria-label": label, ...attributes }, icon, text);
  let isBusy = false;
  made.addEventListener("click", async (event) => {
    if (made.getAttribute("aria-disabled") === "true") return event.preventDefault();
    const work = isBusy ? null : press?.(event);
    if (!(work instanceof Promise)) return;
    isBusy = true;
    settle();
    try {
      await work;
    } finally {
      isBusy = false;
    }
  });
  refuse(made, refusal);
  const left = settledAt - Date.now();
  if (settles && left > 0 && refusal === null) {
    refuse(made, strings.common.underWay);
    setTimeout(() => {
      refuse(made, null);
      setAttribute(made, "aria-description", attributes["aria-description"] ?? null);
    }, left);
  }
  return made;
}

/**
 * Disables a control with a reason; null enables it. A button that the session's role never allows is left out.
 * @param {HTMLElement} control @param {string | null} reason
 */
export function refuse(control, reason) {
  if (reason === null && !control.hasAttribute("aria-disabled")) return;
  if (isNever(reason) && control.localName === "button") control.dataset.never = "";
  setAttribute(control, "aria-disabled", reason === null ? null : "true");
  setAttribute(control, "aria-description", reason);
  setAttribute(control, "title", reason);
}

/**
 * A labelled input, or another element named by `tag`.
 * @param {string} label @param {FieldOptions} options @returns {Field}
 */
export function field(label, { type = "text", hint, tag = "input", ...attributes } = {}) {
  const id = uniqueID("field");
  const input = /** @type {HTMLInputElement} */ (element(
    tag, { id, type: tag === "input" ? type : null, autocomplete: "off", spellcheck: "false", ...attributes },
  ));
  const messages = element("div", { class: "messages", id: uniqueID("messages") });
  const hinted = hint ? element("div", { class: "hint", id: uniqueID("hint") }, hint) : null;
  input.setAttribute("aria-describedby", hinted?.id ?? messages.id);
  if (hinted) input.dataset.hint = hinted.id;
  const row = element("div", { class: "field" }, element("label", { for: id }, label), input, hinted, messages);
  return { row, input, messages, say: (found) => sayAt(input, messages, found) };
}

/**
 * Removes a field's errors when its text changes, not when a click leaves it: the button under the pointer would move.
 * @param {Field} edited
 */
export function forgive(edited) {
  edited.input.addEventListener("input", () => edited.say([]));
  return edited;
}

/**
 * Shows violations and warnings at an input, or only in their place.
 * @param {HTMLElement | null} input @param {HTMLElement} place @param {Finding[]} found
 */
export function sayAt(input, place, found) {
  const wanted = found.map(({ message, severity }) => `${severity} ${message}`).join("\n");
  if (place.dataset.said === wanted) return;
  place.dataset.said = wanted;
  place.replaceChildren(...found.map(({ message, severity }) => element("p", { class: severity }, message)));
  // Screen readers read errors without the hint.
  if (input?.dataset.hint) setAttribute(input, "aria-describedby", found.length > 0 ? place.id : input.dataset.hint);
  if (input) {
    setAttribute(input, "aria-invalid", found.some(({ severity }) => severity === "violation") ? "true" : null);
  }
}

/**
 * Shows violations at their fields and returns the others. `types[0]` is shown at `types`.
 * @param {Record<string, Field>} fields by path @param {Violation[]} violations
 */
export function sayViolations(fields, violations) {
  /** @type {Violation[]} */
  const left = [];
  for (const entry of Object.values(fields)) entry.say([]);
  for (const violation of violations) {
    const place = fields[violation.path] ?? fields[violation.path.split(/[.[]/, 1)[0]];
    if (place) place.say([{ message: violation.message, severity: "violation" }]);
    else left.push(violation);
  }
  return left;
}

/**
 * A group of checkboxes as a field. Its value has a line for each checked option.
 * @param {string} label @param {readonly string[]} options
 * @param {{chosen?: readonly string[], hint?: string, names?: Record<string, string | null>}} given `names` of options
 *   that are ids, which stay below their names
 * @returns {Field}
 */
export function choices(label, options, { chosen = [], hint, names = {} } = {}) {
  const boxes = options.map((option) => element("input", {
    type: "checkbox", value: option, checked: chosen.includes(option),
    ...(names[option] && { "aria-label": option, "aria-description": names[option] }),
  }));
  const messages = element("div", { class: "messages", id: uniqueID("messages") });
  const hinted = hint ? element("div", { class: "hint", id: uniqueID("hint") }, hint) : null;
  const group = element(
    "fieldset", { class: "choices", "aria-describedby": [messages.id, hinted?.id].filter(Boolean).join(" ") },
    element("legend", {}, label),
    element("div", {}, ...boxes.map((box, place) => {
      const [option, name] = [options[place], names[options[place]]];
      return element("label", {}, box, element(
        "span", {}, name && [element("bdi", {}, name), " "], element("span", { class: name ? "hint" : null }, option),
      ));
    })), hinted, messages);
  Object.defineProperties(group, {
    value: { get: () => options.filter(
      (_, place) => /** @type {HTMLInputElement} */ (boxes[place]).checked
    ).join("\n") },
    focus: { value: () => boxes[0]?.focus() },
  });
  const input = /** @type {any} */ (group);
  return { row: group, input, messages, say: (found) => sayAt(group, messages, found) };
}

/**
 * A text for an empty list, with the first thing to do.
 * @param {string} text @param {...Child} actions
 */
export function emptyPlace(text, ...actions) {
  return element("div", { class: "empty" }, element("p", {}, text), ...actions);
}

/**
 * Accepts dropped files. Each such place also has a button for files.
 * @param {HTMLElement} place @param {(file: File) => unknown} take
 */
export function acceptsFiles(place, take) {
  const over = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    place.classList.add("dropping");
  };
  place.addEventListener("dragover", over);
  place.addEventListener("dragleave", () => place.classList.remove("dropping"));
  place.addEventListener("drop", (event) => {
    place.classList.remove("dropping");
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    for (const file of event.dataTransfer.files) take(file);
  });
}
