/**
 * The history of an editor's states. Consecutive edits of one field are one step.
 * @template State
 */
export class UndoHistory {
  /** @type {State[]} */
  #past = [];
  /** @type {State[]} */
  #future = [];
  /** @type {string | null} */
  #step = null;

  /** @param {State} state */
  constructor(state) {
    this.state = state;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** @param {State} state @param {string | null} step edits with the same text are one step, such as a field's path; null begins a new step */
  push(state, step = null) {
    if (state === this.state) return;
    if (step === null || step !== this.#step) this.#past.push(this.state);
    if (this.#past.length > 500) this.#past.shift();
    this.#step = step;
    this.#future = [];
    this.state = state;
  }

  /** Ends the step: the next edit begins a new one, even in the same field. */
  endStep() {
    this.#step = null;
  }

  undo() {
    if (!this.canUndo) return;
    this.#future.push(this.state);
    this.state = /** @type {State} */ (this.#past.pop());
    this.#step = null;
  }

  redo() {
    if (!this.canRedo) return;
    this.#past.push(this.state);
    this.state = /** @type {State} */ (this.#future.pop());
    this.#step = null;
  }
}
