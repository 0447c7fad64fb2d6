/**
 * The editor's keys: undo, redo, save, publish. Undo is the editor's own everywhere, so that it also takes back what was moved or removed.
 */
import { letterOf } from "../page/keys.js";

/** @param {import("../page/room.js").Room} room @param {DraftSession} session @param {() => void} publish */
export function installEditorKeys(room, session, publish) {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector("dialog:modal")) return;
    const key = letterOf(event);
    if (key === "z" && !event.shiftKey) session.canUndo && session.undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) session.canRedo && session.redo();
    else if (key === "s") session.flush().catch(() => {});
    else if (key === "enter") publish();
    else return;
    event.preventDefault();
  }, { signal: room.signal });
}
