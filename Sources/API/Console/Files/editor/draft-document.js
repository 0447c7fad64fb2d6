import { languagesOf } from "../menus/document.js";

/** The steps that survive a merge. Each is merged by a request. */
const KEPT_STEPS = 20;

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
   * Puts a merge with changes by others in place of the document, and below its steps, so that Undo takes back own
   * edits only. Steps that collide with the changes are forgotten, with those before them.
   * @param {ShortcutSet} set
   * @param {(base: ShortcutSet, mine: ShortcutSet, theirs: ShortcutSet) => Promise<{set: ShortcutSet, conflicts:
   *   Contest[]}>} merge
   */
  async merge(set, merge) {
    const before = this.set;
    const found = tagsOf(set);
    this.#step = null;
    this.#now = { set, languages: [...new Set([...this.languages, ...found])] };
    this.#past = this.#past.slice(-KEPT_STEPS);
    this.#future = this.#future.slice(-KEPT_STEPS);
    await Promise.all([...this.#past, ...this.#future].map(async (state) => {
      const merged = await merge(before, state.set, set).catch(() => null);
      if (merged?.conflicts.length === 0) {
        return Object.assign(state, { set: merged.set, languages: [...new Set([...state.languages, ...found])] });
      }
      const [past, future] = [this.#past, this.#future].map((states) => states.slice(states.indexOf(state) + 1));
      [this.#past, this.#future] = [past, future];
    }));
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
