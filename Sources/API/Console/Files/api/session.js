/** The session, and what its role allows. */
import { get, post, remove, signedOut } from "./client.js";
import { Problem } from "./problem.js";
import { strings } from "../strings.js";

/** @type {Role[]} */
const ROLES = ["reader", "editor", "publisher", "owner"];

/** The name and rights of the browser's session, so that a page need not wait for them. It is not the session's key. */
const KEPT = "longpress.session";

/** @type {Session | null} */
let current = null;
/** Reasons why a role may never do something, except an editor's reason not to publish. */
const never = new Set();

export const session = () => current;

/** Continues with the session of the browser's last page, until `resume` reads it. */
export function remembered() {
  /** @type {Session | null} */
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
  return (current = kept && Date.parse(kept.expiresAt) > Date.now() ? kept : null);
}

/** @param {Session} session */
function keep(session) {
  localStorage.setItem(KEPT, JSON.stringify(session));
  return (current = session);
}

const forget = () => localStorage.removeItem(KEPT);
signedOut.addEventListener("signed-out", forget);

export const resume = async () => keep((await get("/sessions/current")).body);

/** @param {{token?: string}} body without a token, a proxy names the person */
export async function signIn(body) {
  const made = (await post("/sessions", body, { meanings: { forbidden: strings.signIn.noRole } })).body;
  try {
    await get("/sessions/current");
  } catch (error) {
    // By http, browsers drop the Secure cookie unless the host is a loopback address.
    throw error.status === 401 ? new Problem(401, { detail: strings.signIn.noCookie }) : error;
  }
  return keep(made);
}

export async function signOut() {
  await remove("/sessions/current");
  forget();
  endSession();
}

/** Forgets the session after it ended. */
export function endSession() {
  current = null;
}

/**
 * Why the session lacks the role, as a sentence; null if it has the role.
 * @param {Role} role
 */
export function refusal(role, { everyApp = false } = {}) {
  const has = current?.role ?? "reader";
  const reason = ROLES.indexOf(has) < ROLES.indexOf(role)
    ? strings.roles.needs(role, has)
    : everyApp && current?.apps ? strings.roles.scoped : null;
  // Editors prepare what publishers publish, so they see these buttons and whom to ask.
  if (reason && !(has === "editor" && role === "publisher")) never.add(reason);
  return reason;
}

/** Whether the session's role can never do what has this reason, so that its button is left out. */
export const isNever = (/** @type {string | null} */ reason) => never.has(reason);
