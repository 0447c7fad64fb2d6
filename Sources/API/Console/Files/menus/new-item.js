/** Ids and types of new items, so that nobody has to type them. */

const LONGEST = 64;
/**
 * Letters that Unicode does not decompose.
 * @type {Record<string, string>}
 */
const LETTERS = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", þ: "th", ı: "i" };

/**
 * Whether the item still has its temporary id, because it has no complete title yet.
 * @param {string} id
 */
export const isProvisional = (id) => /^item-\d{6}$/.test(id);

/** An id for a new item. It is random, so that the new items of two editors are not taken for one. */
export const provisionalID = () => `item-${100_000 + Math.floor(Math.random() * 900_000)}`;

/**
 * Makes an id from a title: `Find a bike` becomes `find-a-bike`. A title without Latin letters becomes `item-2`.
 * @param {string} title @param {Set<string>} taken
 */
export function idFor(title, taken) {
  const words = title
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter])
    .normalize("NFKD")
    .replaceAll(/[\p{M}'’]/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const withSuffix = (/** @type {string} */ suffix) =>
    (words || "item").slice(0, LONGEST - suffix.length).replace(/-$/, "") + suffix;
  let id = words ? withSuffix("") : "item-1";
  for (let number = 2; taken.has(id); number++) id = withSuffix(`-${number}`);
  return id;
}

/**
 * The type of a new item: the most frequent prefix of the app's types and the id. An app whose items all have the same
 * type keeps it.
 * @param {string} id @param {string[]} types of the app's items @param {string} app
 */
export function typeFor(id, types, app) {
  if (types.length > 1 && new Set(types).size === 1) return types[0];
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const type of types) {
    const prefix = type.slice(0, type.lastIndexOf(".") + 1);
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  const [[prefix] = [`${app}.`]] = [...counts].sort(([, left], [, right]) => right - left);
  return prefix + id;
}
