/**
 * One editor's work on a set: the document with its undo steps, the judgement of the service, the draft that saves itself, and what to do
 * when somebody else has saved or published meanwhile. It knows no user interface; it sends `change` when there is something to draw,
 * `merged` after a merge, `restored` where it goes on with work that an earlier session could not save.
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
/** A service that could not be reached is asked again. */
const RETRY_AFTER = 5000;

/** How often a publish begins anew because somebody else was faster. */
const MOST_ATTEMPTS = 3;

/**
 * The session of each place, and those that were left with work that could not be saved, until the place is entered again.
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
   * The document that `findings` are about.
   * @type {ShortcutSet | null}
   */
  #judged = null;
  /** @type {Record<string, ReturnType<typeof setTimeout>>} */
  #timers = {};
  /** @type {Promise<unknown>} */
  #queue = Promise.resolve();
  /** The revision that the stored draft says it is made from. */
  #draftBase = 0;
  /** What this editor and the service last had in common. */
  #common = EMPTY_SET;
  /** @type {Standing | null} what is published in this place */
  standing = null;
  /**
   * The draft's entity tag; null where there is no draft.
   * @type {string | null}
   */
  tag = null;
  /** The revision that the draft is made from; 0 where nothing stood. */
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
   * What collides and was not asked for yet.
   * @type {Conflict | null}
   */
  conflict = null;
  mayWrite = true;
  /** Whether somebody has edited or chosen here. What is merged for who only looks is not saved: that would make it theirs. */
  #isMine = false;
  /** Whether it was published from here: there is no draft any more, and nothing to look after. */
  #isDone = false;

  /**
   * @param {{app: string, version: string, audience: string}} place
   * @param {AbortSignal} signal
   * @param {(contests: Contest[], cause: Conflict["cause"]) => Promise<Choices | null>} choose null puts it off
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
   * An item by its id, also one that was removed here.
   * @param {string} id
   */
  itemOf(id) {
    return itemOf(this.set, id) ?? itemOf(this.#common, id) ?? itemOf(this.standing?.set ?? EMPTY_SET, id);
  }

  /** Languages that have a row in each item. One whose last text is deleted keeps it: somebody may be about to write another. */
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

  /** Whether the draft is shown merged with what was published since, and nobody has saved it so. */
  get isOnlyMerged() {
    return !this.#isMine && this.tag !== null && !this.#isStored;
  }

  get #isStored() {
    return sameSet(this.set, this.#common) && !this.#isRebased;
  }

  /** Whether publishing would change anything. */
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
   * Goes on with what another session could not save, its undo steps included.
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

  /** The place is left. What could not be saved is kept for the next session in it, as long as the page is open. */
  leave() {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    if (sessions.get(this.#key) === this && this.isSaved) sessions.delete(this.#key);
  }

  /** @param {ShortcutSet} set @param {string | null} step edits with the same step are undone together */
  edit(set, step = null) {
    if (set === this.set || !this.mayWrite) return;
    this.#push(set, step);
    this.#edited();
  }

  /**
   * Gives each item a row in the language. It is no change of the document, and can be undone like one.
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

  /** Saves where nobody waits for it: `state` and `problem` say what came of it. */
  #saveSoon() {
    this.flush().catch(() => {});
  }

  /** Asks the service what it would refuse and warn of. Only the answer about the newest document counts. */
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
      // A service that could not judge has found nothing wrong; saving says what is the matter.
      this.findings = { violations: error.violations ?? [], warnings: [] };
    }
    this.#changed();
  }

  /** Saves what was edited here and is not saved, and waits for it. */
  flush() {
    clearTimeout(this.#timers.save);
    return this.#enqueue(() => this.#save({ ask: false }));
  }

  /** Saves what is shown, also where it was only merged. */
  save() {
    this.#isMine ||= !this.#isStored;
    return this.flush();
  }

  /** @param {{ask: boolean}} how @returns {Promise<Reconciled | undefined>} what came of it where somebody else was faster */
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

  /** Whether the stored draft has to say that it is made from another revision. */
  get #isRebased() {
    return this.tag !== null && this.#draftBase !== this.base;
  }

  /**
   * Writes the draft; one that says what is published is none.
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
   * Looks whether somebody else has saved or published, and merges what they did.
   * @param {{ask?: boolean, choices?: Choices, isOwn?: boolean}} how with `ask` what collides is asked for at once, else it is in `conflict`;
   *   `isOwn`: it was done from here
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
    // A draft that only its base has moved away from is saved on, as one made from that base.
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
   * Who may not write sees what is there now.
   * @param {Standing | null} standing @param {Draft | null} draft @returns {Reconciled}
   */
  #follow(standing, draft) {
    this.#take(standing, draft);
    this.#history = new UndoHistory({ set: this.#common, languages: tagsOf(this.#common) });
    this.#settle("saved");
    return "same";
  }

  /**
   * The merged set; null where something collides that nobody has chosen for.
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
   * What collides, kept where it is the same as before, so that choices that are begun stay.
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
   * Publishes the draft as it is shown, or notes it for a time. What somebody else did meanwhile is merged; where that asks for choices,
   * nothing is published before the editor has looked again.
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

  /** Throws the draft away: the document is what stands. */
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

  /** Waits for what is under way, such as a publish from here that the stream tells of before its answer comes. */
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
 * Whether somebody else was faster. A draft that is gone is one of the ways; an app that is gone is not.
 * @param {Problem} error @param {string | null} tag
 */
function isOvertaken(error, tag) {
  return error.status === 412 || (error.status === 404 && tag !== null && error.code !== "unknown-app");
}
