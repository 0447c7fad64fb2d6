/** Paths of violations and warnings, as the API writes them: `items[1].title.en`, `items[0].userInfo["a.b"][2]`. */

/** @param {string} path @returns {(string | number)[]} */
export function pathSteps(path) {
  /** @type {(string | number)[]} */
  const steps = [];
  for (const [, name, quoted, index] of path.matchAll(/\.?([A-Za-z0-9_$-]+)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/g)) {
    if (index !== undefined) steps.push(Number(index));
    else steps.push(name ?? JSON.parse(`"${quoted}"`));
  }
  return steps;
}
