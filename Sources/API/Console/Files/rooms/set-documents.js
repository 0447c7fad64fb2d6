/** The documents of sets. A revision never changes, so each is read once. */
import { findSet, judgeDraft, latestRevisions } from "../api/apps.js";
import { isAbort } from "../api/problem.js";

const MOST = 2000;
const AT_ONCE = 4;
/** @type {Map<string, ShortcutSet>} by app and revision */
const known = new Map();

/**
 * @param {string} app @param {SetSummary} set @param {RequestOptions} [options]
 * @returns {Promise<ShortcutSet | null>} null if the set was deleted
 */
export async function documentOf(app, set, options) {
  const key = `${app} ${set.revision}`;
  const read = known.get(key);
  if (read) return read;
  const standing = await findSet(app, set.version, set.audience, options);
  if (known.size >= MOST) known.clear();
  if (standing?.revision === set.revision) known.set(key, standing.set);
  return standing?.set ?? null;
}

/**
 * The sets with their documents, in order; null for documents that could not be read.
 * @param {string} app @param {SetSummary[]} sets @param {RequestOptions} options
 * @returns {Promise<(SetSummary & {set: ShortcutSet | null})[]>}
 */
export async function withDocuments(app, sets, options) {
  /** @type {(SetSummary & {set: ShortcutSet | null})[]} */
  const read = [];
  let next = 0;
  const readOne = (/** @type {SetSummary} */ set) => documentOf(app, set, options).catch((error) => {
    if (isAbort(error)) throw error;
    return null;
  });
  const work = async () => {
    for (let place = next++; place < sets.length; place = next++) {
      read[place] = { ...sets[place], set: await readOne(sets[place]) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return read;
}

/**
 * Published items that a menu neither has nor decides, with their titles. Phones may still show them.
 * @param {App} app @param {{version: string, audience: string}} place @param {ShortcutSet} set
 * @param {RequestOptions} [options]
 */
export async function forgottenItems({ app, defaultLanguage }, { version, audience }, set, options) {
  const { warnings } = await judgeDraft(app, version, audience, set, options);
  const ids = warnings.filter(({ code }) => code === "id-dropped").map(({ name = "" }) => name);
  const former = ids.length > 0 ? await latestRevisions(app, version, audience, options) : [];
  const items = former.flatMap((revision) => revision.set?.items ?? []);
  return ids.map((id) => ({ id, title: items.find((each) => each.id === id)?.title[defaultLanguage] ?? id }));
}
