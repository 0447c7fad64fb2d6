/**
 * The page's live stream (`GET /admin/v1/stream`): changes by others in the apps that are shown, and the end of the
 * session. A browser has six connections to a host, so at most four visible pages have a stream. Other visible pages
 * poll, and hidden pages do nothing.
 */
import { get, path } from "./client.js";

/** Events: `ended` (detail: the reason), `away`, `back`, and `seen` (detail: the session, each time it was read). */
export const live = new EventTarget();

/** The number of streams of one browser, and the polling interval of other pages in milliseconds. */
const [MOST_STREAMS, ASKING_EVERY] = [4, 15_000];

/** The longest wait between two attempts, in milliseconds. */
const LONGEST_WAIT = 30_000;

/** Revisions that this page made. Events about them are ignored. */
const own = new Set();

/** @param {string} app @param {number | undefined} revision */
export const noteOwn = (app, revision) => own.add(`${app} ${revision}`);
/** @param {string} app @param {number | undefined} revision */
export const isOwn = (app, revision) => own.has(`${app} ${revision}`);

/**
 * @typedef {{app: string, revision?: number, audience?: string, from?: string, until?: string | null, deleted?:
 *   boolean}} Change
 * @typedef {{app: string, known: number | null, changed: (change: Change) => void}} Follower `known`: the app's last
 *   revision
 */

/** @type {Set<Follower>} */
const followers = new Set();
/**
 * Apps without a stream: unknown apps, and apps that the session may not read.
 * @type {Set<string>}
 */
const refused = new Set();
let isOn = false;
let isAway = false;
/** @type {EventSource | null} */
let source = null;
/**
 * The query of the open or pending stream; null without a stream.
 * @type {string | null}
 */
let opened = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let failures = 0;
/** Frees this page's share of the browser's streams. */
let release = () => {};

/** Starts the stream; `endLive` ends it at sign-out. */
export function beginLive() {
  isOn = true;
  refused.clear();
  renew();
}

export function endLive() {
  isOn = false;
  renew();
}

/** @param {string} app @param {AbortSignal} signal ends the following @param {(change: Change) => void} changed */
export function follow(app, signal, changed) {
  /** @type {Follower} */
  const follower = { app, known: null, changed };
  // A publish between the room's reading and the stream's first event counts, too. The room itself shows errors.
  readRevision(app, signal).then((revision) => (follower.known ??= revision), () => {});
  followers.add(follower);
  queueMicrotask(renew);
  signal.addEventListener("abort", () => {
    followers.delete(follower);
    queueMicrotask(renew);
  });
}

document.addEventListener("visibilitychange", renew);
addEventListener("online", () => isOn && opened !== null && !source && attempt());

/** Opens the stream for the followed apps, unless it is open. */
function renew() {
  const apps = [...new Set([...followers].map(({ app }) => app))].filter((app) => !refused.has(app)).sort();
  const wanted = isOn && document.visibilityState === "visible"
    ? String(new URLSearchParams(apps.map((app) => ["app", app])))
    : null;
  if (wanted === opened) return;
  close();
  opened = wanted;
  failures = 0;
  if (wanted !== null) begin(wanted);
}

/** @param {string} wanted */
async function begin(wanted) {
  const given = await takePlace();
  if (wanted !== opened || source) return given?.();
  if (!given) return later(ASKING_EVERY);
  release = given;
  open();
}

/**
 * Takes one of the browser's streams.
 * @returns {Promise<(() => void) | null>} frees it; null if all are taken
 */
async function takePlace() {
  // Only secure contexts have locks.
  if (!navigator.locks) return () => {};
  for (let place = 0; place < MOST_STREAMS; place++) {
    const given = await new Promise((settle) => {
      navigator.locks.request(
        `longpress-live-${place}`, { ifAvailable: true },
        (lock) => (lock ? new Promise((done) => settle(() => done(null))) : settle(null)),
      );
    });
    if (given) return given;
  }
  return null;
}

function close() {
  clearTimeout(timer);
  release();
  release = () => {};
  source?.close();
  source = null;
}

function open() {
  const made = (source = new EventSource(`/admin/v1/stream?${opened}`));
  const hear = (/** @type {string} */ name, /** @type {(data: any) => void} */ act) =>
    made.addEventListener(name, (event) => made === source && act("data" in event ? JSON.parse(event.data) : null));
  hear("open", () => {
    failures = 0;
    reached();
  });
  hear("state", ({ apps }) => {
    for (const follower of followers) {
      const state = apps[follower.app];
      if (state) hearState(follower, state.revision);
      else if (state === null && follower.known !== null) follower.changed({ app: follower.app, deleted: true });
    }
  });
  hear("changed", tell);
  hear("deleted", (change) => tell({ ...change, deleted: true }));
  hear("ended", ({ reason }) => {
    endLive();
    live.dispatchEvent(new CustomEvent("ended", { detail: reason }));
  });
  hear("error", again);
}

/** Tries again after about a second, then after twice the time. */
function again() {
  close();
  later(Math.min(LONGEST_WAIT, 1000 * 2 ** failures++) * (0.5 + Math.random() / 2));
}

/** @param {number} milliseconds */
function later(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(attempt, milliseconds);
}

/**
 * Polls once, then tries to open the stream. A failed stream does not name its reason, but the request does: a 401
 * ends the session.
 */
async function attempt() {
  const asked = opened;
  clearTimeout(timer);
  try {
    const { body } = await get("/sessions/current");
    live.dispatchEvent(new CustomEvent("seen", { detail: body }));
    for (const app of new URLSearchParams(asked ?? "").values()) if (!(await ask(app))) refused.add(app);
  } catch (error) {
    if (asked !== opened || error.status === 401) return;
    // An error without a code comes from a proxy that cannot reach the service.
    if ((error.status === 0 || (error.status > 500 && !error.code)) && !isAway) {
      isAway = true;
      live.dispatchEvent(new Event("away"));
    }
    return again();
  }
  reached();
  if (asked !== opened || source) return;
  opened = null;
  const before = failures;
  renew();
  failures = before;
}

function reached() {
  if (!isAway) return;
  isAway = false;
  live.dispatchEvent(new Event("back"));
}

/** @param {string} app @param {AbortSignal} [signal] */
async function readRevision(app, signal) {
  const { body } = await get(path`/apps/${app}/revisions`, { query: { limit: 1 }, signal });
  return body.items[0]?.revision ?? 0;
}

/**
 * Reads the app's last revision for its followers.
 * @param {string} app @returns {Promise<boolean>} whether the app exists and may be read
 */
async function ask(app) {
  try {
    const revision = await readRevision(app);
    for (const follower of followers) if (follower.app === app) hearState(follower, revision);
    return true;
  } catch (error) {
    if (error.status === 403 || error.status === 404) return false;
    throw error;
  }
}

/**
 * Notifies a follower if the revision differs from the last known one.
 * @param {Follower} follower @param {number} revision
 */
function hearState(follower, revision) {
  const before = follower.known;
  follower.known = revision;
  if (before !== null && revision !== before) follower.changed({ app: follower.app, revision });
}

/** @param {Change} change */
function tell(change) {
  for (const follower of followers) {
    if (follower.app !== change.app) continue;
    follower.known = change.revision ?? follower.known;
    follower.changed(change);
  }
}
