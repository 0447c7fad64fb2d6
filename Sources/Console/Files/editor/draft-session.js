/**
 * One editor's work on a set: the document with its undo steps, the judgement of the service, the draft that saves itself, and what to do
 * when somebody
 * else has saved or published meanwhile. It knows no user interface; it sends `change` when there is something to draw.
 */
import { deleteDraft, findDraft, findSet, getRevision, judgeDraft, publishDraft, putDraft } from "../api/apps.js";
import { Problem, isAbort } from "../api/problem.js";
import { EMPTY_SET, sameSet } from "../menus/document.js";
import { merge } from "../menus/merge.js";
import { UndoHistory } from "../menus/undo.js";
import { strings } from "../strings.js";
import { same } from "../values/json.js";

const JUDGE_AFTER = 150;
const SAVE_AFTER = 600;

/** How often a publish begins anew because somebody else was faster. */
const MOST_ATTEMPTS = 3;

/** @typedef {"saved" | "editing" | "saving" | "refused" | "contested" | "unsaved"} SavingState */

export class DraftSession extends EventTarget {
  /** @type {import("../api/apps.js").Where} */
  #place;
  #signal;
  #choose;
  /** @type {UndoHistory<ShortcutSet>} */
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

  get set() {
    return this.#history.state;
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
  }

  get isSaved() {
    return sameSet(this.set, this.#common);
  }

  /** Whether publishing would change anything. */
  get differs() {
    return !this.standing || !sameSet(this.set, this.standing.set);
  }

  async load() {
    const [standing, draft] = await this.#read();
    this.standing = standing;
    this.#history = new UndoHistory(draft?.set ?? standing?.set ?? EMPTY_SET);
    this.#take(standing, draft);
    if (!this.mayWrite) return;
    if (draft && this.base !== (standing?.revision ?? 0)) await this.refresh();
    this.judge();
  }

  /** @param {ShortcutSet} set @param {string | null} step edits with the same step are undone together */
  edit(set, step = null) {
    if (set === this.set || !this.mayWrite) return;
    this.#history.push(set, step);
    this.#edited();
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
    this.state = this.state === "contested" ? "contested" : "editing";
    this.#changed();
    this.#later("judge", JUDGE_AFTER, () => this.judge());
    this.#later("save", SAVE_AFTER, () => this.flush().catch(() => {}));
  }

  /** Asks the service what it would refuse and warn of. Only the answer about the newest document counts. */
  async judge() {
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
// A service that could not judge has found nothing wrong; saving asks it again.
      const refused = error.violations?.length > 0;
      this.findings = refused ? { violations: error.violations, warnings: [] } : {
        violations: [],
        warnings: [{ path: "", message: error.message }],
      };
    }
    this.#changed();
  }

