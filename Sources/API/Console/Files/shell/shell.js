/** The frame of every page: navigation, search, the signed-in person, and announcements. */
import { get, signedOut } from "../api/client.js";
import { beginLive, endLive, live } from "../api/live.js";
import { endSession, resume, session, signOut } from "../api/session.js";
import { alarm, announce, announcementPlaces, clearAlarms, clearStatus, guarded } from "../page/announcements.js";
import { button } from "../page/controls.js";
import { element, logo, setAttribute } from "../page/element.js";
import { currentPlace } from "../page/router.js";
import { strings } from "../strings.js";
import { installKeys } from "./keys.js";
import { routeOf } from "./routes.js";
import { searchBox } from "./search.js";
import { beginSignIn } from "./sign-in.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const signInForm = /** @type {HTMLFormElement} */ (main.querySelector("form"));
const rooms = /** @type {const} */ (["apps", "webhooks", "tokens", "nodes", "about"]);
const links = rooms.map((room) => element("a", { href: `#/${room}` }, strings.navigation[room]));
const search = searchBox();
const who = element("span", { class: "who" });
const away = element("p", { class: "away caution", hidden: true }, strings.errors.away);
const viewOnly = element("p", { class: "view-only", hidden: true }, strings.roles.viewOnly);
const skip = button(strings.navigation.skip, () => main.querySelector("h1")?.focus(), { class: "skip" });
const header = element(
  "header",
  {},
  skip,
  element(
    "div",
    { class: "brand" },
    logo(24),
    element("span", {}, "Longpress"),
  ),
  element("nav", { "aria-label": strings.navigation.main }, ...links),
  element(
    "div", { class: "tools" }, search.box, who, button(strings.navigation.signOut, guarded(leave), { kind: "quiet" }),
  ),
  viewOnly,
);
/** @type {OpenSessions} */
const openSessions = new Map();
/** @type {import("../page/room.js").Room | null} */
let room = null;
let hasMoved = false;
/**
 * The place that was requested last. Slower requests before it are ignored.
 * @type {import("../page/router.js").Place | null}
 */
let wanted = null;
/**
 * The page behind the sign-in form, so that the same person can continue.
 * @typedef {{session: Session | null, room: import("../page/room.js").Room | null, dialogs: HTMLDialogElement[],
 *   focused: Element | null, top: number, title: string}} Kept
 * @type {Kept | null}
 */
let kept = null;

/** Milliseconds. */
const ENDING_AFTER = 800;
/**
 * Why the session is about to end, according to the stream.
 * @type {string | null}
 */
let ending = null;

/** Starts with the room of the address, or with the sign-in form, which the page has already. */
export async function begin() {
  if (main.hidden) main.replaceChildren();
  main.hidden = false;
  document.body.prepend(header, away);
  document.body.append(...announcementPlaces);
  installKeys({ focusSearch: search.focus });
  // Without a session, no key reaches the page behind the sign-in form.
  addEventListener("keydown", (event) => !session() && event.stopPropagation(), true);
  signedOut.addEventListener("signed-out", () => session() && interrupt(ending ?? strings.signIn.reasons.ended));
  live.addEventListener("ended", (event) => endSoon(reasonOf(/** @type {CustomEvent} */ (event).detail)));
  live.addEventListener("seen", (event) => lookWho(/** @type {CustomEvent} */ (event).detail));
  live.addEventListener("away", () => (away.hidden = !session()));
  live.addEventListener("back", guarded(comeBack));
  addEventListener("hashchange", guarded(enter));
  addEventListener(
    "beforeunload", (event) => [...openSessions.values()].some(({ isSaved }) => !isSaved) && event.preventDefault(),
  );
  document.addEventListener("visibilitychange", guarded(lookForSession));
  header.hidden = true;
  try {
    await resume();
  } catch (error) {
    if (error.status !== 401) alarm(error);
    return showSignIn();
  }
  beginLive();
  await enter();
}

/** @param {string} code the reason that the stream gave */
const reasonOf = (code) =>
  /** @type {Record<string, any>} */ (strings.signIn.reasons)[code] ?? strings.signIn.reasons.ended;

/**
 * The stream reported the end of the session. The sign-in form opens a moment later, so that a click in this moment is
 * not lost: its request fails with 401 and opens the form at once.
 * @param {string} reason
 */
function endSoon(reason) {
  const ended = session();
  ending = reason;
  setTimeout(() => ended && session() === ended && interrupt(reason), ENDING_AFTER);
}

/**
 * Shows the sign-in form and keeps the page with its edits until the same person signs in.
 * @param {string} reason
 */
