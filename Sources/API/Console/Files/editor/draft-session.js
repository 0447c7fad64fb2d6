/**
 * One editor's work on a set: the document with its undo steps, the findings of the service, saving, and merging when somebody else saved
 * or published. It has no user interface. Events: `change` to draw again, `merged` after a merge, `restored` when it continues with edits
 * that an earlier session could not save.
 */
import { deleteDraft, findDraft, findSet, getRevision, judgeDraft, publishDraft, putDraft } from "../api/apps.js";
import { noteOwn } from "../api/live.js";
import { Problem, isAbort } from "../api/problem.js";
import { EMPTY_SET, itemOf, languagesOf, sameSet } from "../menus/document.js";
import { merge } from "../menus/merge.js";
import { UndoHistory } from "../menus/undo.js";
import { strings } from "../strings.js";
import { same } from "../values/json.js";

const JUDGE_AFTER = 150;
const SAVE_AFTER = 600;
/** Milliseconds until the next attempt if the service could not be reached. */
const RETRY_AFTER = 5000;

/** How often a publish starts again after somebody else published first. */
const MOST_ATTEMPTS = 3;

/**
 * The open session of each place, and closed sessions with unsaved edits until their place is opened again.
 * @type {Map<string, DraftSession>}
 */
const sessions = new Map();

/** Whether closing the page would lose an edit. */
export const hasUnsavedWork = () => [...sessions.values()].some((session) => !session.isSaved);

/** @typedef {"saved" | "editing" | "saving" | "refused" | "contested" | "unsaved"} SavingState */

export class DraftSession extends EventTarget {
  /** @type {import("../api/apps.js").Where} */
  #place;
  #signal;
  #choose;
  /** @type {UndoHistory<{set: ShortcutSet, languages: string[]}>} */
  #history;
  /** @type {AbortController | null} */
  #judging = null;
  /**
   * The document of `findings`.
   * @type {ShortcutSet | null}
   */
  #judged = null;
  /** @type {Record<string, ReturnType<typeof setTimeout>>} */
  #timers = {};
  /** @type {Promise<unknown>} */
  #queue = Promise.resolve();
  /** The base that is stored with the draft. */
  #draftBase = 0;
  /** The last document that editor and service shared. */
  #common = EMPTY_SET;
  /** @type {Standing | null} the published set of this place */
  standing = null;
  /**
   * The draft's entity tag; null without a draft.
   * @type {string | null}
   */
  tag = null;
  /** The revision that the draft is made from; 0 if there was no set. */
  base = 0;
  /** @type {string | null} */
  approvals = null;
  /** @type {{violations: Violation[], warnings: Warning[]}} */
  findings = { violations: [], warnings: [] };
  /** @type {SavingState} */
  state = "saved";
  /** @type {Error | null} */
  problem = null;
  /**
   * Conflicts without a decision.
   * @type {Conflict | null}
   */
  conflict = null;
  mayWrite = true;
  /** Whether there was an edit or a decision here. A merge for a mere viewer is not saved, because saving would make them an editor. */
  #isMine = false;
  /** Whether this session published its draft. Nothing is left to save. */
  #isDone = false;

  /**
   * @param {{app: string, version: string, audience: string}} place
   * @param {AbortSignal} signal
   * @param {(contests: Contest[], cause: Conflict["cause"]) => Promise<Choices | null>} choose null postpones the decision
   */
  constructor(place, signal, choose) {
    super();
    this.#place = [place.app, place.version, place.audience];
    this.#signal = signal;
    this.#choose = choose;
  }

