/**
 * The taps that updates lose, for many pairs of versions at once, computed from the documents of the sets. Tests
 * compare it with the API's `simulate`.
 */
import { same } from "../values/json.js";
import { itemOf } from "./document.js";
import { BUDGET, effectiveSet, menuOf, releaseFor } from "./shown.js";

/**
 * A set of an audience; `set` is null if it could not be read.
 * @typedef {{version: string, set: ShortcutSet | null}} Stretch
 */

/**
 * An update, the number of taps that it loses, null if a set could not be read, and what loses them.
 * @typedef {{from: string, to: string, lost: number | null, removals: Removal[]}} Pair
 * @typedef {{id: string, version: string}} Removal an item, and the set that no longer has it and has no rule for it
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
  const ids = sets.map(({ items }) => new Set(items.map(({ id }) => id)));
  const removal = (/** @type {string} */ id, /** @type {number} */ place) =>
    ({ id, version: timeline[ids.slice(0, place).findLastIndex((has) => has.has(id)) + 1].version });
  /** @type {Pair[]} */
  const pairs = [];
  for (let to = versions.length - 1; to > 0; to--) {
    const isJudged = unread < 0 || places[to] < unread;
    for (let from = to - 1; from >= 0; from--) {
      const registered = (sets[places[from]]?.items ?? []).filter(({ enabled }) => enabled !== false);
      const shown = registered.slice(0, Math.max(0, BUDGET - statics[to]));
      const lost = isJudged ? shown.filter(({ id }) => removed[places[to]](id)) : [];
      pairs.push({
        from: versions[from], to: versions[to], lost: isJudged ? lost.length : null,
        removals: lost.map(({ id }) => removal(id, places[to])),
      });
    }
  }
  return pairs.sort((left, right) => (right.lost ?? 0) - (left.lost ?? 0));
}

/**
 * The menu of a phone that still has the first set although the second one is published, in the shape of the API's
 * simulation: what each tap does, and the rows after the next launch.
 * @param {ShortcutSet} before @param {ShortcutSet} after @param {StaticItem[]} statics @param {string} language
 * @param {{defaultLanguage: string, fallbackURL: string | null}} app
 * @param {ShortcutSet[]} between the sets of the versions between both, ascending
 */
export function updateTaps(before, after, statics, language, { defaultLanguage, fallbackURL }, between = []) {
  const tapOf = (/** @type {string | null} */ id) => {
    const now = itemOf(after, id ?? "");
    let heirID = id ?? "";
    /** @type {{url?: string | null} | undefined} */
    let rule;
    for (const set of [...between, after]) {
      heirID = set.items.find((item) => item.replaces?.includes(heirID))?.id ?? heirID;
      rule = set.retired?.find((entry) => entry.id === heirID) ?? rule;
    }
    const heir = now ?? itemOf(after, heirID);
    /** @type {Outcome} */
    const outcome = id === null ? "static"
      : now ? (same(actionOf(itemOf(before, id)), actionOf(now)) ? "equivalent" : "changed")
      : heir ? "replaced" : rule ? "retired" : "removed";
    return { outcome, item: heir?.id ?? null, url: (heir ?? rule)?.url ?? after.fallbackURL ?? fallbackURL };
  };
  /** @returns {SimulatedItem[]} */
  const rowsOf = (/** @type {ShortcutSet} */ set) => {
    const { shown, cut, disabled } = menuOf(set, statics, language, defaultLanguage);
    return [...shown, ...cut, ...disabled].map(({ kind, id, type, title, subtitle }, place) => (
      { kind, id, type, title, subtitle, visible: place < shown.length, tap: tapOf(id) }
    ));
  };
  const [old, next] = [rowsOf(before), rowsOf(after)];
  const visible = (/** @type {SimulatedItem[]} */ rows, isVisible = true) =>
    rows.filter((row) => row.visible === isVisible);
  return {
    from: "", to: "", audience: "", language, menu: visible(old), hidden: visible(old, false),
    afterLaunch: { menu: visible(next), hidden: visible(next, false), added: [], removed: [], changed: [] },
  };
}

/**
 * What a tap on an item does. Texts and the icon do not count.
 * @param {Partial<ShortcutItem>} item
 */
const actionOf = ({ type, url, userInfo = {}, targetContentIdentifier, personal } = {}) =>
  ({ type, url, userInfo, targetContentIdentifier, source: personal?.source });

/**
 * The removals that lose taps, each with the number of updates that it affects: the greatest number first.
 * @param {Pair[]} pairs
 * @returns {(Removal & {pairs: number})[]}
 */
export function lossCauses(pairs) {
  /** @type {Map<string, Removal & {pairs: number}>} */
  const causes = new Map();
  for (const { id, version } of pairs.flatMap(({ removals }) => removals)) {
    const cause = causes.get(`${id} ${version}`) ?? { id, version, pairs: 0 };
    cause.pairs++;
    causes.set(`${id} ${version}`, cause);
  }
  return [...causes.values()].sort((left, right) => right.pairs - left.pairs);
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
