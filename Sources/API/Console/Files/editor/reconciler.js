import { mergeSets } from "../api/apps.js";
import { EMPTY_SET } from "../menus/document.js";

/**
 * Compares what an editor knows of the service with what the service has now, and plans the merge.
 * @typedef {{contests: Contest[], cause: Cause}} Found
 * @typedef {{tag: string | null, base: number, shared: ShortcutSet}} Known
 * @typedef {{set: ShortcutSet, conflict?: undefined} | {set?: undefined, conflict: Found}} Plan the merged set, or
 *   the first conflict that needs a decision
 */
export class Reconciler {
  #shared;
  #standing;
  #draft;
  #merge;

  /**
   * @param {Known} known @param {import("./draft-store.js").Stored} stored
   * @param {typeof mergeSets} merge asks the service
   */
  constructor({ tag, base, shared }, { standing, draft }, merge = mergeSets) {
    this.#merge = merge;
    this.#shared = shared;
    this.#standing = standing?.set ?? EMPTY_SET;
    this.#draft = draft?.set;
    /** The current revision; 0 without a set. */
    this.revision = standing?.revision ?? 0;
    /** Whether the draft was saved, deleted or published elsewhere. */
    this.isMoved = (draft?.tag ?? null) !== tag;
    /** The revision that the stored document is made from. */
    this.base = !this.isMoved ? base : draft ? (draft.base ?? base) : this.revision;
    /**
     * What happened to the stored document, or to the published set.
     * @type {Cause}
     */
    this.cause = this.isMoved && draft ? "saved"
      : this.isMoved && this.revision === base ? "deleted"
      : standing ? "published" : "removed";
  }

  /** Whether a set was published after the base of the stored document. */
  get isOutdated() {
    return this.base !== this.revision;
  }

  /**
   * @param {ShortcutSet} mine @param {ShortcutSet} origin the set of revision `base`
   * @param {Partial<Record<Cause, Choices>>} choices @returns {Promise<Plan>}
   */
  async plan(mine, origin, choices = {}) {
    let set = mine;
    for (const { from, theirs, cause } of this.#merges(origin)) {
      const { set: merged, conflicts: contests } = await this.#merge(from, set, theirs, choices[cause]);
      if (!contests.every(({ key }) => choices[cause]?.has(key))) return { conflict: { contests, cause } };
      set = merged;
    }
    return { set };
  }

  /**
   * First the stored document, then the published set.
   * @param {ShortcutSet} origin @returns {{from: ShortcutSet, theirs: ShortcutSet, cause: Cause}[]}
   */
  #merges(origin) {
    const stored = { from: this.#shared, theirs: this.#draft ?? this.#standing, cause: this.cause };
    const published = { from: origin, theirs: this.#standing, cause: /** @type {const} */ ("published") };
    return [...(this.isMoved ? [stored] : []), ...(this.isOutdated ? [published] : [])];
  }
}
