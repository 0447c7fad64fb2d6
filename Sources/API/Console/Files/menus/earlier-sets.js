import { EMPTY_SET, itemOf, languagesOf } from "./document.js";

/**
 * Ids, languages and types of a place's earlier sets and of its published one, offered to the editor of the place.
 */
export class EarlierSets {
  #version;
  #sets;

  /**
   * @param {string} version of the place
   * @param {{version: string, set: ShortcutSet}[]} sets of the audience up to this version, in order
   */
  constructor(version, sets = []) {
    this.#version = version;
    this.#sets = sets;
  }

  /** @param {string} id @returns {ShortcutItem | undefined} as the latest set has it */
  itemOf(id) {
    return this.#sets.map(({ set }) => itemOf(set, id)).filter(Boolean).at(-1);
  }

  /** The type of the last item. */
  get lastType() {
    return this.#latest.items.at(-1)?.type;
  }

  get #latest() {
    return this.#sets.at(-1)?.set ?? EMPTY_SET;
  }

  /**
   * The languages of the latest set, so that a new set does not miss translations.
   * @param {string} defaultLanguage
   */
  languages(defaultLanguage) {
    return languagesOf(this.#latest, defaultLanguage);
  }

  /**
   * Ids that the set can replace or retire.
   * @param {ShortcutSet} set
   */
  candidates(set) {
    const ids = new Set(this.#sets.flatMap(({ set: { items } }) => items.map(({ id }) => id)));
    for (const id of decided(set)) ids.delete(id);
    return [...ids].sort();
  }

  /**
   * Items of the previous set and of the published one that have no rule in the set.
   * @param {ShortcutSet} set @param {ShortcutSet | undefined} published
   */
  dropped(set, published) {
    const previous = this.#sets.filter(({ version }) => version !== this.#version).at(-1)?.set;
    const items = new Map(
      [previous, published].flatMap((before) => before?.items ?? []).map((item) => [item.id, item])
    );
    for (const id of decided(set)) items.delete(id);
    return [...items.values()];
  }
}

/**
 * Ids with a rule or an item in the set.
 * @param {ShortcutSet} set
 */
function decided({ items, retired = [] }) {
  return [...items.flatMap(({ id, replaces = [] }) => [id, ...replaces]), ...retired.map(({ id }) => id)];
}
