/** The changes from one set to another, by item and member. */
import { same } from "../values/json.js";
import { EMPTY_SET, itemOf, normalized } from "./document.js";

const NESTED = ["title", "subtitle", "icon", "userInfo", "personal"];

/**
 * `successor`: the newer set begins at a later version, where the older set's retired and replaced ids still apply.
 * @typedef {{member: string, old: unknown, new: unknown}} MemberChange `member` as in paths; undefined for a missing
 *   member
 * @typedef {{added: ShortcutItem[], removed: ShortcutItem[], replaced: {item: ShortcutItem, heir: ShortcutItem}[],
 *   retired: {item: ShortcutItem, url: string | undefined}[], moved: {item: ShortcutItem, place: number}[],
 * changed: {item: ShortcutItem, members: MemberChange[]}[], set: MemberChange[], items: ShortcutItem[], fallbackURL:
 * string | undefined}} Difference `removed`: items without a rule; `items`: the items of both sets
 * @param {ShortcutSet | null | undefined} older @param {ShortcutSet | null | undefined} newer
 * @param {{successor?: boolean}} how
 * @returns {Difference}
 */
export function difference(older, newer, { successor = false } = {}) {
  const [old, now] = [normalized(older ?? EMPTY_SET), normalized(newer ?? EMPTY_SET)];
  const gone = old.items.filter((item) => !itemOf(now, item.id));
  const heirOf = (/** @type {ShortcutItem} */ { id }) => now.items.find((item) => item.replaces?.includes(id));
  const entryOf = (/** @type {ShortcutItem} */ { id }) => now.retired?.find((entry) => entry.id === id);
  const replaced = gone.flatMap((item) => {
    const heir = heirOf(item);
    return heir ? [{ item, heir }] : [];
  });
  const retired = gone.filter((item) => entryOf(item)).map((item) => ({ item, url: entryOf(item)?.url }));
  const told = new Set([...replaced, ...retired].map(({ item }) => item.id));
  const holds = (/** @type {MemberChange} */ change) => {
    if (change.member !== "replaces") {
      return successor && change.member.startsWith("retired.") && change.new === undefined;
    }
    const [had, has] = /** @type {string[][]} */ ([change.old ?? [], change.new ?? []]);
    return has.every((id) => had.includes(id) || told.has(id)) && (successor || had.every((id) => has.includes(id)));
  };
  return {
    added: now.items.filter((item) => !itemOf(old, item.id) && !replaced.some(({ heir }) => heir === item)),
    removed: gone.filter(({ id }) => !told.has(id)),
    replaced,
    retired,
    moved: movedIDs(old.items.map((item) => item.id), now.items.map((item) => item.id)).map(
      (id) => ({
        item: /** @type {ShortcutItem} */ (itemOf(now, id)), place: now.items.findIndex((item) => item.id === id) + 1,
      }),
    ),
    changed: now.items.map(
      (item) => ({ item, members: memberChanges(itemOf(old, item.id), item).filter((change) => !holds(change)) })
    )
      .filter(({ members }) => members.length > 0),
    set: setChanges(old, now).filter((change) => !holds(change) && !told.has(change.member.slice("retired.".length))),
    items: [...now.items, ...old.items],
    fallbackURL: now.fallbackURL,
  };
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
    if (NESTED.includes(name) && value) {
      for (const [inner, nested] of Object.entries(value)) members.set(`${name}.${inner}`, nested);
    }
    else members.set(name, value);
  }
  return members;
}

/**
 * The fewest items that must move: all outside a longest common subsequence.
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
