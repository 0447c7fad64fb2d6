/**
 * The editor's toolbar: undo, redo, the phone's pin, the state of the draft, and the buttons and keys to save, drop
 * and publish.
 */
import { sentenceOf } from "../api/problem.js";
import { difference } from "../menus/difference.js";
import { announce, guarded } from "../page/announcements.js";
import { memberName } from "../page/change-words.js";
import { button, refuse } from "../page/controls.js";
import { confirm } from "../page/dialog.js";
import { element } from "../page/element.js";
import { letterOf } from "../page/keys.js";
import { strings } from "../strings.js";

/**
 * `refusal`: why the person may not edit; `nameOf`: the title of an item of the set as it is or of an earlier one.
 * @typedef {{session: DraftSession, review: import("./review.js").Review, refusal: string | null,
 *   nameOf: (id: string, before: ShortcutSet) => string,
 *   pin: (isPinned: boolean) => void, publish: () => Promise<unknown>, dropped: () => void}} ToolbarContext
 */
export class Toolbar {
  #session;
  #context;
  /**
   * The last announced state; null before the first announcement.
   * @type {string | null}
   */
  #announced = null;

  /** @param {ToolbarContext} context @param {AbortSignal} signal removes the keys */
  constructor(context, signal) {
    const { session, refusal } = context;
    this.#session = session;
    this.#context = context;
    /** @type {(text: string, say: (words: string) => string, act: () => void) => HTMLElement} */
    const step = (text, say, act) => button(text, () => this.#step(say, act), { class: "step" });
    this.undo = step(strings.editor.undo, strings.editor.undone, () => session.undo());
    this.redo = step(strings.editor.redo, strings.editor.redone, () => session.redo());
    this.pin = button(strings.editor.pin, () => this.setPinned(!this.isPinned), { class: "pin" });
    this.saving = element("span", { class: "saving" });
    this.save = button(strings.common.save, () => session.save().catch(() => {}), { refusal });
    this.drop = button(strings.editor.drop, () => this.#drop(), { kind: "quiet", refusal });
    this.publish = button(strings.editor.publish, guarded(context.publish), { kind: "primary" });
    const { request, answer } = context.review;
    const tools = [this.undo, this.redo, this.pin, this.saving, this.save, this.drop, request, answer, this.publish];
    const group = element("div", { class: "toolbar", role: "group", "aria-label": strings.editor.toolbar }, tools);
    this.element = element("div", { class: "bar" }, group);
    document.addEventListener("keydown", (event) => this.#press(event), { signal });
  }

  get isPinned() {
    return this.pin.getAttribute("aria-pressed") === "true";
  }

  /** @param {boolean} isPinned */
  setPinned(isPinned) {
    this.pin.setAttribute("aria-pressed", String(isPinned));
    this.#context.pin(isPinned);
  }

  /** @param {number} held violations that are not shown yet */
  refresh(held) {
    const { document: edited, differs, store } = this.#session;
    const { refusal } = this.#context;
    refuse(this.undo, refusal ?? (edited.canUndo ? null : strings.editor.nothingToUndo));
    refuse(this.redo, refusal ?? (edited.canRedo ? null : strings.editor.nothingToRedo));
    refuse(this.publish, refusal ?? (differs ? null : strings.editor.nothingToPublish(store.standing?.revision)));
    this.drop.hidden = store.tag === null;
    this.save.hidden = !this.#session.isOnlyMerged;
    this.#context.review.refresh();
    const { isNext, request } = this.#context.review;
    this.publish.className = isNext || !request.hidden ? "" : "primary";
    this.#say(held);
  }

  /**
   * Shows the draft's state, and announces final states.
   * @param {number} held
   */
  #say(held) {
    const { state, findings, isOnlyMerged, store: { tag } } = this.#session;
    const count = findings.violations.length - held;
    const text = this.#words(count);
    this.saving.textContent = text;
    this.saving.className = `saving ${state}`;
    const resting = `${state} ${tag ?? ""} ${count}`;
    const isFinal = (state === "saved" && tag !== null && !isOnlyMerged) || ["refused", "unsaved"].includes(state);
    if (isFinal && this.#announced !== null && resting !== this.#announced) announce(text, { quiet: true });
    this.#announced = resting;
  }

  /** @param {number} count of violations that are shown @returns {string} */
  #words(count) {
    const { state, problem, isOnlyMerged, store: { tag, base, standing } } = this.#session;
    if (state === "refused") return strings.editor.refused(count);
    if (state === "unsaved") {
      if (problem?.status === 401) return strings.editor.signedOut;
      return problem?.isPassing
        ? strings.editor.retrying
        : strings.editor.unsaved(problem ? sentenceOf(problem) : "");
    }
    if (state !== "saved") {
      return {
        editing: strings.editor.editing, saving: strings.editor.savingNow, contested: strings.editor.contested,
      }[state];
    }
    if (isOnlyMerged) return strings.editor.onlyMerged(base);
    return tag ? strings.editor.saved(count) : standing ? strings.editor.isPublished(standing.revision) : "";
  }

  /**
   * Undoes or redoes a step and announces the change, which may be out of sight.
   * @param {(words: string) => string} say @param {() => void} step
   */
  #step(say, step) {
    const before = this.#session.set;
    step();
    const nameOf = (/** @type {string} */ id) => this.#context.nameOf(id, before);
    announce(say(strings.editor.step(difference(before, this.#session.set), nameOf, memberName)));
  }

  #drop() {
    confirm(strings.editor.drop, strings.editor.dropText, strings.editor.drop, async () => {
      await this.#session.drop();
      announce(strings.editor.dropped);
      this.#context.dropped();
    }, { kind: "danger" });
  }

  /**
   * Keys press their buttons, or announce why a button is disabled. Undo works everywhere, so that it also restores a
   * removed item.
   * @param {KeyboardEvent} event
   */
  #press(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector("dialog:modal")) return;
    const key = letterOf(event);
    if (key === "z" && !event.shiftKey) press(this.undo);
    else if (key === "y" || (key === "z" && event.shiftKey)) press(this.redo);
    else if (key === "s") this.#session.save().catch(() => {});
    else if (key === "enter") press(this.publish);
    else return;
    event.preventDefault();
  }
}

/** @param {HTMLElement} control */
function press(control) {
  const reason = control.getAttribute("aria-disabled") === "true" && control.getAttribute("aria-description");
  if (reason) announce(reason);
  else control.click();
}
