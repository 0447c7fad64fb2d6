/**
 * The taps that updates lose, for many pairs of versions at once, computed from the documents of the sets. Tests
 * compare it with the API's `simulate`.
 */
import { BUDGET, effectiveSet, releaseFor } from "./shown.js";

/**
 * A set of an audience; `set` is null if it could not be read.
 * @typedef {{version: string, set: ShortcutSet | null}} Stretch
 */

/**
 * An update, and the number of taps that it loses; null if a set could not be read.
 * @typedef {{from: string, to: string, lost: number | null}} Pair
 */

/**
 * All updates: the greatest loss first, then the newest version.
 * @param {string[]} versions ascending
 * @param {Stretch[]} timeline the sets of one audience, ascending
 * @param {Release[]} releases
 * @returns {Pair[]}
 */
export function judgedPairs(versions, timeline, releases) {
  const places = versions.map(
    (version) => timeline.findIndex((stretch) => stretch === effectiveSet(version, timeline))
  );
  const statics = versions.map((version) => releaseFor(version, releases)?.staticItems.length ?? 0);
  const unread = timeline.findIndex(({ set }) => set === null);
  const sets = timeline.map(({ set }) => set ?? { items: [] });
  const removed = sets.map((_, place) => removals(sets.slice(0, place + 1)));
  /** @type {Pair[]} */
  const pairs = [];
  for (let to = versions.length - 1; to > 0; to--) {
    const isJudged = unread < 0 || places[to] < unread;
    for (let from = to - 1; from >= 0; from--) {
      const registered = (sets[places[from]]?.items ?? []).filter(({ enabled }) => enabled !== false);
      const shown = registered.slice(0, Math.max(0, BUDGET - statics[to]));
      const lost = isJudged ? shown.filter(({ id }) => removed[places[to]](id)).length : null;
      pairs.push({ from: versions[from], to: versions[to], lost });
    }
  }
  return pairs.sort((left, right) => (right.lost ?? 0) - (left.lost ?? 0));
}

/**
 * Whether an id has no rule: no set up to the last one has, replaces or retires it.
 * @param {ShortcutSet[]} sets ascending
 * @returns {(id: string) => boolean}
 */
function removals(sets) {
  const known = new Map();
  const alive = new Set(sets.at(-1)?.items.map(({ id }) => id));
  const isRemoved = (/** @type {string} */ id) => {
    if (alive.has(id)) return false;
    let heir = id;
    for (const set of sets) {
      heir = set.items.find((item) => item.replaces?.includes(heir))?.id ?? heir;
      if (set.retired?.some((entry) => entry.id === heir)) return false;
    }
    return !alive.has(heir);
  };
  return (id) => {
    if (!known.has(id)) known.set(id, isRemoved(id));
    return known.get(id);
  };
}
