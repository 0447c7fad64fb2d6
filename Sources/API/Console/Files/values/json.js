/**
 * JSON that keeps the spelling of numbers. A property list distinguishes 1 from 1.0 and has 64-bit integers, which
 * JavaScript's numbers do not. A number that `String(Number(text))` would change is a `NumberText`.
 */

export class NumberText {
  /** @param {string} text a number as JSON spells it */
  constructor(text) {
    this.text = text;
    Object.freeze(this);
  }

  toString() {
    return this.text;
  }
}

/** @param {string} text */
export function readJSON(text) {
  return JSON.parse(text, (_, value, context) => {
    if (typeof value !== "number" || context === undefined) return value;
    const lossy = String(value) !== context.source || (Number.isInteger(value) && !Number.isSafeInteger(value));
    return lossy ? new NumberText(context.source) : value;
  });
}

/** @param {any} value @param {boolean} sorted whether members are sorted by name @returns {string} */
export function writeJSON(value, sorted = false) {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map((element) => writeJSON(element ?? null, sorted)).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  if (sorted) names.sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${writeJSON(value[name], sorted)}`).join(",")}}`;
}

/**
 * Whether two documents are equal, in any order of members. Undefined is a missing member.
 * @param {unknown} left @param {unknown} right
 */
export function same(left, right) {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  return writeJSON(left, true) === writeJSON(right, true);
}

/**
 * The object without the member. Unlike an assignment, this is safe for `__proto__`.
 * @template {object} Members @param {Members} object @param {string} name
 */
export function without(object, name) {
  return /** @type {Members} */ (Object.fromEntries(Object.entries(object).filter(([other]) => other !== name)));
}

/**
 * The object with the member set, in its old place or last; undefined removes it.
 * @template {object} Members @param {Members} object @param {string} name @param {unknown} value
 */
export function withMember(object, name, value) {
  if (value === undefined) return without(object, name);
  const entries = Object.entries(object);
  const place = entries.findIndex(([other]) => other === name);
  if (place < 0) entries.push([name, value]);
  else entries[place] = [name, value];
  return /** @type {Members} */ (Object.fromEntries(entries));
}

/**
 * An object's own member; undefined for inherited members such as `constructor`.
 * @template Value @param {Record<string, Value> | null | undefined} object @param {string | undefined} name
 * @returns {Value | undefined}
 */
export function member(object, name) {
  return object && name !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}
