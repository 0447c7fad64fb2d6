/** The placeholders of a personal item, such as {name}. The phone fills them in; previews show the sample values. */

/** A brace written twice, a placeholder, or a brace alone. */
const PART = /\{\{|\}\}|\{([a-z][A-Za-z0-9]{0,31})\}|[{}]/g;

/**
 * The names in the item's texts, in their order, each once.
 * @param {ShortcutItem} item @returns {string[]}
 */
export function placeholdersOf(item) {
  const texts = [
    ...Object.values(item.title ?? {}), ...Object.values(item.subtitle ?? {}), item.url, ...strings(item.userInfo),
  ];
  const names = texts.flatMap((text) => [...(text ?? "").matchAll(PART)].flatMap(([, name]) => name ?? []));
  return [...new Set(names)];
}

/**
 * The text as a preview shows it. A placeholder without a sample value stays as it is written.
 * @param {string} text @param {Personal | undefined} personal undefined for an item that is not personal
 */
export function withSamples(text, personal) {
  if (!personal) return text;
  /** @type {Map<string, string>} */
  const values = new Map(Object.entries(personal.sample ?? {}));
  return text.replace(PART, (part, name) => {
    if (name !== undefined) return values.get(name) || part;
    return part.length === 2 ? part[0] : part;
  });
}

/** @param {any} value @returns {string[]} */
function strings(value) {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}
