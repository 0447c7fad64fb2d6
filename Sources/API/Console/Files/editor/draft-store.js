import {
  deleteDraft, findDraft, findReview, findSet, getRevision, judgeDraft, listSchedule, publishDraft, putDraft,
} from "../api/apps.js";
import { noteOwn } from "../api/live.js";
import { EMPTY_SET, sameSet } from "../menus/document.js";

/**
 * A place's draft in the service: the entity tag and the documents that were read or written last, and a queue of
 * requests.
 * @typedef {{standing: Standing | null, draft: Draft | null}} Stored
 */
export class DraftStore {
  /** @type {import("../api/apps.js").Where} */
  #place;
  /** @type {Promise<unknown>} */
  #queue = Promise.resolve();
  /** The base that is stored with the draft. */
  #storedBase = 0;
  /** @type {Standing | null} the published set of the place */
  standing = null;
  /**
   * The draft's entity tag; null without a draft.
   * @type {string | null}
   */
  tag = null;
  /** The revision that the draft is made from; 0 if there was no set. */
  base = 0;
  /** The last document that editor and service shared. */
  shared = EMPTY_SET;

  /** @param {{app: string, version: string, audience: string}} place */
  constructor({ app, version, audience }) {
    this.#place = [app, version, audience];
  }

  get key() {
    return this.#place.join(" ");
  }

  /**
   * Does the work when all earlier work is done.
   * @template Result @param {() => Promise<Result>} work
   */
  enqueue(work) {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  /** Waits for running requests, such as an own publish whose event arrives before its answer. */
  settled() {
    return this.#queue;
  }

  /** @returns {Promise<Stored>} */
  async read() {
    const [standing, draft] = await Promise.all([findSet(...this.#place), findDraft(...this.#place)]);
    return { standing, draft };
  }

  /** @param {Stored} stored */
  take({ standing, draft }) {
    this.standing = standing;
    this.tag = draft?.tag ?? null;
    this.base = draft?.base ?? standing?.revision ?? 0;
    this.#storedBase = this.base;
    this.shared = draft?.set ?? standing?.set ?? EMPTY_SET;
  }

  /** @param {number} revision 0 has no items @returns {Promise<ShortcutSet>} */
  async setOf(revision) {
    return (revision > 0 && (await getRevision(this.#place[0], revision)).set) || EMPTY_SET;
  }

  /**
   * Who changed the place last, and when. Nobody is named if the service does not know.
   * @param {Cause} cause @param {Standing | null} standing @returns {Promise<News>}
   */
  async news(cause, standing) {
    try {
      const revision = cause === "published" && standing && (await getRevision(this.#place[0], standing.revision));
      if (revision) return { cause, by: revision.by, at: revision.publishedAt };
      const review = cause === "saved" && (await findReview(...this.#place));
      if (review) return { cause, by: review.savedBy, at: review.savedAt };
      const [app, version, audience] = this.#place;
      const entry = cause === "deleted" && (await listSchedule(app)).find((each) =>
        each.kind === "publish" && each.version === version && each.audience === audience
          && each.set && sameSet(each.set, this.shared));
      if (entry) return { cause: "scheduled", by: entry.by, at: null };
    } catch {
      // The news counts more than its author.
    }
    return { cause, by: null, at: null };
  }

  /** @param {ShortcutSet} set @param {AbortSignal} signal */
  judge(set, signal) {
    return judgeDraft(...this.#place, set, { signal });
  }

  /**
   * Whether the service has the document with its base.
   * @param {ShortcutSet} set
   */
  has(set) {
    return sameSet(set, this.shared) && (this.tag === null || this.#storedBase === this.base);
  }

  /**
   * Writes the draft, or deletes it if it equals the published set.
   * @param {ShortcutSet} set @returns {Promise<import("../api/apps.js").Findings | null>} null if it was deleted
   */
  async write(set) {
    if (this.tag && this.standing && sameSet(set, this.standing.set)) {
      await this.remove();
      this.shared = set;
      return null;
    }
    const { tag, findings } = await putDraft(...this.#place, set, { tag: this.tag, base: this.base });
    this.tag = tag;
    this.#storedBase = this.base;
    this.shared = set;
    return findings;
  }

  async remove() {
    if (this.tag) await deleteDraft(...this.#place, this.tag);
    this.tag = null;
  }

  /** @param {import("../api/apps.js").PublishRequest} when @param {import("../api/apps.js").PublishQuery} query */
  async publish(when, query) {
    const answer = await publishDraft(...this.#place, { tag: this.tag ?? "*", base: this.base, when, query });
    this.tag = null;
    if (answer.body.revision) noteOwn(this.#place[0], answer.body.revision);
    return answer;
  }

  /**
   * Whether somebody else saved, published or deleted first. A deleted draft counts, a deleted app does not.
   * @param {import("../api/problem.js").Problem} error
   */
  isOvertaken(error) {
    return error.status === 412 || (error.status === 404 && this.tag !== null && error.code !== "unknown-app");
  }
}
