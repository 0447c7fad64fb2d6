/**
 * The version and build of an Info.plist, XML or binary: the address of a release has them, the service reads everything else. What cannot
 * be read is
 * null, and the service says what is wrong with the file.
 */

const KEYS = ["CFBundleShortVersionString", "CFBundleVersion"];

/** @param {ArrayBuffer} buffer @returns {{version: string | null, build: string | null}} */
export function bundleVersion(buffer) {
  const bytes = new Uint8Array(buffer);
  const isBinary = String.fromCharCode(...bytes.subarray(0, 8)) === "bplist00";
  const [version, build] = KEYS.map(isBinary ? binaryReader(buffer) : xmlReader(new TextDecoder().decode(bytes)));
  return { version, build };
}

/** @typedef {(key: string) => string | null} Reader */

/** @param {string} text @returns {Reader} */
function xmlReader(text) {
  return (key) => text.match(new RegExp(`<key>\\s*${key}\\s*</key>\\s*<string>\\s*([^<]*?)\\s*</string>`))?.[1] ?? null;
}

/**
 * The top-level dictionary of a binary property list: a trailer, a table of offsets, objects that refer to others by number.
 * @param {ArrayBuffer} buffer @returns {Reader}
 */
function binaryReader(buffer) {
  const nothing = () => null;
  if (buffer.byteLength < 40) return nothing;
  const view = new DataView(buffer);
  const trailer = buffer.byteLength - 32;
  const [offsetSize, referenceSize] = [view.getUint8(trailer + 6), view.getUint8(trailer + 7)];
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
      const size = 2 ** (view.getUint8(at + 1) & 15);
      return { kind, count: number(at + 2, size), at: at + 2 + size };
    };
    const text = (/** @type {number} */ object) => {
      const { kind, count, at } = headOf(object);
      if (kind === 5) return new TextDecoder().decode(new Uint8Array(buffer, at, count));
      return kind === 6 ? new TextDecoder("utf-16be").decode(new Uint8Array(buffer, at, count * 2)) : null;
    };
    const top = headOf(number(trailer + 16, 8));
    if (top.kind !== 13) return nothing;
    const reference = (/** @type {number} */ index) => number(top.at + index * referenceSize, referenceSize);
    const values = new Map();
    for (let index = 0; index < top.count; index++) {
      const key = text(reference(index));
      if (key !== null && KEYS.includes(key)) values.set(key, text(reference(index + top.count)));
    }
    return (key) => values.get(key) ?? null;
  } catch (error) {
    if (error instanceof RangeError) return nothing;
    throw error;
  }
}
