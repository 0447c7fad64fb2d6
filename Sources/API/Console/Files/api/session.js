/** The session, and what its role allows. */
import { get, post, remove } from "./client.js";
import { Problem } from "./problem.js";
import { strings } from "../strings.js";

/** @type {Role[]} */
const ROLES = ["reader", "editor", "publisher", "owner"];

/** @type {Session | null} */
let current = null;
/** Reasons why a role may never do something, except an editor's reason not to publish. */
const never = new Set();

export const session = () => current;

export async function resume() {
  current = (await get("/sessions/current")).body;
  return current;
}

/** @param {{token?: string}} body without a token, a proxy names the person */
export async function signIn(body) {
  const made = (await post("/sessions", body, { meanings: { forbidden: strings.signIn.noRole } })).body;
  try {
    await get("/sessions/current");
  } catch (error) {
    // By http, browsers drop the Secure cookie unless the host is a loopback address.
    throw error.status === 401 ? new Problem(401, { detail: strings.signIn.noCookie }) : error;
  }
  current = made;
  return current;
}

export async function signOut() {
  await remove("/sessions/current");
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
