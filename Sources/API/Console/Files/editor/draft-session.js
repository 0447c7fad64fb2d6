/**
 * One editor's work on a set: edits the document, saves it, and merges it when somebody else saved or published. It
 * has no user interface. Events: `change` to draw again, `merged` after a merge, `restored` when it continues with
 * edits that an earlier session could not save.
 */
import { Problem, isAbort } from "../api/problem.js";
import { mergeSets } from "../api/apps.js";
import { EMPTY_SET, itemOf, sameSet } from "../menus/document.js";
import { strings } from "../strings.js";
import { same } from "../values/json.js";
import { DraftDocument } from "./draft-document.js";
import { DraftStore } from "./draft-store.js";
import { Reconciler } from "./reconciler.js";

const JUDGE_AFTER = 150;
const SAVE_AFTER = 600;
/** Milliseconds until the next attempt if the service could not be reached. */
const RETRY_AFTER = 5000;

/** How often a publish starts again after somebody else published first. */
const MOST_ATTEMPTS = 3;

/**
 * @typedef {import("../api/apps.js").PublishQuery} PublishQuery
 * @typedef {"saved" | "editing" | "saving" | "refused" | "contested" | "unsaved"} SavingState
 * @typedef {Map<string, DraftSession>} OpenSessions the open session of each place, and closed sessions with unsaved
 *   edits until their place is opened again
 * @typedef {{signal: AbortSignal, mayWrite: boolean, choose: (conflict: Conflict) => Promise<Choices | null>}} Editor
 *   `choose` asks about conflicts; null postpones the decision
 */
export class DraftSession extends EventTarget {
  #open;
  #signal;
  #choose;
  /** @type {AbortController | null} */
  #judging = null;
  /**
   * The document of `findings`.
   * @type {ShortcutSet | null}
   */
  #judged = null;
  /** @type {Record<string, ReturnType<typeof setTimeout>>} */
  #timers = {};
  /**
   * Whether there was an edit or a decision here. A merge for a mere viewer is not saved, because saving would make
   * them an editor.
   */
  #isMine = false;
  /** Whether this session published its draft. Nothing is left to save. */
  #isDone = false;
  /** @type {DraftDocument} */
  document;
  /** @type {{violations: Violation[], warnings: Warning[]}} */
  findings = { violations: [], warnings: [] };
  /** @type {SavingState} */
  state = "saved";
  /** @type {Problem | null} */
  problem = null;
  /**
   * The last change by somebody else that was merged here.
   * @type {News | null}
   */
  news = null;
  /**
   * Conflicts without a decision.
   * @type {Conflict | null}
   */
  conflict = null;

  /**
   * @param {OpenSessions} open @param {{app: string, version: string, audience: string}} place @param {Editor} editor
   */
  constructor(open, place, { signal, mayWrite, choose }) {
    super();
    this.#open = open;
    this.#signal = signal;
    this.#choose = choose;
    this.mayWrite = mayWrite;
    this.store = new DraftStore(place);
  }

  get isLoaded() {
    return this.document !== undefined;
  }

  get set() {
    return this.document.set;
  }

  /**
   * An item by its id, also if it was removed here.
   * @param {string} id
   */
  itemOf(id) {
    const { shared, standing } = this.store;
    return itemOf(this.set, id) ?? itemOf(shared, id) ?? (standing ? itemOf(standing.set, id) : undefined);
  }

  get isSaved() {
    return !this.#isMine || sameSet(this.set, this.store.shared);
  }

  /** Whether the draft is shown merged with a later publish, and the merge is not saved. */
  get isOnlyMerged() {
    return !this.#isMine && this.store.tag !== null && !this.store.has(this.set);
  }

  /** Whether a publish would change the set. */
  get differs() {
    return !this.store.standing || !sameSet(this.set, this.store.standing.set);
  }

  async load() {
    const former = this.mayWrite ? this.#open.get(this.store.key) : undefined;
    await former?.store.settled();
    const stored = await this.store.read();
    const continued = former?.isSaved === false ? former : null;
    if (continued) {
      this.#isMine = true;
      this.document = continued.document;
      this.store = continued.store;
      this.store.standing = stored.standing;
    } else {
      this.store.take(stored);
      this.document = new DraftDocument(this.store.shared);
    }
    if (!this.mayWrite) return;
    this.#open.set(this.store.key, this);
    if (continued || (stored.draft && this.store.base !== (stored.standing?.revision ?? 0))) await this.refresh();
    if (continued) {
      this.dispatchEvent(new Event("restored"));
      this.#later("save", 0, () => this.#saveSoon());
    }
    this.judge();
  }