function interrupt(reason) {
  const dialogs = /** @type {HTMLDialogElement[]} */ ([...document.querySelectorAll("dialog:modal")]);
  kept = { session: session(), room, dialogs, focused: document.activeElement, top: scrollY, title: document.title };
  for (const dialog of dialogs) dialog.remove();
  if (room) room.isKept = true;
  ending = null;
  endSession();
  showSignIn(reason);
}

/** @param {string | null} [reason] */
function showSignIn(reason = null) {
  endLive();
  header.hidden = true;
  away.hidden = true;
  wanted = null;
  clearAlarms();
  document.title = strings.signIn.title;
  // The form that the page came with keeps the focus.
  if (!signInForm.isConnected) main.replaceChildren(signInForm);
  beginSignIn(signInForm, reason, guarded(signedIn));
}

/** While this window was hidden, another window may have signed in, also as another person. */
async function lookForSession() {
  if (document.visibilityState === "visible" && session()) {
    return lookWho((await get("/sessions/current")).body);
  }
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector(".sign-in input[type=password]"));
  if (session() || document.visibilityState !== "visible" || token?.value !== "") return;
  const { body: now } = await get("/sessions/current").catch(() => ({ body: null }));
  if (!now || (kept && !isSame(kept.session, now))) return;
  await resume();
  await signedIn();
}

async function signedIn() {
  const before = kept;
  kept = null;
  beginLive();
  if (before?.room && isSame(
    before.session, session(),
  ) && String(before.room.place.parts) === String(currentPlace().parts)) {
    return goOn(before);
  }
  before?.room?.discard();
  room = null;
  hasMoved = true;
  await enter();
}

/**
 * All windows of a browser share one cookie, so this window would act as the other person.
 * @param {Session} now the current session
 */
function lookWho(now) {
  if (session() && !isSame(session(), now)) interrupt(strings.signIn.reasons.other(now.name));
}

/**
 * Whether it is the same person with the same rights. The token may differ.
 * @param {Session | null} before @param {Session | null} now
 */
function isSame(before, now) {
  return before?.owner === now?.owner && before?.role === now?.role && String(before?.apps) === String(now?.apps);
}

/** @param {Kept} kept */
async function goOn({ room: left, dialogs, focused, top, title }) {
  room = left;
  if (!room) return;
  main.replaceChildren(room);
  room.isKept = false;
  header.hidden = false;
  for (const dialog of dialogs) {
    dialog.querySelector(".dialog-errors")?.replaceChildren();
    document.body.append(dialog);
    dialog.removeAttribute("open");
    dialog.showModal();
  }
  scrollTo(0, top);
  if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
  document.title = title;
  await room.resume();
}

async function comeBack() {
  away.hidden = true;
  clearAlarms();
  announce(strings.errors.back);
  if (session()) await room?.resume();
}

async function leave() {
  await room?.leave();
  endLive();
  await signOut().catch((error) => {
    beginLive();
    throw error;
  });
  room = null;
  announce(strings.signIn.signedOut);
  showSignIn();
}

/** Shows the room that the address names. */
async function enter() {
  if (!session()) return;
  if (currentPlace().parts.length === 0) history.replaceState(history.state, "", "#/apps");
  const place = currentPlace();
  main.setAttribute("aria-busy", "true");
  try {
    await show(place);
  } finally {
    main.removeAttribute("aria-busy");
  }
}

/** @param {import("../page/router.js").Place} place */
async function show(place) {
  wanted = place;
  clearStatus();
  await room?.leave();
  const route = routeOf(place.parts);
  if (wanted !== place) return;
  // Those that the place opened itself stay.
  for (const dialog of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog:modal"))) {
    if (dialog.dataset.place !== location.hash) dialog.close();
  }
  clearAlarms();
  header.hidden = false;
  const me = session();
  who.replaceChildren(element("bdi", {}, me?.name), strings.navigation.who(me?.role ?? ""));
  who.title = who.textContent ?? "";
  viewOnly.hidden = me?.role !== "reader";
  for (const link of links) setAttribute(link, "aria-current", link.hash === `#/${place.parts[0]}` ? "page" : null);
  if (hasMoved) {
    scrollTo(0, 0);
    main.tabIndex = -1;
    main.focus({ preventScroll: true });
  }
  hasMoved = true;
  const entered = /** @type {import("../page/room.js").Room} */ (document.createElement(route.name));
  room = Object.assign(entered, { place: { ...place, ...route.names }, heading: route.heading, openSessions });
  main.replaceChildren(entered);
}
