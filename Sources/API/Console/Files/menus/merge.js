/**
 * A three-way merge of two editors' changes, by item and member. Each language of a title is a separate member.
 * Changes of one side and equal changes are merged. Other changes of the same member are contests.
 *
 * A contest's `key` is `<item id> <member>`; a side's value is undefined if it lacks the member.
 *
 * @template Value
 * @typedef {{base: Value, mine: Value, theirs: Value}} Sides
 */
/**
 * @typedef {{key: string, item: string, member: string} & Sides<any>} Contest
 * @typedef {Map<string, "mine" | "theirs">} Choices by a contest's key
 * @typedef {<Value>(item: string, member: string, values: Sides<Value>) => Value} Decide
 */
import { member as memberOf, same } from "../values/json.js";
import { EMPTY_SET, itemOf, normalized } from "./document.js";

const LANGUAGES = /** @type {const} */ (["title", "subtitle"]);
const MEMBERS = /** @type {const} */ ([
  "type", "icon", "url", "userInfo", "targetContentIdentifier", "enabled", "replaces",
]);

/**
 * @param {ShortcutSet | null | undefined} base the common ancestor
 * @param {ShortcutSet | null | undefined} mine @param {ShortcutSet | null | undefined} theirs @param {Choices} choices
 * @returns {{set: ShortcutSet, contests: Contest[]}} for contests without a choice, the set has `mine`
 */
export function merge(base, mine, theirs, choices = new Map()) {
  const sides = {
    base: normalized(base ?? EMPTY_SET), mine: normalized(mine ?? EMPTY_SET), theirs: normalized(theirs ?? EMPTY_SET),
  };
  /** @type {Contest[]} */
  const contests = [];
  /** @type {Decide} */
  const decide = (item, name, values) => {
    if (same(values.mine, values.theirs) || same(values.theirs, values.base)) return values.mine;
    if (same(values.mine, values.base)) return values.theirs;
    const key = `${item} ${name}`;
    contests.push({ key, item, member: name, ...values });
    return choices.get(key) === "theirs" ? values.theirs : values.mine;
  };
  /** @type {Map<string, ShortcutItem>} */
  const items = new Map();
  for (const id of everyID(sides)) {
    const merged = mergedItem(
      id, { base: itemOf(sides.base, id), mine: itemOf(sides.mine, id), theirs: itemOf(sides.theirs, id) }, decide,
    );
    if (merged) items.set(id, merged);
  }
  const order = mergedOrder(sides, decide).filter((id) => items.has(id));
  /** @type {ShortcutSet} */
  const set = { items: order.flatMap((id) => items.get(id) ?? []) };
  const retired = mergedRetired(sides, decide);
  if (retired.length > 0) set.retired = retired;
  const fallbackURL = decide("set", "fallbackURL", valuesOf(sides, (side) => side.fallbackURL));
  if (fallbackURL !== undefined) set.fallbackURL = fallbackURL;
  return { set, contests };
}

/** @param {string} id @param {Sides<ShortcutItem | undefined>} sides @param {Decide} decide */
function mergedItem(id, sides, decide) {
  const { base, mine, theirs } = sides;
  if (!mine && !theirs) return undefined;
  if (base && (!mine || !theirs)) return decide(id, "removed", sides);
  if (!mine || !theirs) return mine ?? theirs;
  /** @type {any} */
  const item = { id };
  for (const name of LANGUAGES) {
    const texts = Object.create(null);
    for (const tag of tagsOf(sides, name)) {
      const text = decide(id, `${name}.${tag}`, valuesOf(sides, (side) => memberOf(side?.[name], tag)));
      if (text !== undefined) texts[tag] = text;
    }
    if (name === "title" || Object.keys(texts).length > 0) item[name] = { ...texts };
  }
  for (const name of MEMBERS) {
    const value = decide(id, name, valuesOf(sides, (side) => side?.[name]));
    if (value !== undefined) item[name] = value;
  }
  return item;
}

/**
 * The order of the side that changed it. Each item that the other side added follows the same item as there, or is
 * last.
 * @param {Sides<ShortcutSet>} sides @param {Decide} decide
 */
function mergedOrder(sides, decide) {
  const ids = valuesOf(sides, (side) => side.items.map((item) => item.id));
  const common = ids.base.filter((id) => ids.mine.includes(id) && ids.theirs.includes(id));
  const orders = valuesOf(ids, (side) => side.filter((id) => common.includes(id)));
  const chosen = decide("set", "order", orders);
  const followsMine = same(chosen, orders.mine) && !same(orders.mine, orders.base);
  const [first, second] = followsMine ? [ids.mine, ids.theirs] : [ids.theirs, ids.mine];
  const order = [...first];
  const added = new Set();
  const end = second.findLastIndex((id) => first.includes(id)) + 1;
  second.forEach((id, index) => {
    if (order.includes(id)) return;
    if (index >= end) return void order.push(id);
    let place = index === 0 ? 0 : order.indexOf(second[index - 1]) + 1;
    // If both sides added items at the same place, the items of the leading side come first.
    if (!added.has(second[index - 1])) while (place < order.length && !second.includes(order[place])) place++;
    order.splice(place, 0, id);
    added.add(id);
  });
  return order;
}

/**
 * Merges retired ids, each as a member of the set.
 * @param {Sides<ShortcutSet>} sides @param {Decide} decide
 */
function mergedRetired(sides, decide) {
  const retired = valuesOf(sides, (side) => new Map((side.retired ?? []).map((entry) => [entry.id, entry])));
  const ids = new Set([...retired.theirs.keys(), ...retired.mine.keys()]);
  return [...ids].flatMap((id) => decide("set", `retired.${id}`, valuesOf(retired, (side) => side.get(id))) ?? []);
}

/** @template Side, Value @param {Sides<Side>} sides @param {(side: Side) => Value} value @returns {Sides<Value>} */
function valuesOf(sides, value) {
  return { base: value(sides.base), mine: value(sides.mine), theirs: value(sides.theirs) };
}

/** @param {Sides<ShortcutSet>} sides */
function everyID(sides) {
  return new Set(Object.values(sides).flatMap((side) => side.items.map((item) => item.id)));
}

/** @param {Sides<ShortcutItem | undefined>} sides @param {"title" | "subtitle"} name */
function tagsOf(sides, name) {
  return new Set(Object.values(sides).flatMap((side) => Object.keys(side?.[name] ?? {})));
}