  /** Closes the session. Unsaved edits are kept for the next session of the place while the page is open. */
  leave() {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    if (this.#open.get(this.store.key) === this && this.isSaved) this.#open.delete(this.store.key);
  }

  /** @param {ShortcutSet} set @param {string | null} step edits of the same step are undone together */
  edit(set, step = null) {
    if (set === this.set || !this.mayWrite) return;
    this.document.edit(set, step);
    this.#edited();
  }

  /** @param {string} tag */
  addLanguage(tag) {
    if (this.document.languages.includes(tag)) return;
    this.document.addLanguage(tag);
    this.#changed();
  }

  undo() {
    this.document.undo();
    this.#edited();
  }

  redo() {
    this.document.redo();
    this.#edited();
  }

  #edited() {
    this.#isMine = true;
    if (this.state !== "contested") this.state = "editing";
    this.#changed();
    this.#later("judge", JUDGE_AFTER, () => this.judge());
    this.#later("save", SAVE_AFTER, () => this.#saveSoon());
  }

  /** Asks the service for violations and warnings. Only the answer about the newest document counts. */
  async judge() {
    if (!this.mayWrite) return;
    this.#judging?.abort();
    const { signal } = (this.#judging = new AbortController());
    const judged = this.set;
    try {
      const findings = await this.store.judge(judged, signal);
      if (signal.aborted || this.#signal.aborted) return;
      this.findings = findings;
      this.#judged = judged;
    } catch (error) {
      if (isAbort(error)) return;
      // A failed check has no findings. Saving shows the error.
      this.findings = { violations: error.violations ?? [], warnings: [] };
    }
    this.#changed();
  }

  /** Saves unsaved edits and waits for the result. */
  flush() {
    clearTimeout(this.#timers.save);
    return this.store.enqueue(() => this.#save({ ask: false }));
  }

  /** Saves the document, also if it was only merged. */
  save() {
    this.#isMine ||= !this.store.has(this.set);
    return this.flush();
  }

  /** Saves in the background; `state` and `problem` have the result. */
  #saveSoon() {
    this.flush().catch(() => {});
  }

  /**
   * @param {{ask: boolean}} how
   * @returns {Promise<Reconciled | undefined>} the result of merging if somebody else saved first
   */
  async #save({ ask }) {
    const { store, set } = this;
    if (!this.mayWrite || this.#isDone || (this.state === "contested" && !ask)) return;
    if (store.has(set) || !(this.#isMine || ask)) return void this.#settle("saved");
    this.#settle("saving");
    try {
      const findings = await store.write(set);
      if (findings && set === this.set) {
        this.findings = findings;
        this.#judged = set;
      }
      this.#rest();
      if (this.#judged !== this.set) this.judge();
    } catch (error) {
      if (store.isOvertaken(error)) {
        return this.#reconcile({ ask }).catch((failure) => {
          this.#fail(failure);
          throw failure;
        });
      }
      if (error.status === 422) this.findings = { ...this.findings, violations: error.violations };
      this.#fail(error);
      if (error.status !== 422) throw error;
    }
  }

  /** @param {Problem} error */
  #fail(error) {
    this.problem = error;
    this.#settle(error.status === 422 ? "refused" : "unsaved");
    if (error.isPassing) this.#later("save", RETRY_AFTER, () => this.#saveSoon());
  }

  /**
   * Reads whether somebody else saved or published, and merges their changes.
   * @param {{choices?: Choices, ask?: boolean, isOwn?: boolean}} how `choices`: decisions about `conflict`; `ask`: ask
   *   about conflicts at once, otherwise note them in `conflict`; `isOwn`: the change was made here
   */
  refresh(how = {}) {
    return this.store.enqueue(() => this.#reconcile(how));
  }

  /** @param {{choices?: Choices, ask?: boolean, isOwn?: boolean}} how @returns {Promise<Reconciled>} */
  async #reconcile({ choices, ask = false, isOwn = false } = {}) {
    const { store } = this;
    if (this.#isDone) return "same";
    this.#isMine ||= choices !== undefined;
    const stored = await store.read();
    if (!this.mayWrite) return this.#follow(stored);
    const reconciler = new Reconciler(store, stored);
    if (!reconciler.isMoved && !reconciler.isOutdated) return this.#rest(), "same";
    const origin = await store.setOf(reconciler.isOutdated ? reconciler.base : 0);
    const latest = (this.news = await store.news(reconciler.cause, stored.standing));
    /** @type {Partial<Record<Cause, Choices>>} */
    const decided = {
      saved: choices, published: choices, deleted: choices, removed: choices,
    };
    let isAsked = false;
    /** @type {ShortcutSet | undefined} */
    let merged;
    while (!merged) {
      const mine = this.set;
      const { set, conflict: found } = await reconciler.plan(mine, origin, decided);
      if (!found) {
        // Edits made while the service merged are merged, too.
        if (this.set === mine) merged = set;
        continue;
      }
      const isLatest = found.cause === reconciler.cause;
      const news = isLatest ? latest : await store.news(found.cause, stored.standing);
      const conflict = { ...found, ...news };
      const chosen = ask ? await this.#askAbout(conflict) : null;
      if (!chosen) {
        this.#contest(conflict);
        // If only the base changed, the draft can still be saved with its old base.
        return reconciler.isMoved ? this.#settle("contested") : this.#rest(), "contested";
      }
      isAsked = true;
      decided[found.cause] = chosen;
    }
    this.conflict = null;
    if (sameSet(merged, this.set)) this.document.endStep();
    else this.document.merge(merged, mergeSets);
    const hasBoth = latest.cause === "saved" ? this.#isMine : !sameSet(merged, stored.standing?.set ?? EMPTY_SET);
    store.take(stored);
    store.base = reconciler.revision;
    this.#rest();
    if (!isOwn) this.dispatchEvent(new CustomEvent("merged", { detail: { hasBoth } }));
    this.judge();
    if (this.#isMine && !store.has(this.set)) this.#later("save", 0, () => this.#saveSoon());
    return isAsked ? "asked" : "merged";
  }

  /**
   * Shows the stored document to a reader.
   * @param {import("./draft-store.js").Stored} stored @returns {Reconciled}
   */
  #follow(stored) {
    this.store.take(stored);
    this.document = new DraftDocument(this.store.shared);
    this.#settle("saved");
    return "same";
  }

  /** @param {Conflict} conflict */
  async #askAbout(conflict) {
    this.#contest(null);
    const chosen = await this.#choose(conflict);
    this.#isMine ||= chosen !== null;
    return chosen;
  }

  /**
   * Notes conflicts. The same conflicts as before stay, with the choices made so far.
   * @param {Conflict | null} conflict
   */
  #contest(conflict) {
    if (!same(conflict?.contests, this.conflict?.contests)) this.conflict = conflict;
    this.#changed();
  }

  /**
   * Publishes or schedules the draft. Changes by somebody else are merged first. If the merge has conflicts, nothing
   * is published until the editor publishes again.
   * @param {import("../api/apps.js").PublishRequest} when @param {PublishQuery} query
   * @returns {Promise<PublishOutcome>}
   */
  publish(when, query) {
    clearTimeout(this.#timers.save);
    return this.store.enqueue(async () => {
      for (let attempt = 0; ; attempt++) {
        const outcome = await this.#attempt(when, query);
        if (outcome.answer || outcome.merged !== "merged" || attempt === MOST_ATTEMPTS) return outcome;
      }
    });
  }

  /**
   * @param {import("../api/apps.js").PublishRequest} when @param {PublishQuery} query
   * @returns {Promise<PublishOutcome>}
   */
  async #attempt(when, query) {
    const { store } = this;
    const saved = await this.#save({ ask: true });
    if (saved && saved !== "same") return { merged: saved };
    if (this.state === "refused") {
      const { violations } = this.findings;
      throw new Problem(422, { detail: strings.editor.refused(violations.length), violations }).about(this.set);
    }
    try {
      if (!store.tag) await store.write(this.set);
      const { standing } = await store.read();
      if ((standing?.revision ?? 0) === store.base) {
        const answer = await store.publish(when, query);
        this.#isDone = true;
        return { answer };
      }
    } catch (error) {
      if (!store.isOvertaken(error)) throw error instanceof Problem ? error.about(this.set) : error;
    }
    return { merged: await this.#reconcile({ ask: true }) };
  }

  /** Deletes the draft and shows the published set. */
  drop() {
    const { store } = this;
    return store.enqueue(async () => {
      try {
        await store.remove();
      } catch (error) {
        if (store.isOvertaken(error)) await this.#reconcile();
        throw error;
      }
      store.take({ ...(await store.read()), draft: null });
      this.conflict = null;
      this.document.reset(store.shared);
      this.#settle("saved");
      this.judge();
    });
  }

  /** @param {string} name @param {number} milliseconds @param {() => unknown} work */
  #later(name, milliseconds, work) {
    clearTimeout(this.#timers[name]);
    if (!this.#signal.aborted) this.#timers[name] = setTimeout(work, milliseconds);
  }

  #rest() {
    this.#settle(this.isSaved ? "saved" : "editing");
  }

  /** @param {SavingState} state */
  #settle(state) {
    this.state = state;
    if (state === "saved") this.problem = null;
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
