/**
 * Which taps an update loses, for many pairs of versions at once: what a simulation says of one pair, from the documents of the sets. Tests compare it
 * with the API's `simulate`.
 */
import { BUDGET, effectiveSet, releaseFor } from "./shown.js";

/**
 * All updates, those that lose most first, then those to the newest version.
 * @param {string[]} versions ascending
 * @param {{version: string, set: import("./document.js").SetDocument | null}[]} timeline the sets of one audience, ascending; null is one that could
 *   not be read
 * @param {object[]} releases
 * @returns {{from: string, to: string, lost: number | null}[]} null: not judged, because a set could not be read
 */
export function judgedPairs(versions, timeline, releases) {
  const places = versions.map((version) => timeline.indexOf(effectiveSet(version, timeline)));
  const statics = versions.map((version) => releaseFor(version, releases)?.staticItems.length ?? 0);
  const unread = timeline.findIndex(({ set }) => set === null);
  const judged = (place) => unread < 0 || place < unread;
  const kept = timeline.map(() => new Map());
  const isKept = (id, place) => {
    if (!kept[place].has(id)) kept[place].set(id, !isRemoved(id, timeline.slice(0, place + 1)));
    return kept[place].get(id);
  };
  const pairs = [];
  for (let to = versions.length - 1; to > 0; to--) {
    for (let from = to - 1; from >= 0; from--) {
      let lost = null;
      if (judged(places[to])) {
        const items = (timeline[places[from]]?.set.items ?? []).filter(({ enabled }) => enabled !== false);
        lost = items.slice(0, Math.max(0, BUDGET - statics[to])).filter(({ id }) => !isKept(id, places[to])).length;
      }
      pairs.push({ from: versions[from], to: versions[to], lost });
    }
  }
  return pairs.sort((left, right) => (right.lost ?? 0) - (left.lost ?? 0));
}

/** Whether nothing says what became of an id: no set up to the last one has it, replaces it or retires it. */
function isRemoved(id, timeline) {
  const last = timeline.at(-1).set;
  const has = (wanted) => last.items.some((item) => item.id === wanted);
  let heir = id;
  if (has(heir)) return false;
  for (const { set } of timeline) {
    heir = set.items.find((item) => item.replaces?.includes(heir))?.id ?? heir;
    if (set.retired?.some((entry) => entry.id === heir)) return false;
  }
  return !has(heir);
}
