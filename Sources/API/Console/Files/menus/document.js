/**
 * Edits of a set's document, as `PUT …/draft` takes it. Each edit makes a new document, so that undo can keep the
 * previous ones and identity tells whether a document changed.
 */
import { same, withMember } from "../values/json.js";

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
export function setRetired(set, retired) {
  return withMember(set, "retired", retired.length === 0 ? undefined : retired);
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
