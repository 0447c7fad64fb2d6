import { languagesOf } from "../menus/document.js";

/**
 * The document of an editor with its undo steps.
 * @typedef {{set: ShortcutSet, languages: string[]}} State
 */
export class DraftDocument {
  /** @type {State} */
  #now;
  /** @type {State[]} */
  #past = [];
  /** @type {State[]} */
  #future = [];
  /** @type {string | null} */
  #step = null;

  /** @param {ShortcutSet} set */
  constructor(set) {
    this.#now = { set, languages: tagsOf(set) };
  }

  get set() {
    return this.#now.set;
  }

  /**
   * Languages with a row in each item. A language keeps its row when its last text is deleted, so that a new text can
   * be typed.
   */
  get languages() {
    return this.#now.languages;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /**
   * @param {ShortcutSet} set
   * @param {string | null} step consecutive edits with the same text, such as a field's path, are undone together
   */
  edit(set, step = null) {
    this.#push({ set, languages: [...new Set([...this.languages, ...tagsOf(set)])] }, step);
  }

  /**
   * Replaces the document and its rows by those of another one. Undo brings them back.
   * @param {ShortcutSet} set
   */
  reset(set) {
    this.#push({ set, languages: tagsOf(set) }, null);
  }

  /**
   * Adds a row for the language to each item. The document does not change, but undo removes the row.
   * @param {string} tag
   */
  addLanguage(tag) {
    this.#push({ set: this.set, languages: [...this.languages, tag] }, null);
  }

  /** Ends the step: the next edit begins a new one, even in the same field. */
  endStep() {
    this.#step = null;
  }

  undo() {
    this.#move(this.#past, this.#future);
  }

  redo() {
    this.#move(this.#future, this.#past);
  }

  /** @param {State[]} from @param {State[]} to */
  #move(from, to) {
    const state = from.pop();
    if (!state) return;
    to.push(this.#now);
    this.#now = state;
    this.#step = null;
  }

  /** @param {State} state @param {string | null} step */
  #push(state, step) {
    if (step === null || step !== this.#step) this.#past.push(this.#now);
    if (this.#past.length > 500) this.#past.shift();
    this.#step = step;
    this.#future = [];
    this.#now = state;
  }
}

/** @param {ShortcutSet} set */
const tagsOf = (set) => languagesOf(set, "").slice(1);
