/** What stands around every room: navigation, search, who is signed in, and the announcements. */
import { signedOut } from "../api/client.js";
import { Problem } from "../api/problem.js";
import { resume, session, signOut } from "../api/session.js";
import { alarm, announce, announcementPlaces, clearAlarms, guarded } from "../page/announcements.js";
import { button } from "../page/controls.js";
import { element, setAttribute } from "../page/element.js";
import { currentPlace, go } from "../page/router.js";
import { strings } from "../strings.js";
import { installKeys } from "./keys.js";
import { routeOf } from "./routes.js";
import { searchBox } from "./search.js";
import { signInView } from "./sign-in.js";

const main = element("main", { id: "main" });
const rooms = /** @type {const} */ (["apps", "webhooks", "tokens", "nodes", "about"]);
const links = rooms.map((room) => element("a", { href: `#/${room}` }, strings.navigation[room]));
const search = searchBox();
const who = element("span", { class: "who" });
const header = element(
  "header",
  {},
  element(
    "div",
    { class: "brand" },
    element("img", { src: new URL("../icon.svg", import.meta.url).pathname, alt: "", width: 24, height: 24 }),
    "Longpress",
  ),
  element("nav", { "aria-label": strings.navigation.main }, ...links),
  search.box,
  element("div", { class: "session" }, who, button(strings.navigation.signOut, guarded(leave), { kind: "quiet" })),
);
/** @type {import("../page/room.js").Room | null} */
let room = null;
/** @type {string | null} */
let shownHash = null;
/**
 * The place that was asked for last; a slower one before it is given up.
 * @type {import("../page/router.js").Place | null}
 */
let wanted = null;

/** Begins: with the room of the address where there is a session, else with the sign-in. */
export async function begin() {
  document.body.append(header, main, ...announcementPlaces);
  installKeys({ focusSearch: () => session() && search.focus() });
  signedOut.addEventListener("signed-out", () => showSignIn());
  addEventListener("hashchange", guarded(enter));
  header.hidden = true;
  try {
    await resume();
  } catch (error) {
    if (error.status !== 401) alarm(error);
    return showSignIn();
  }
  await enter();
}

function showSignIn() {
  if (main.querySelector(".sign-in")) return;
  document.querySelectorAll("dialog").forEach((dialog) => dialog.close());
  header.hidden = true;
  room = null;
  document.title = strings.signIn.title;
  main.replaceChildren(signInView(guarded(enter)));
}

async function leave() {
  await room?.leave();
  await signOut();
  clearAlarms();
  announce(strings.signIn.signedOut);
  showSignIn();
}

/** Shows the room that the address names. */
async function enter() {
  if (!session()) return;
  const place = currentPlace();
  if (place.parts.length === 0) return go(["apps"]);
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
  await room?.leave();
  const route = routeOf(place.parts);
  await route?.load().catch(() => {
    throw new Problem(0, { detail: strings.errors.updated });
  });
  if (wanted !== place) return;
  clearAlarms();
  header.hidden = false;
  const me = session();
  who.textContent = me && strings.navigation.who(me.name, me.role);
  for (const link of links) setAttribute(link, "aria-current", link.hash === `#/${place.parts[0]}` ? "page" : null);
  if (!route) return main.replaceChildren(element("h1", {}, strings.errors.noSuchPlace), element("p", {}, strings.errors.noSuchPlaceHint));
  const entered = /** @type {import("../page/room.js").Room} */ (document.createElement(route.name));
  room = Object.assign(entered, { place: { ...place, ...route.names }, heading: route.heading });
  const moved = shownHash !== null;
  shownHash = location.hash;
  main.replaceChildren(entered);
  if (moved) {
    scrollTo(0, 0);
    main.tabIndex = -1;
    main.focus({ preventScroll: true });
  }
}
