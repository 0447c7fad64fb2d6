/** What changed from one set to another, by item and member, for the sentences of a publish and of the history. */
import { same } from "../values/json.js";
import { EMPTY_SET, itemOf, normalized } from "./document.js";

const NESTED = ["title", "subtitle", "icon", "userInfo"];

/**
 * @typedef {{member: string, old: unknown, new: unknown}} MemberChange `member` as in paths; undefined is a member that is not there
 * @typedef {{added: ShortcutItem[], removed: ShortcutItem[], moved: string[], changed: {id: string, members: MemberChange[]}[],
 *   set: MemberChange[]}} Difference
 * @param {ShortcutSet | null | undefined} older @param {ShortcutSet | null | undefined} newer
 * @returns {Difference}
 */
export function difference(older, newer) {
  const [old, now] = [normalized(older ?? EMPTY_SET), normalized(newer ?? EMPTY_SET)];
  const changed = now.items.map(
    (item) => ({ id: item.id, members: memberChanges(itemOf(old, item.id), item) }),
  ).filter(({ members }) => members.length > 0);
  return {
    added: now.items.filter((item) => !itemOf(old, item.id)),
    removed: old.items.filter((item) => !itemOf(now, item.id)),
    moved: movedIDs(old.items.map((item) => item.id), now.items.map((item) => item.id)),
    changed,
    set: setChanges(old, now),
  };
}

/** @param {Difference} change */
export function isEmpty(change) {
  return [change.added, change.removed, change.moved, change.changed, change.set].every((list) => list.length === 0);
}

/** @param {ShortcutItem | undefined} old @param {ShortcutItem} now */
function memberChanges(old, now) {
  if (!old) return [];
  return changesOf(flat(old), flat(now));
}

/** @param {ShortcutSet} old @param {ShortcutSet} now */
function setChanges(old, now) {
  const members = (/** @type {ShortcutSet} */ set) => {
    /** @type {Map<string, unknown>} */
    const found = new Map((set.retired ?? []).map((entry) => [`retired.${entry.id}`, entry.url ?? null]));
    if (set.fallbackURL !== undefined) found.set("fallbackURL", set.fallbackURL);
    return found;
  };
  return changesOf(members(old), members(now));
}

/** @param {Map<string, unknown>} old @param {Map<string, unknown>} now @returns {MemberChange[]} */
function changesOf(old, now) {
  const names = [...new Set([...now.keys(), ...old.keys()])];
  return names.filter((name) => !same(old.get(name), now.get(name))).map(
    (name) => ({ member: name, old: old.get(name), new: now.get(name) }),
  );
}

/** @param {ShortcutItem} item */
function flat(item) {
  /** @type {Map<string, unknown>} */
  const members = new Map();
  for (const [name, value] of Object.entries(item)) {
    if (NESTED.includes(name) && value) for (const [inner, nested] of Object.entries(value)) members.set(`${name}.${inner}`, nested);
    else members.set(name, value);
  }
  return members;
}

/**
 * The fewest items that must move: those outside a longest run that both orders share.
 * @param {string[]} old @param {string[]} now
 */
function movedIDs(old, now) {
  const common = now.filter((id) => old.includes(id));
  /** @type {string[][]} */
  const runs = [];
  common.forEach((id, index) => {
    const before = runs.filter(
      (run) => old.indexOf(/** @type {string} */ (run.at(-1))) < old.indexOf(id),
    ).sort((left, right) => right.length - left.length)[0] ?? [];
    runs[index] = [...before, id];
  });
  const kept = runs.sort((left, right) => right.length - left.length)[0] ?? [];
  return common.filter((id) => !kept.includes(id));
}
