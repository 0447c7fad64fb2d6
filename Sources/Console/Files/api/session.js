/** Who is signed in, and what that role may do. */
import { get, post, remove } from "./client.js";
import { Problem } from "./problem.js";
import { strings } from "../strings.js";

/** @type {Role[]} */
const ROLES = ["reader", "editor", "publisher", "owner"];

/** @type {Session | null} */
let current = null;

export const session = () => current;

export async function resume() {
  current = (await get("/sessions/current")).body;
  return current;
}

/** @param {{token?: string}} body without a token, the proxy says who signs in */
export async function signIn(body) {
  const made = (await post("/sessions", body, { meanings: { forbidden: strings.signIn.noRole } })).body;
  try {
    await get("/sessions/current");
  } catch (error) {
    // Over plain HTTP at a host that is not loopback a browser drops the cookie, which is Secure.
    throw error.status === 401 ? new Problem(401, { detail: strings.signIn.noCookie }) : error;
  }
  current = made;
  return current;
}

export async function signOut() {
  await remove("/sessions/current");
  endSession();
}

/** It is over: somebody or time has ended it. */
export function endSession() {
  current = null;
}

/**
 * Why the session may not do what needs the role; null where it may.
 * @param {Role} role
 */
export function refusal(role, { everyApp = false } = {}) {
  if (!current || ROLES.indexOf(current.role) < ROLES.indexOf(role)) return strings.roles.needs(role, current?.role ?? "reader");
  if (everyApp && current.apps) return strings.roles.scoped;
  return null;
}
