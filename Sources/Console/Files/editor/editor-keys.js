/**
 * The editor's keys: undo, redo, save, publish. Undo is the editor's own everywhere, so that it also takes back what was moved or removed.
 */
import { announce } from "../page/announcements.js";
import { letterOf } from "../page/keys.js";

/**
 * A key does what its button does, and says why not where the button may not be pressed.
 * @param {import("../page/room.js").Room & {undo: HTMLElement, redo: HTMLElement, publish: HTMLElement}} room @param {DraftSession} session
 */
export function installEditorKeys(room, session) {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector("dialog:modal")) return;
    const key = letterOf(event);
    if (key === "z" && !event.shiftKey) press(room.undo);
    else if (key === "y" || (key === "z" && event.shiftKey)) press(room.redo);
    else if (key === "s") session.save().catch(() => {});
    else if (key === "enter") press(room.publish);
    else return;
    event.preventDefault();
  }, { signal: room.signal });
}

/** @param {HTMLElement} control */
function press(control) {
  const reason = control.getAttribute("aria-disabled") === "true" && control.getAttribute("aria-description");
  if (reason) announce(reason);
  else control.click();
}