  /** Saves what is not saved, and waits for it. */
  flush() {
    clearTimeout(this.#timers.save);
    return this.#enqueue(() => this.#save({ ask: false }));
  }

  /** @param {{ask: boolean}} how @returns {Promise<Reconciled | undefined>} what came of it where somebody else was faster */
  async #save({ ask }) {
    if (!this.mayWrite || (this.state === "contested" && !ask)) return;
    if (this.isSaved) return void this.#settle("saved");
    if (this.#judged === this.set && this.findings.violations.length > 0) return void this.#settle("refused");
    const saved = this.set;
    this.#settle("saving");
    try {
      if (this.tag && this.standing && sameSet(saved, this.standing.set)) {
        await deleteDraft(...this.#place, this.tag);
        this.tag = null;
      } else {
        const receipt = await putDraft(...this.#place, saved, { tag: this.tag, base: this.base });
        this.tag = receipt.tag;
        this.approvals = receipt.approvals;
      }
      this.#common = saved;
      this.#settle(this.isSaved ? "saved" : "editing");
    } catch (error) {
      if (error.status === 412 || (error.status === 404 && this.tag)) return this.#reconcile({ ask });
      if (error.status === 422) this.findings = { ...this.findings, violations: error.violations };
      this.problem = error;
      this.#settle(error.status === 422 ? "refused" : "unsaved");
      if (error.status !== 422) throw error;
    }
  }

  /**
   * Looks whether somebody else has saved or published, and merges what they did.
   * @param {{ask?: boolean, choices?: Choices}} how with `ask` what collides is asked for at once; else it is in
   * `conflict`
   */
  refresh(how = {}) {
    return this.#enqueue(() => this.#reconcile(how));
  }

  /** @param {{ask?: boolean, choices?: Choices}} how @returns {Promise<Reconciled>} */
  async #reconcile({ ask = false, choices = new Map() } = {}) {
    const [standing, draft] = await this.#read();
    const now = standing?.revision ?? 0;
    const moved = (draft?.tag ?? null) !== this.tag;
    const base = !moved ? this.base : draft ? (draft.base ?? this.base) : now;
    const published = base !== now;
    if (!moved && !published) return this.#settle(this.isSaved ? "saved" : "editing"), "same";
    const before = this.set;
    const merging = { ask, choices, asked: false };
    /** @type {ShortcutSet | null} */
    let set = this.set;
    if (moved) set = await this.#merged(
      this.#common,
      set,
      draft?.set ?? standing?.set ?? EMPTY_SET,
      draft ? "saved" : "published",
      merging,
    );
    if (set && published) {
      const made = base === 0 ? EMPTY_SET : (await getRevision(this.#place[0], base)).set;
      set = await this.#merged(made ?? EMPTY_SET, set, standing?.set ?? EMPTY_SET, "published", merging);
    }
    if (!set) return this.#settle(moved ? "contested" : this.isSaved ? "saved" : "editing"), "contested";
    this.conflict = null;
    this.#history.endStep();
    this.#history.push(sameSet(set, this.set) ? this.set : set);
    this.#take(standing, draft);
    this.base = now;
    this.#settle(this.isSaved ? "saved" : "editing");
    this.dispatchEvent(new CustomEvent("merged", { detail: { changed: this.set !== before } }));
    this.judge();
    // A draft that says what it said is saved once more, as one that is made from what stands now.
    if (published && draft && this.isSaved) this.tag = (await putDraft(...this.#place, this.set, { tag: this.tag, base: this.base })).tag;
    else if (!this.isSaved) this.#later("save", 0, () => this.flush().catch(() => {}));
    return merging.asked ? "asked" : "merged";
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
    this.approvals = draft?.approvals ?? null;
    this.#common = draft?.set ?? standing?.set ?? EMPTY_SET;
  }

  #read() {
    return Promise.all([findSet(...this.#place), findDraft(...this.#place)]);
  }

  /**
   * Publishes the draft as it is shown, or notes it for a time. What somebody else did meanwhile is merged; where that asks for choices,
   * nothing is
   * published before the editor has looked again.
   * @param {{at?: string}} when @param {string | undefined} override @returns {Promise<PublishOutcome>}
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
    if (this.state === "refused") throw new Problem(
      422,
      { detail: strings.editor.refused(this.findings.violations.length), violations: this.findings.violations },
    );
    if (!this.tag) this.tag = (await putDraft(...this.#place, this.set, { tag: null, base: this.base })).tag;
    const [standing] = await this.#read();
    if ((standing?.revision ?? 0) !== this.base) return { merged: await this.#reconcile({ ask: true }) };
    try {
      const answer = await publishDraft(...this.#place, { tag: this.tag, base: this.base, when, override });
      this.tag = null;
      return { answer };
    } catch (error) {
      if (error.status === 412 || error.status === 404) return { merged: await this.#reconcile({ ask: true }) };
      throw error;
    }
  }

  /** Throws the draft away: the document is what stands. */
  drop() {
    return this.#enqueue(async () => {
      if (this.tag) await deleteDraft(...this.#place, this.tag);
      this.#take((await this.#read())[0], null);
      this.conflict = null;
      this.#history.endStep();
      this.#history.push(this.standing?.set ?? EMPTY_SET);
      this.#settle("saved");
      this.judge();
    });
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
    this.#timers[name] = setTimeout(work, milliseconds);
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
