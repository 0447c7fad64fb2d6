/** The requests of an app's rooms. Functions are named after their operations in openapi.yaml. */
import { find, get, patch, path, post, put, remove, send } from "./client.js";
import { all, page } from "./lists.js";
import { found } from "./problem.js";
import { strings } from "../strings.js";

export const DEFAULT_AUDIENCE = "default";

/**
 * @typedef {{app: string, version: string, audience: string}} SetName
 * @typedef {{set: ShortcutSet, revision: number}} Standing the published set of a place
 * @typedef {{set: ShortcutSet, tag: string, base: number | null}} Draft
 * @typedef {{violations: Violation[], warnings: Warning[]}} Findings
 * @typedef {[app: string, version: string, audience: string]} Where
 */

/** @template Entry @typedef {(app: string, options?: RequestOptions) => Promise<Entry>} Read */

/**
 * Names of the apps that were read.
 * @type {Map<string, string | null>}
 */
const names = new Map();

/** @param {string} app */
export const nameOfApp = (app) => names.get(app) ?? null;

/** @param {App} app */
export function noteApp(app) {
  names.set(app.app, app.name);
  return app;
}

/** @type {Read<App>} */
export const getApp = async (app, options) => noteApp((await get(path`/apps/${app}`, options)).body);

/** @type {Read<{app: App, tag: string}>} */
export async function readApp(app, options) {
  const { body, etag } = await get(path`/apps/${app}`, options);
  return { app: noteApp(body), tag: etag ?? "*" };
}

/**
 * Changes members of an app if nobody changed it since it was read.
 * @param {string} app @param {Partial<App>} members @param {string} tag
 * @param {string} [override] reason for fewer approvals
 * @returns {Promise<{app: App, tag: string}>}
 */
export async function patchApp(app, members, tag, override) {
  const { body, etag } = await patch(
    path`/apps/${app}`, members,
    { type: "application/merge-patch+json", query: { override }, fields: { "If-Match": tag } },
  );
  return { app: noteApp(body), tag: etag ?? "*" };
}

/** @param {string} app */
export const deleteApp = (app) => remove(path`/apps/${app}`);

/** @type {Read<SetSummary[]>} */
export const listSets = (app, options) => all(path`/apps/${app}/sets`, options);
/** @type {Read<DraftSummary[]>} */
export const listDrafts = (app, options) => all(path`/apps/${app}/drafts`, options);
/** @type {Read<Release[]>} */
export const listReleases = (app, options) => all(path`/apps/${app}/releases`, options);
/** @type {Read<ScheduleEntry[]>} */
export const listSchedule = (app, options) => all(path`/apps/${app}/schedule`, options);

/** @type {Read<TapRanking>} */
export const rankTaps = async (app, options) => (await get(path`/apps/${app}/taps/ranking`, options)).body;

/** @type {Read<PreviewLink[]>} */
export const listPreviews = (app, options) => all(path`/apps/${app}/previews`, options);

/** @param {string} app @param {{version: string, audience: string}} draft @returns {Promise<NewPreviewLink>} */
export const createPreview = async (app, { version, audience }) =>
  (await post(
    path`/apps/${app}/previews`, { version, audience }, { meanings: { "quota-exceeded": strings.onPhone.tooMany } },
  )).body;

/** @param {string} app @param {string} id */
export const deletePreview = (app, id) => remove(path`/apps/${app}/previews/${id}`);

/** @param {string} app @param {string} version */
const setPath = (app, version, rest = "") => path`/apps/${app}/sets/${version}` + rest;

/**
 * @param {string} app @param {string} version @param {string} audience @param {RequestOptions} options
 * @returns {Promise<Standing | null>}
 */
