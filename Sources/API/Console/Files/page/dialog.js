/** Modal dialogs: a form with its buttons last. Escape and Cancel close; the focus returns to where it was. */
import { isAbort, sentenceOf } from "../api/problem.js";
import { strings } from "../strings.js";
import { announce } from "./announcements.js";
import { button, field, forgive, sayViolations, settle } from "./controls.js";
import { element, uniqueID } from "./element.js";

/**
 * @param {string} title the dialog's name
 * @param {{content: Child[], actions: Child[], submit?: () => unknown, wide?: boolean, dismiss?: string, settles?:
 *   boolean, onClose?: () => void}} parts `dismiss`: another label for Cancel; `settles`: whether Cancel ignores the
 *   second click of a double click
 * @returns {{dialog: HTMLDialogElement, close: () => void, fail: (error: any) => void}}
 */
export function openDialog(
  title, { content, actions, submit, wide = false, dismiss = strings.common.cancel, settles = false, onClose },
) {
  const isForm = submit !== undefined;
  const heading = element("h2", { id: uniqueID("dialog"), tabindex: -1, autofocus: !isForm }, title);
  const errors = element("div", { class: "dialog-errors" });
  const form = element(
    "form",
    { method: "dialog", novalidate: true },
    heading,
    element("div", { class: "dialog-content" }, ...content),
    errors,
    // Announcements while the dialog is open, because the page's own region is inert.
    element("div", { class: "aloud", "aria-live": "polite" }),
    element("div", { class: "actions" }, button(dismiss, () => dialog.close(), { kind: "quiet", settles }), ...actions),
  );
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", {
    "aria-labelledby": heading.id, class: wide ? "wide" : null, "data-place": location.hash,
  }, form);
  let isBusy = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    settle();
    try {
      await submit?.();
    } finally {
      isBusy = false;
    }
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose?.();
  });
  // Screen readers read a field's errors also while it has the focus.
  form.querySelectorAll(".messages").forEach((messages) => messages.setAttribute("aria-live", "assertive"));
  document.body.append(dialog);
  dialog.showModal();
  const fail = (/** @type {any} */ error) => {
    if (isAbort(error)) return;
    const shown = (error.violations ?? []).map((/** @type {Violation} */ { message }) => element("li", {}, message));
    errors.replaceChildren(
      element(
        "div",
        { role: "alert", class: "alert" },
        element("div", {}, element("p", {}, sentenceOf(error)), shown.length > 0 && element("ul", {}, ...shown)),
      ),
    );
    if (!("status" in error)) console.error(error);
  };
  return { dialog, close: () => dialog.close(), fail };
}

/**
 * Asks before an action that cannot be undone with a key.
 * @param {string} title @param {string} text @param {string} action @param {() => Promise<void>} act
 * @param {ButtonOptions} options
 */
export function confirm(title, text, action, act, { kind = "primary", dismiss } = {}) {
  const run = async () => {
    try {
      await act();
      opened.close();
    } catch (error) {
      opened.fail(error);
    }
  };
  const opened = openDialog(title, {
    content: [element("p", {}, text)], actions: [button(action, null, { kind, type: "submit" })], submit: run, dismiss,
  });
  return opened;
}

/**
 * Asks for a few texts, and closes when `act` succeeds.
 * @template {string} Name
 * @param {string} title @param {Record<Name, Field>} fields @param {string} action
 * @param {(values: Record<Name, string>) => Promise<void>} act
 * @param {{kind?: "primary" | "danger"}} options
 */
export function ask(title, fields, action, act, { kind = "primary" } = {}) {
  /** @type {Record<string, Field>} */
  const known = fields;
  const entries = Object.values(known).map(forgive);
  const run = async () => {
    try {
      for (const entry of entries) entry.say([]);
      const empty = entries.filter(({ input }) => input.required && input.value.trim() === "");
      for (const entry of empty) entry.say([{ message: strings.errors.missing, severity: "violation" }]);
      if (empty.length > 0) return empty[0].input.focus();
      const values = Object.entries(known).map(([name, entry]) => [name, entry.input.value.trim()]);
      await act(/** @type {Record<Name, string>} */ (Object.fromEntries(values)));
      opened.close();
    } catch (error) {
      const left = sayViolations(known, error.violations ?? []);
      if (left.length > 0 || !error.violations?.length) opened.fail(Object.assign(error, { violations: left }));
      entries.find((entry) => entry.input.getAttribute("aria-invalid"))?.input.focus();
    }
  };
  const opened = openDialog(title, {
    content: entries.map((entry) => entry.row),
    actions: [button(action, null, { kind, type: "submit" })],
    submit: run,
  });
  entries[0].input.focus();
  return opened;
}

/**
 * A field with a secret, and a button that copies it.
 * @param {string} label @param {string} secret
 */
export function secretField(label, secret) {
  const shown = field(label, { value: secret, readonly: true, class: "secret" });
  const copy = button(strings.common.copy, async () => {
    shown.input.select();
    // Only secure contexts have a clipboard.
    await (navigator.clipboard?.writeText(secret) ?? Promise.reject()).catch(() => document.execCommand("copy"));
    announce(strings.common.copied);
    copy.textContent = strings.common.copied;
  }, { kind: "primary" });
  return { ...shown, copy };
}

/**
 * Shows a secret once.
 * @param {string} title @param {string} text @param {string} secret
 */
export function showSecret(title, text, secret) {
  const { row, input, copy } = secretField(strings.common.secret, secret);
  openDialog(
    title, { content: [element("p", {}, text), row], actions: [copy], dismiss: strings.common.done, settles: true },
  );
  input.select();
}
