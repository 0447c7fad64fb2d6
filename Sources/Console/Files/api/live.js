/**
 * The page's one live stream (`GET /admin/v1/stream`): what others change in the apps that are shown, and the end of the session. A browser
 * has six connections to a host: hidden pages have no stream, and where four pages have one, the others ask now and then.
 */
import { get, path } from "./client.js";

/** Tells `ended` (detail: why), `away`, `back`, and `seen` (detail: whose session it is, each time that it was asked for). */
export const live = new EventTarget();

/** Streams of one browser, and how often, in milliseconds, a page without one asks. */
const [MOST_STREAMS, ASKING_EVERY] = [4, 15_000];

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
/** Gives the place among the browser's streams back. */
let release = () => {};

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
  // What is published between the room's reading and the stream's first word is news, too. Where it cannot be read, the room says so.
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

/** Opens the stream that is wanted now, unless it is the one that is open. */
function renew() {
  const apps = [...new Set([...followers].map(({ app }) => app))].filter((app) => !refused.has(app)).sort();
  const wanted = isOn && document.visibilityState === "visible" ? String(new URLSearchParams(apps.map((app) => ["app", app]))) : null;
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
 * A place among the browser's streams.
 * @returns {Promise<(() => void) | null>} gives it back; null where all are taken
 */
async function takePlace() {
  // Browsers have locks in secure contexts only.
  if (!navigator.locks) return () => {};
  for (let place = 0; place < MOST_STREAMS; place++) {
    const given = await new Promise((settle) => {
      navigator.locks.request(`longpress-live-${place}`, { ifAvailable: true }, (lock) => (lock ? new Promise((done) => settle(() => done(null))) : settle(null)));
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

/** Tries again later: after about a second, then after twice the time. */
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
 * Asks what the stream would have said, and tries to have one again. It does not say why it was refused; what is asked for like anything else
 * does. A 401 ends the session.
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

/** @param {string} app @param {AbortSignal} [signal] */
async function readRevision(app, signal) {
  const { body } = await get(path`/apps/${app}/revisions`, { query: { limit: 1 }, signal });
  return body.items[0]?.revision ?? 0;
}

/**
 * The app's last revision, for whoever follows it.
 * @param {string} app @returns {Promise<boolean>} whether it is there and may be read
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