export async function findSet(app, version, audience, options = {}) {
  const found = await find(setPath(app, version), { ...options, query: { audience } });
  return found && { set: found.body, revision: Number(found.etag?.replaceAll(/[W/"]/g, "")) };
}

/**
 * @param {string} app @param {string} version @param {string} audience @param {RequestOptions} options
 * @returns {Promise<Draft | null>}
 */
export async function findDraft(app, version, audience, options = {}) {
  const found = await find(setPath(app, version, "/draft"), { ...options, query: { audience } });
  if (!found) return null;
  const said = found.fields.get("Longpress-Base");
  const base = said === null ? await inferredBase(app, version, audience, options) : Number(said);
  return { set: found.body, tag: found.etag ?? "", base };
}

/**
 * The base of a draft whose answer does not name it: the set's last revision before the draft was saved, or 0.
 * @param {string} app @param {string} version @param {string} audience @param {RequestOptions} options
 */
async function inferredBase(app, version, audience, options) {
  const drafts = await listDrafts(app, options);
  const saved = drafts.find((draft) => draft.version === version && draft.audience === audience)?.savedAt;
  if (!saved) return null;
  /** @type {Revision[]} */
  const revisions = await all(path`/apps/${app}/revisions`, { ...options, most: 200 });
  const before = revisions.find(
    (each) => each.version === version && each.audience === audience && Date.parse(
      each.publishedAt
    ) <= Date.parse(saved),
  );
  return before?.kind === "published" ? before.revision : 0;
}

/**
 * @param {string} app @param {string} version @param {string} audience @param {ShortcutSet} set
 * @param {{tag: string | null, base: number} & RequestOptions} options `tag` of the draft to replace, null for a new
 *   draft; `base`: the revision that the draft is made from, or 0
 * @returns {Promise<{tag: string, findings: Findings}>}
 */
export async function putDraft(app, version, audience, set, { tag, base, ...options }) {
  /** @type {Record<string, string>} */
  const condition = tag ? { "If-Match": tag } : { "If-None-Match": "*" };
  const answer = await put(setPath(app, version, "/draft"), set, {
    ...options,
    query: { audience, incomplete: true },
    fields: { ...condition, "Longpress-Base": String(base) },
  });
  return { tag: answer.etag ?? "", findings: findingsOf(answer) };
}

/**
 * @param {string} app @param {string} version @param {string} audience @param {ShortcutSet} set
 * @param {RequestOptions} options
 */
export async function judgeDraft(app, version, audience, set, options) {
  const query = { audience, incomplete: true, dryRun: true };
  return findingsOf(await put(setPath(app, version, "/draft"), set, { ...options, query }));
}

/**
 * What would stop a publish of a draft, and the warnings.
 * @param {import("./client.js").Answer} answer @returns {Findings}
 */
function findingsOf({ body, fields }) {
  const request = fields.get("X-Request-Id");
  return { violations: found(body.violations, request), warnings: found(body.warnings, request) };
}

/** @param {string} app @param {string} version @param {string} audience @param {string | null} tag */
export const deleteDraft = (app, version, audience, tag) =>
  remove(setPath(app, version, "/draft"), { query: { audience }, fields: tag ? { "If-Match": tag } : {} });

/** @param {string} app @param {string} version @param {string} audience @param {string} tag */
export const approveDraft = (app, version, audience, tag) =>
  post(
    setPath(app, version, "/draft/approve"), undefined,
    { query: { audience }, fields: { "If-Match": tag }, meanings: { forbidden: strings.publish.ownWork } },
  );

/**
 * Requests an approval of the draft, or changes to it.
 * @param {string} app @param {string} version @param {string} audience @param {"requested" | "changes"} state
 * @param {string} comment may be empty
 */
export const reviewDraft = (app, version, audience, state, comment) =>
  post(
    setPath(app, version, "/draft/review"), { state, comment: comment || undefined }, { query: { audience } },
  );

/**
 * Publishes exactly this draft if its base is still the current revision.
 * @typedef {Partial<RolloutPlan> & {at?: string, until?: string, message?: string}} PublishRequest
 * @typedef {{override?: string, stop?: boolean}} PublishQuery `override`: an owner's reason for a publish without
 *   approvals; `stop` ends a running roll-out
 * @param {string} app @param {string} version @param {string} audience
 * @param {{tag: string, base: number, when: PublishRequest, query: PublishQuery}} draft
 */
export const publishDraft = (app, version, audience, { tag, base, when, query }) =>
  post(
    setPath(app, version, "/publish"),
    when,
    { query: { audience, ...query }, fields: { "If-Match": tag, "Longpress-Base": String(base) } },
  );

/**
 * A document of a set's place; null without one.
 * @template Found @param {string} rest of the path
 * @returns {(app: string, version: string, audience: string, options?: RequestOptions) => Promise<Found | null>}
 */
const finder = (rest) => async (app, version, audience, options = {}) =>
  (await find(setPath(app, version, rest), { ...options, query: { ...options.query, audience } }))?.body ?? null;

/**
 * The review of a draft.
 * @type {ReturnType<typeof finder<DraftReview>>}
 */
export const findReview = finder("/draft/review");
/**
 * The running roll-out of a set.
 * @type {ReturnType<typeof finder<Candidate>>}
 */
export const findCandidate = finder("/candidate");
/**
 * The measurement of the running roll-out, or of the last one. With `revision` in the query: of the one it started.
 * @type {ReturnType<typeof finder<RolloutResult>>}
 */
export const findResult = finder("/candidate/result");

/**
 * Changes a running roll-out. Null removes its steps or its guard.
 * @param {string} app @param {string} version @param {string} audience
 * @param {object} members of a plan
 */
export const patchCandidate = (app, version, audience, members) =>
  patch(
    setPath(app, version, "/candidate"), members, { type: "application/merge-patch+json", query: { audience } },
  );

/**
 * Makes the candidate the menu of everyone, or ends its roll-out, now or at a time.
 * @param {string} app @param {string} version @param {string} audience @param {"promote" | "stop"} end
 * @param {number} revision of the candidate that the person saw
 * @param {string} [at] @returns {Promise<{revision: number}>} `revision`: absent if it is scheduled
 */
export const endRollout = async (app, version, audience, end, revision, at) =>
  (await post(
    setPath(app, version, `/candidate/${end}`), at && { at },
    { query: { audience }, fields: { "If-Match": `"${revision}"` } },
  )).body;

/**
 * @param {string} app @param {string} version @param {string} audience @param {number} revision
 * @param {string} [override] an owner's reason for deleting without approvals
 * @returns {Promise<{revision: number}>}
 */
export const deleteSet = async (app, version, audience, revision, override) =>
  (await remove(
    setPath(app, version), { query: { audience, override }, fields: { "If-Match": `"${revision}"` } },
  )).body;

/**
 * The latest revisions of a set, the newest first.
 * @param {string} app @param {string} version @param {string} audience @param {RequestOptions} [options]
 * @returns {Promise<Revision[]>}
 */
export const latestRevisions = async (app, version, audience, options) =>
  (await page(path`/apps/${app}/revisions`, { ...options, query: { version, audience } })).items;
/** @type {(app: string, revision: string | number, options?: RequestOptions) => Promise<Revision>} */
export const getRevision = async (app, revision, options) =>
  (await get(path`/apps/${app}/revisions/${revision}`, options)).body;
/**
 * @param {string} app @param {number} revision
 * @param {number | null} standing the menu's current revision, null if there is no menu. If it has changed, the
 *   restore fails.
 * @param {string} message why, stored with the new revision; may be empty
 * @returns {Promise<{revision: number}>}
 */
export async function restoreRevision(app, revision, standing, message) {
  /** @type {Record<string, string>} */
  const condition = standing === null ? { "If-None-Match": "*" } : { "If-Match": `"${standing}"` };
  const body = message ? { message } : undefined;
  return (await post(path`/apps/${app}/revisions/${revision}/restore`, body, { fields: condition })).body;
}

/**
 * @type {(app: string, update: {from: string, to: string, lang?: string, audience?: string}, options?: RequestOptions)
 *   => Promise<Simulation>}
 */
export const simulate = async (app, { from, to, lang, audience }, options) =>
  (await get(path`/apps/${app}/simulate`, { ...options, query: { from, to, lang, audience } })).body;

/**
 * A page of search results.
 * @param {string} q @param {string | null} app null searches all apps @param {string | null} cursor
 * @param {AbortSignal} signal
 * @returns {Promise<{items: SearchHit[], next: string | null}>}
 */
export const search = async (q, app, cursor, signal) =>
  (await get("/search", { query: { q, app, cursor, limit: 200 }, signal })).body;

/** @param {string} app @param {string} version @param {Blob} file */
export const putRelease = (app, version, file) =>
  send(
    "PUT", path`/apps/${app}/releases/${version}`,
    { bytes: file, type: "application/octet-stream", meanings: { "bad-request": strings.releases.badPlist } },
  );

/**
 * Merges two changes of a set. Each language of a title is a separate member.
 * @param {ShortcutSet} base the common ancestor @param {ShortcutSet} mine @param {ShortcutSet} theirs
 * @param {Choices} [choices] @returns {Promise<{set: ShortcutSet, conflicts: Contest[]}>}
 */
export const mergeSets = async (base, mine, theirs, choices = new Map()) =>
  (await post("/merge", { base, mine, theirs, choices: Object.fromEntries(choices) })).body;
