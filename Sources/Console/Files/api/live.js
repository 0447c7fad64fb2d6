/**
 * The page's one live stream (`GET /admin/v1/stream`): what others change in the apps that are shown, and the end of the session. A browser
 * has six connections to a host, so hidden pages have none.
 */
import { find, get, path } from "./client.js";

/** Tells `ended` (detail: why), `away` and `back`. */
export const live = new EventTarget();

/** The longest wait between two attempts. */
const LONGEST_WAIT = 30_000;

/** Revisions that this console has made: what comes back from the stream about them is no news. */
const own = new Set();

/** @param {string} app @param {number | undefined} revision */
export const noteOwn = (app, revision) => own.add(`${app} ${revision}`);
/** @param {string} app @param {number | undefined} revision */
export const isOwn = (app, revision) => own.has(`${app} ${revision}`);

/**
 * @typedef {{app: string, revision?: number, audience?: string, from?: string, until?: string | null, deleted?: boolean}} Change
 * @typedef {{app: string, known: number | null, changed: (change: Change) => void}} Follower `known`: the app's last revision
 */

/** @type {Set<Follower>} */
const followers = new Set();
/**
 * Apps that there is no stream of: unknown ones, and those that the session may not read.
 * @type {Set<string>}
 */
const refused = new Set();
let isOn = false;
let isAway = false;
/** @type {EventSource | null} */
let source = null;
/**
 * The query of the stream that is open or being waited for; null where there is none.
 * @type {string | null}
 */
let opened = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let failures = 0;

/** Follows from now on, for as long as somebody is signed in. */
export function beginLive() {
  isOn = true;
  refused.clear();
  renew();
}

export function endLive() {
  isOn = false;
  renew();
}

/** @param {string} app @param {AbortSignal} signal ends it @param {(change: Change) => void} changed */
export function follow(app, signal, changed) {
  /** @type {Follower} */
  const follower = { app, known: null, changed };
  // What is published between the room's reading and the stream's first word is news, too.
  get(path`/apps/${app}/revisions`, { query: { limit: 1 }, signal }).then(({ body }) => (follower.known ??= body.items[0]?.revision ?? 0), () => {});
  followers.add(follower);
  queueMicrotask(renew);
  signal.addEventListener("abort", () => {
    followers.delete(follower);
    queueMicrotask(renew);
  });
}

document.addEventListener("visibilitychange", renew);
addEventListener("online", () => isOn && opened !== null && !source && attempt());

/** Opens the stream that is wanted now, unless it is the one that is open. */
function renew() {
  const apps = [...new Set([...followers].map(({ app }) => app))].filter((app) => !refused.has(app)).sort();
  const wanted = isOn && document.visibilityState === "visible" ? String(new URLSearchParams(apps.map((app) => ["app", app]))) : null;
  if (wanted === opened) return;
  close();
  opened = wanted;
  failures = 0;
  if (wanted !== null) open();
}

function close() {
  clearTimeout(timer);
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
    for (const follower of followers) if (follower.app in apps) hearState(follower, apps[follower.app].revision);
  });
  hear("changed", tell);
  hear("deleted", (change) => tell({ ...change, deleted: true }));
  hear("ended", ({ reason }) => {
    endLive();
    live.dispatchEvent(new CustomEvent("ended", { detail: reason }));
  });
  hear("error", again);
}

/** Tries again later: after about a second, then after twice the time. */
function again() {
  close();
  timer = setTimeout(attempt, Math.min(LONGEST_WAIT, 1000 * 2 ** failures++) * (0.5 + Math.random() / 2));
}

/** The stream does not say why it was refused; what is asked for like anything else does. A 401 ends the session. */
async function attempt() {
  const asked = opened;
  clearTimeout(timer);
  try {
    await get("/sessions/current");
    for (const app of new URLSearchParams(asked ?? "").values()) if (!(await mayRead(app))) refused.add(app);
  } catch (error) {
    if (asked !== opened || error.status === 401) return;
    if (error.status === 0 && !isAway) {
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

/** @param {string} app */
async function mayRead(app) {
  try {
    return (await find(path`/apps/${app}`)) !== null;
  } catch (error) {
    if (error.status === 403) return false;
    throw error;
  }
}

/**
 * The revision that stands: news where it is another one than before.
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
