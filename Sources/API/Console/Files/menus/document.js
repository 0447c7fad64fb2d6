/**
 * Edits of a set's document, as `PUT …/draft` takes it. Each edit makes a new document, so that undo can keep the
 * previous ones and identity tells whether a document changed.
 */
import { member, same, withMember } from "../values/json.js";

/** @type {ShortcutSet} */
export const EMPTY_SET = Object.freeze({ items: [] });

/** @param {ShortcutSet} set @param {string} id */
export function itemOf(set, id) {
  return set.items.find((item) => item.id === id);
}

/** @param {ShortcutSet} set @param {string} id @param {(item: ShortcutItem) => ShortcutItem} edit */
function editItem(set, id, edit) {
  return { ...set, items: set.items.map((item) => (item.id === id ? edit(item) : item)) };
}

/**
 * Sets a member; undefined removes it.
 * @param {ShortcutSet} set @param {string} id @param {string} name @param {unknown} value
 */
export function setMember(set, id, name, value) {
  return editItem(set, id, (item) => withMember(item, name, value));
}

/**
 * Sets a title or subtitle in a language; an empty text removes it.
 * @param {ShortcutSet} set @param {string} id @param {"title" | "subtitle"} name @param {string} tag
 * @param {string} text
 */
export function setText(set, id, name, tag, text) {
  return editItem(set, id, (item) => {
    const texts = withMember(item[name] ?? {}, tag, text === "" ? undefined : text);
    const gone = name === "subtitle" && Object.keys(texts).length === 0;
    return withMember(item, name, gone ? undefined : texts);
  });
}

/** @param {ShortcutSet} set @param {string} id @param {string} type @returns {ShortcutSet} */
export function addItem(set, id, type) {
  return { ...set, items: [...set.items, { id, type, title: {} }] };
}

/** @param {ShortcutSet} set @param {string} id @returns {ShortcutSet} */
export function removeItem(set, id) {
  return { ...set, items: set.items.filter((item) => item.id !== id) };
}

/**
 * Puts a removed item back, without a decision about its removal.
 * @param {ShortcutSet} set @param {ShortcutItem} item @param {number} place @returns {ShortcutSet}
 */
export function restoreItem(set, item, place) {
  return itemOf(set, item.id) ? set : decide({ ...set, items: set.items.toSpliced(place, 0, item) }, item.id, null);
}

/**
 * Changes the id of an item. A type that ends in the id follows.
 * @param {ShortcutSet} set @param {string} id @param {string} now
 */
export function renameItem(set, id, now) {
  return editItem(set, id, (item) => {
    const isNamed = `.${item.type}`.endsWith(`.${id}`);
    return { ...item, id: now, type: isNamed ? item.type.slice(0, -id.length) + now : item.type };
  });
}

/**
 * Moves the item to a place, counted from 0 among the others.
 * @param {ShortcutSet} set @param {string} id @param {number} place @returns {ShortcutSet}
 */
export function moveItem(set, id, place) {
  const item = itemOf(set, id);
  const others = set.items.filter((other) => other.id !== id);
  if (!item || place < 0 || place > others.length) return set;
  others.splice(place, 0, item);
  return { ...set, items: others };
}

/** @param {ShortcutSet} set @param {RetiredItem[]} retired */
function setRetired(set, retired) {
  return withMember(set, "retired", retired.length === 0 ? undefined : retired);
}

/**
 * What a tap on a removed item does: the same as an item, or opening a URL or only the app. Null if nothing is decided.
 * @typedef {{item: string, url?: undefined} | {item?: undefined, url?: string} | null} Decision
 */

/** @param {ShortcutSet} set @param {string} id of the removed item @returns {Decision} */
export function decisionOf({ items, retired = [] }, id) {
  const heir = items.find(({ replaces }) => replaces?.includes(id));
  if (heir) return { item: heir.id };
  const entry = retired.find((each) => each.id === id);
  return entry ? { url: entry.url } : null;
}

/** @param {ShortcutSet} set @param {string} id of the removed item @param {Decision} decision @returns {ShortcutSet} */
export function decide(set, id, decision) {
  const items = set.items.map((item) => {
    const { replaces = [] } = item;
    if (replaces.includes(id) === (item.id === decision?.item)) return item;
    const ids = item.id === decision?.item ? [...replaces, id] : replaces.filter((other) => other !== id);
    return withMember(item, "replaces", ids.length > 0 ? ids : undefined);
  });
  const retired = [...(set.retired ?? [])];
  const place = retired.findIndex((entry) => entry.id === id);
  const entry = decision && decision.item === undefined ? [withMember({ id }, "url", decision.url)] : [];
  retired.splice(place < 0 ? retired.length : place, place < 0 ? 0 : 1, ...entry);
  return setRetired({ ...set, items }, retired);
}

/**
 * The number of items with a title in a language.
 * @param {ShortcutSet} set @param {string} tag
 */
export function titledIn({ items }, tag) {
  return items.filter(({ title }) => member(title, tag)).length;
}

/**
 * All languages of titles and subtitles, the default language first.
 * @param {ShortcutSet} set @param {string} defaultLanguage
 */
export function languagesOf(set, defaultLanguage) {
  /** @type {Set<string>} */
  const tags = new Set();
  for (const item of set.items) {
    for (const tag of [...Object.keys(item.title ?? {}), ...Object.keys(item.subtitle ?? {})]) tags.add(tag);
  }
  tags.delete(defaultLanguage);
  return [defaultLanguage, ...[...tags].sort()];
}

/**
 * The document without members that have their default value, so that documents can be compared.
 * @param {ShortcutSet} set
 */
export function normalized(set) {
  const items = set.items.map((item) => {
    let plain = item;
    if (item.enabled !== false) plain = withMember(plain, "enabled", undefined);
    for (const name of /** @type {const} */ (["subtitle", "userInfo", "icon"])) {
      const value = item[name];
      if (value && Object.keys(value).length === 0) plain = withMember(plain, name, undefined);
    }
    if (item.replaces?.length === 0) plain = withMember(plain, "replaces", undefined);
    if (item.personal) plain = withMember(plain, "personal", normalizedPersonal(item.personal));
    return plain;
  });
  return setRetired({ ...set, items }, set.retired ?? []);
}

/** @param {Personal} personal */
function normalizedPersonal(personal) {
  const hasSample = Object.keys(personal.sample ?? {}).length > 0;
  const plain = personal.limit === 1 ? withMember(personal, "limit", undefined) : personal;
  return hasSample ? plain : withMember(plain, "sample", undefined);
}

/**
 * Whether two sets are equal. Null differs from every set.
 * @param {ShortcutSet | null} left @param {ShortcutSet | null} right
 */
export function sameSet(left, right) {
  if (!left || !right) return left === right;
  return same(normalized(left), normalized(right));
}