  get #key() {
    return this.#place.join(" ");
  }

  get isLoaded() {
    return this.#history !== undefined;
  }

  get set() {
    return this.#history.state.set;
  }

  /**
   * An item by its id, also if it was removed here.
   * @param {string} id
   */
  itemOf(id) {
    return itemOf(this.set, id) ?? itemOf(this.#common, id) ?? itemOf(this.standing?.set ?? EMPTY_SET, id);
  }

  /** Languages with a row in each item. A language keeps its row when its last text is deleted, so that a new text can be typed. */
  get languages() {
    return this.#history.state.languages;
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
  }

  get isSaved() {
    return !this.#isMine || sameSet(this.set, this.#common);
  }

  /** Whether the draft is shown merged with a later publish, and the merge is not saved. */
  get isOnlyMerged() {
    return !this.#isMine && this.tag !== null && !this.#isStored;
  }

  get #isStored() {
    return sameSet(this.set, this.#common) && !this.#isRebased;
  }

  /** Whether a publish would change the set. */
  get differs() {
    return !this.standing || !sameSet(this.set, this.standing.set);
  }

  async load() {
    const former = this.mayWrite ? sessions.get(this.#key) : undefined;
    if (former) await former.#queue;
    const [standing, draft] = await this.#read();
    const goesOn = former !== undefined && !former.isSaved;
    if (goesOn) this.#continue(former, standing);
    else {
      const set = draft?.set ?? standing?.set ?? EMPTY_SET;
      this.#history = new UndoHistory({ set, languages: tagsOf(set) });
      this.#take(standing, draft);
    }
    if (!this.mayWrite) return;
    sessions.set(this.#key, this);
    if (goesOn || (draft && this.base !== (standing?.revision ?? 0))) await this.refresh();
    if (goesOn) {
      this.dispatchEvent(new Event("restored"));
      this.#later("save", 0, () => this.#saveSoon());
    }
    this.judge();
  }

  /**
   * Continues with another session's unsaved edits and undo steps.
   * @param {DraftSession} former @param {Standing | null} standing
   */
  #continue(former, standing) {
    this.#isMine = true;
    this.#history = former.#history;
    this.#common = former.#common;
    this.tag = former.tag;
    this.base = former.base;
    this.#draftBase = former.#draftBase;
    this.standing = standing;
  }

  /** Closes the session. Unsaved edits are kept for the next session of the place while the page is open. */
  leave() {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    if (sessions.get(this.#key) === this && this.isSaved) sessions.delete(this.#key);
  }

  /** @param {ShortcutSet} set @param {string | null} step edits of the same step are undone together */
  edit(set, step = null) {
    if (set === this.set || !this.mayWrite) return;
    this.#push(set, step);
    this.#edited();
  }

  /**
   * Adds a row for the language to each item. The document does not change, but undo removes the row.
   * @param {string} tag
   */
  addLanguage(tag) {
    if (this.languages.includes(tag)) return;
    this.#history.push({ set: this.set, languages: [...this.languages, tag] });
    this.#changed();
  }

  /** @param {ShortcutSet} set @param {string | null} step */
  #push(set, step) {
    this.#history.push({ set, languages: [...new Set([...this.languages, ...tagsOf(set)])] }, step);
  }

  undo() {
    this.#history.undo();
    this.#edited();
  }

  redo() {
    this.#history.redo();
    this.#edited();
  }

  #edited() {
    this.#isMine = true;
    this.state = this.state === "contested" ? "contested" : "editing";
    this.#changed();
    this.#later("judge", JUDGE_AFTER, () => this.judge());
    this.#later("save", SAVE_AFTER, () => this.#saveSoon());
  }

  /** Saves in the background; `state` and `problem` have the result. */
  #saveSoon() {
    this.flush().catch(() => {});
  }

  /** Asks the service for violations and warnings. Only the answer about the newest document counts. */
  async judge() {
    if (!this.mayWrite) return;
    this.#judging?.abort();
    const judging = (this.#judging = new AbortController());
    const judged = this.set;
    try {
      const findings = await judgeDraft(...this.#place, judged, { signal: judging.signal });
      if (judging.signal.aborted || this.#signal.aborted) return;
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
    return this.#enqueue(() => this.#save({ ask: false }));
  }

  /** Saves the document, also if it was only merged. */
  save() {
    this.#isMine ||= !this.#isStored;
    return this.flush();
  }

  /** @param {{ask: boolean}} how @returns {Promise<Reconciled | undefined>} the result of merging if somebody else saved first */
  async #save({ ask }) {
    if (!this.mayWrite || this.#isDone || (this.state === "contested" && !ask)) return;
    if (this.#isStored || !(this.#isMine || ask)) return void this.#settle("saved");
    if (this.#judged === this.set && this.findings.violations.length > 0) return void this.#settle("refused");
    const saved = this.set;
    this.#settle("saving");
    try {
      await this.#store(saved);
      this.#common = saved;
      this.#settle(this.isSaved ? "saved" : "editing");
      if (this.#judged !== this.set) this.judge();
    } catch (error) {
      if (isOvertaken(error, this.tag)) return this.#reconcileOrSay({ ask });
      if (error.status === 422) this.findings = { ...this.findings, violations: error.violations };
      this.#fail(error);
      if (error.status !== 422) throw error;
    }
  }

  /** Whether the base of the stored draft must change. */
  get #isRebased() {
    return this.tag !== null && this.#draftBase !== this.base;
  }

  /**
   * Writes the draft, or deletes it if it equals the published set.
   * @param {ShortcutSet} set
   */
  async #store(set) {
    if (this.tag && this.standing && sameSet(set, this.standing.set)) {
      await deleteDraft(...this.#place, this.tag);
      this.tag = null;
      return;
    }
    const receipt = await putDraft(...this.#place, set, { tag: this.tag, base: this.base });
    this.tag = receipt.tag;
    this.#draftBase = this.base;
    this.approvals = receipt.approvals;
  }

  /** @param {Problem} error */
  #fail(error) {
    this.problem = error;
    this.#settle(error.status === 422 ? "refused" : "unsaved");
    if (error.isPassing) this.#later("save", RETRY_AFTER, () => this.#saveSoon());
  }

  /** @param {{ask?: boolean, choices?: Choices}} how */
  async #reconcileOrSay(how) {
    try {
      return await this.#reconcile(how);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /**
   * Reads whether somebody else saved or published, and merges their changes.
   * @param {{ask?: boolean, choices?: Choices, isOwn?: boolean}} how `ask`: ask about conflicts at once, otherwise note them in `conflict`;
   *   `isOwn`: the change was made here
   */
  refresh(how = {}) {
    return this.#enqueue(() => this.#reconcile(how));
  }

  /** @param {{ask?: boolean, choices?: Choices, isOwn?: boolean}} how @returns {Promise<Reconciled>} */
  async #reconcile({ ask = false, choices = new Map(), isOwn = false } = {}) {
    if (this.#isDone) return "same";
    this.#isMine ||= choices.size > 0;
    const [standing, draft] = await this.#read();
    if (!this.mayWrite) return this.#follow(standing, draft);
    const now = standing?.revision ?? 0;
    const moved = (draft?.tag ?? null) !== this.tag;
    const base = !moved ? this.base : draft ? (draft.base ?? this.base) : now;
    const published = base !== now;
    if (!moved && !published) return this.#settle(this.isSaved ? "saved" : "editing"), "same";
    const hasEdits = this.differs;
    const merging = { ask, choices, asked: false };
    const theirs = draft?.set ?? standing?.set ?? EMPTY_SET;
    /** @type {ShortcutSet | null} */
    let set = this.set;
    if (moved) set = await this.#merged(this.#common, this.set, theirs, draft ? "saved" : "published", merging);
    if (set && published) {
      const made = base === 0 ? EMPTY_SET : (await getRevision(this.#place[0], base)).set;
      set = await this.#merged(made ?? EMPTY_SET, set, standing?.set ?? EMPTY_SET, "published", merging);
    }
    // If only the base changed, the draft can still be saved with its old base.
    if (!set) return this.#settle(moved ? "contested" : this.isSaved ? "saved" : "editing"), "contested";
    this.conflict = null;
    this.#history.endStep();
    if (!sameSet(set, this.set)) this.#push(set, null);
    this.#take(standing, draft);
    this.base = now;
    this.#settle(this.isSaved ? "saved" : "editing");
    if (!isOwn) this.dispatchEvent(new CustomEvent("merged", { detail: { hasEdits } }));
    this.judge();
    if (this.#isMine && !this.#isStored) this.#later("save", 0, () => this.#saveSoon());
    return merging.asked ? "asked" : "merged";
  }

  /**
   * Shows the stored document to a reader.
   * @param {Standing | null} standing @param {Draft | null} draft @returns {Reconciled}
   */
  #follow(standing, draft) {
    this.#take(standing, draft);
    this.#history = new UndoHistory({ set: this.#common, languages: tagsOf(this.#common) });
    this.#settle("saved");
    return "same";
  }

  /**
   * The merged set; null with conflicts that are not decided.
   * @param {ShortcutSet} base @param {ShortcutSet} mine @param {ShortcutSet} theirs @param {Conflict["cause"]} cause
   * @param {Merging} merging
   */
  async #merged(base, mine, theirs, cause, merging) {
    const { set, contests } = merge(base, mine, theirs);
    if (contests.length === 0) return set;
    const { choices, ask } = merging;
    if (contests.every(({ key }) => choices.has(key))) return merge(base, mine, theirs, choices).set;
    merging.asked = true;
    if (ask) this.#contest(null);
    const chosen = ask ? await this.#choose(contests, cause) : null;
    this.#isMine ||= chosen !== null;
    if (chosen) return merge(base, mine, theirs, chosen).set;
    this.#contest({ contests, cause });
    return null;
  }

  /**
   * Notes conflicts. The same conflicts as before stay, with the choices made so far.
   * @param {Conflict | null} conflict
   */
  #contest(conflict) {
    if (!same(conflict?.contests, this.conflict?.contests)) this.conflict = conflict;
    this.#changed();
  }

  /** @param {Standing | null} standing @param {Draft | null} draft */
  #take(standing, draft) {
    this.standing = standing;
    this.tag = draft?.tag ?? null;
    this.base = draft?.base ?? standing?.revision ?? 0;
    this.#draftBase = this.base;
    this.approvals = draft?.approvals ?? null;
    this.#common = draft?.set ?? standing?.set ?? EMPTY_SET;
  }

  #read() {
    return Promise.all([findSet(...this.#place), findDraft(...this.#place)]);
  }

  /**
   * Publishes or schedules the draft. Changes by somebody else are merged first. If the merge has conflicts, nothing is published until the
   * editor publishes again.
   * @param {{at?: string, until?: string}} when @param {string | undefined} override @returns {Promise<PublishOutcome>}
   */
  publish(when, override) {
    clearTimeout(this.#timers.save);
    return this.#enqueue(async () => {
      for (let attempt = 0; ; attempt++) {
        const outcome = await this.#attempt(when, override);
        if (outcome.answer || outcome.merged !== "merged" || attempt === MOST_ATTEMPTS) return outcome;
      }
    });
  }

  /** @param {{at?: string}} when @param {string | undefined} override @returns {Promise<PublishOutcome>} */
  async #attempt(when, override) {
    const saved = await this.#save({ ask: true });
    if (saved && saved !== "same") return { merged: saved };
    if (this.state === "refused") {
      const { violations } = this.findings;
      throw new Problem(422, { detail: strings.editor.refused(violations.length), violations }).about(this.set);
    }
    try {
      if (!this.tag) await this.#store(this.set);
      const tag = this.tag ?? "*";
      const [standing] = await this.#read();
      if ((standing?.revision ?? 0) !== this.base) return { merged: await this.#reconcile({ ask: true }) };
      const answer = await publishDraft(...this.#place, { tag, base: this.base, when, override });
      this.tag = null;
      this.#isDone = true;
      if (answer.body.revision) noteOwn(this.#place[0], answer.body.revision);
      return { answer };
    } catch (error) {
      if (isOvertaken(error, this.tag)) return { merged: await this.#reconcile({ ask: true }) };
      throw error;
    }
  }

  /** Deletes the draft and shows the published set. */
  drop() {
    return this.#enqueue(async () => {
      try {
        if (this.tag) await deleteDraft(...this.#place, this.tag);
      } catch (error) {
        if (isOvertaken(error, this.tag)) await this.#reconcile();
        throw error;
      }
      this.#take((await this.#read())[0], null);
      this.conflict = null;
      this.#history.endStep();
      this.#history.push({ set: this.#common, languages: tagsOf(this.#common) });
      this.#settle("saved");
      this.judge();
    });
  }

  /** Waits for running requests, such as an own publish whose event arrives before its answer. */
  settled() {
    return this.#queue;
  }

  /** @template Result @param {() => Promise<Result>} work */
  #enqueue(work) {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  /** @param {string} name @param {number} milliseconds @param {() => unknown} work */
  #later(name, milliseconds, work) {
    clearTimeout(this.#timers[name]);
    if (!this.#signal.aborted) this.#timers[name] = setTimeout(work, milliseconds);
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

/** @param {ShortcutSet} set */
const tagsOf = (set) => languagesOf(set, "").slice(1);

/**
 * Whether somebody else saved, published or deleted first. A deleted draft counts, a deleted app does not.
 * @param {Problem} error @param {string | null} tag
 */
function isOvertaken(error, tag) {
  return error.status === 412 || (error.status === 404 && tag !== null && error.code !== "unknown-app");
}
