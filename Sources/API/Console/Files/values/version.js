/** App versions: one to three integers of up to 18 digits, compared by number; missing parts are zero. */

/** @param {string} text @returns {bigint[] | null} three parts, or null */
export function versionParts(text) {
  if (!/^\d{1,18}(\.\d{1,18}){0,2}$/.test(text)) return null;
  const parts = text.split(".").map((part) => BigInt(part));
  while (parts.length < 3) parts.push(0n);
  return parts;
}

/**
 * The canonical text, `2.1.0`; the text itself if it is not a version.
 * @param {string} text
 */
export function canonicalVersion(text) {
  return versionParts(text.trim())?.join(".") ?? text.trim();
}

/** @param {string} left @param {string} right canonical versions, with or without a build */
export function compareVersions(left, right) {
  const [leftVersion, leftBuild = ""] = left.split("+");
  const [rightVersion, rightBuild = ""] = right.split("+");
  return compareParts(numbers(leftVersion), numbers(rightVersion))
    || compareParts(numbers(leftBuild), numbers(rightBuild));
}

/** @param {string} text */
function numbers(text) {
  return text === "" ? [-1n] : text.split(".").map((part) => (/^\d+$/.test(part) ? BigInt(part) : 0n));
}

/** @param {bigint[]} left @param {bigint[]} right */
function compareParts(left, right) {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [a, b] = [left[index] ?? 0n, right[index] ?? 0n];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}
