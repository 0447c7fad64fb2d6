/**
 * Places in the address after `#`, such as `#/apps/com.example.mail/sets/2.0.0/default?lang=ko`. They survive a reload.
 */

/** @typedef {{parts: string[], query: URLSearchParams}} Place */

/**
 * A room's place with the names in its route. Other names are missing.
 * @typedef {Place & {app: string, version: string, audience: string, revision: string, webhook: string}} RoomPlace
 * @typedef {Record<string, string | number | null | undefined>} Query
 */

/** @returns {Place} */
export function currentPlace() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { parts: path.split("/").filter((part) => part !== "").map(decoded), query: new URLSearchParams(query) };
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * An address for a link.
 * @param {string[]} parts @param {Query} query
 */
export function address(parts, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `#/${parts.map(encodeURIComponent).join("/")}${given.length > 0 ? `?${search}` : ""}`;
}

/** @param {string[]} parts @param {Query} query */
export function go(parts, query = {}) {
  location.hash = address(parts, query);
}

/**
 * Puts a choice into the address, for reloads and links, without a new entry in the browser's history.
 * @param {Query} query
 */
export function note(query) {
  const place = currentPlace();
  const merged = { ...Object.fromEntries(place.query), ...query };
  history.replaceState(history.state, "", address(place.parts, merged));
}
