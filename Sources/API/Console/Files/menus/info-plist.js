/**
 * Reads version and build of an Info.plist, XML or binary, for the address of its release. The service reads the rest.
 * A value that cannot be read is null. Files are not trusted: each step is bounded by the file's size.
 */
import { versionParts } from "../values/version.js";

const KEYS = ["CFBundleShortVersionString", "CFBundleVersion"];
const LONGEST = 100;

/** The service rejects larger files. */
export const LARGEST = 4 << 20;

/**
 * @param {ArrayBuffer} buffer
 * @returns {{isPlist: boolean, version: string | null, build: string | null}} `version` is null if the file has no
 *   valid version
 */
export function bundleVersion(buffer) {
  const beginning = new TextDecoder("latin1").decode(buffer.slice(0, 1000));
  const isBinary = beginning.startsWith("bplist00");
  const [version, build] = KEYS.map(isBinary ? binaryReader(buffer) : xmlReader(new TextDecoder().decode(buffer)));
  const isVersion = version && versionParts(version);
  return {
    isPlist: isBinary || beginning.includes("<plist"), version: isVersion ? version : null, build: build || null,
  };
}

/**
 * @param {string} text
 * @returns {(key: string) => string | null}
 */
function xmlReader(text) {
  return (key) => {
    const name = `<key>${key}</key>`;
    const at = text.indexOf(name);
    if (at < 0) return null;
    const rest = text.slice(at + name.length).trimStart().slice(0, LONGEST);
    const end = rest.indexOf("</string>");
    return rest.startsWith("<string>") && end > 0 ? rest.slice("<string>".length, end).trim() : null;
  };
}

/**
 * The top-level dictionary of a binary property list, which has a trailer, a table of offsets, and objects that refer
 * to others by number.
 * @param {ArrayBuffer} buffer
 * @returns {(key: string) => string | null}
 */
function binaryReader(buffer) {
  const nothing = () => null;
  if (buffer.byteLength < 40) return nothing;
  const view = new DataView(buffer);
  const trailer = buffer.byteLength - 32;
  const [offsetSize, referenceSize] = [view.getUint8(trailer + 6), view.getUint8(trailer + 7)];
  if (![offsetSize, referenceSize].every((size) => size >= 1 && size <= 8)) return nothing;
  const number = (/** @type {number} */ at, /** @type {number} */ size) => {
    let value = 0;
    for (let index = 0; index < size; index++) value = value * 256 + view.getUint8(at + index);
    return value;
  };
  try {
    const table = number(trailer + 24, 8);
    const offset = (/** @type {number} */ object) => number(table + object * offsetSize, offsetSize);
    const headOf = (/** @type {number} */ object) => {
      const at = offset(object);
      const [kind, count] = [view.getUint8(at) >> 4, view.getUint8(at) & 15];
      if (count !== 15 || kind < 4) return { kind, count, at: at + 1 };
      const size = 2 ** (view.getUint8(at + 1) & 3);
      return { kind, count: number(at + 2, size), at: at + 2 + size };
    };
    const text = (/** @type {number} */ object) => {
      const { kind, count, at } = headOf(object);
      if (count > LONGEST) return null;
      if (kind === 5) return new TextDecoder().decode(new Uint8Array(buffer, at, count));
      return kind === 6 ? new TextDecoder("utf-16be").decode(new Uint8Array(buffer, at, count * 2)) : null;
    };
    const top = headOf(number(trailer + 16, 8));
    if (top.kind !== 13 || top.at + 2 * top.count * referenceSize > trailer) return nothing;
    const reference = (/** @type {number} */ index) => number(top.at + index * referenceSize, referenceSize);
    const values = new Map();
    for (let index = 0; index < top.count; index++) {
      const key = text(reference(index));
      if (KEYS.includes(key ?? "")) values.set(key, text(reference(index + top.count)));
    }
    return (key) => values.get(key) ?? null;
  } catch (error) {
    if (error instanceof RangeError) return nothing;
    throw error;
  }
}
