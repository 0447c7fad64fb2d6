/** A secret that is shown once: what it is for, the text, a button that copies it. */
import { strings } from "../strings.js";
import { announce } from "./announcements.js";
import { button, field } from "./controls.js";
import { openDialog } from "./dialog.js";
import { element } from "./element.js";

/** @param {string} title @param {string} text @param {string} secret */
export function showSecret(title, text, secret) {
  const shown = field(strings.common.secret, { value: secret, readonly: true, class: "secret" });
  const copy = button(strings.common.copy, async () => {
    shown.input.select();
    // Without a secure context there is no clipboard.
    await (navigator.clipboard?.writeText(secret) ?? Promise.reject()).catch(() => document.execCommand("copy"));
    announce(strings.common.copied);
    copy.textContent = strings.common.copied;
  }, { kind: "primary" });
  openDialog(title, { content: [element("p", {}, text), shown.row], actions: [copy], dismiss: strings.common.done, settles: true });
  shown.input.select();
}
