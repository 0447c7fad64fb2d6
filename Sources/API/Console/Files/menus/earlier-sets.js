import { EMPTY_SET, decisionOf, itemOf, languagesOf } from "./document.js";

/**
 * An item of an earlier set that a set does not have. `inherited`: what earlier sets decided about it
 * @typedef {{id: string, title: Texts, versions: string[], inherited: import("./document.js").Decision}} Removed
 */

/**
 * A place's earlier sets and its published one: their items, which may have been removed, and ids and types, from which
 * those of new items follow.
 */
export class EarlierSets {
  #version;
  #sets;
  #former;

  /**
   * @param {string} version of the place
   * @param {{version: string, set: ShortcutSet}[]} sets of the audience up to this version, in order
   * @param {{set: ShortcutSet | null}[]} former revisions of the place, the newest first: they only name items
   */
  constructor(version, sets = [], former = []) {
    this.#version = version;
    this.#sets = sets;
    this.#former = former;
  }

  /** @param {string} id @returns {ShortcutItem | undefined} as the latest set has it */
  itemOf(id) {
    const newestFirst = [...[...this.#sets].reverse(), ...this.#former];
    return newestFirst.map(({ set }) => set && itemOf(set, id)).find(Boolean) ?? undefined;
  }

  get types() {
    return this.#sets.flatMap(({ set }) => set.items.map(({ type }) => type));
  }

  /** Ids that earlier sets use, replace or retire. */
  get ids() {
    return this.#sets.flatMap(({ set: { items, retired = [] } }) =>
      [...items.flatMap(({ id, replaces = [] }) => [id, ...replaces]), ...retired.map(({ id }) => id)]);
  }

  /**
   * The languages of the latest set, so that a new set does not miss translations.
   * @param {string} defaultLanguage
   */
  languages(defaultLanguage) {
    return languagesOf(this.#sets.at(-1)?.set ?? EMPTY_SET, defaultLanguage);
  }

  /**
   * Items that the set does not have, those of the latest earlier set first, then other ids.
   * @param {ShortcutSet} set @param {string[]} others
   * @returns {Removed[]}
   */
  removed(set, others) {
    const decided = [...set.items.flatMap(({ replaces = [] }) => replaces), ...(set.retired ?? []).map(({ id }) => id)];
    const earlier = [...this.#sets].reverse().flatMap(({ set: { items } }) => items.map(({ id }) => id));
    const removed = [...earlier, ...others].filter((id) => !itemOf(set, id));
    return [...new Set([...removed, ...decided])].map((id) => ({
      id,
      title: this.itemOf(id)?.title ?? {},
      versions: this.#sets.filter((each) => itemOf(each.set, id)).map(({ version }) => version),
      inherited: this.#inherited(set, id),
    }));
  }

  /** @param {ShortcutSet} set @param {string} id @returns {import("./document.js").Decision} */
  #inherited(set, id) {
    let heir = id;
    for (const { version, set: before } of this.#sets) {
      if (version === this.#version) continue;
      heir = before.items.find(({ replaces }) => replaces?.includes(heir))?.id ?? heir;
      const entry = before.retired?.find((each) => each.id === heir);
      if (entry) return { url: entry.url };
    }
    if (heir === id) return null;
    return itemOf(set, heir) ? { item: heir } : decisionOf(set, heir);
  }
}
