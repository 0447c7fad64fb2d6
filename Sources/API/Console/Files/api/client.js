/** Requests to the admin API of the service that serves the console. The browser adds the session's cookie. */
import { strings } from "../strings.js";
import { readJSON, writeJSON } from "../values/json.js";
import { Problem, inWords } from "./problem.js";

const ROOT = "/admin/v1";
/** Marks a part that cannot be in a path. No encoded part contains it. */
const NONE = "\0";

/** Sends `signed-out` after each 401, so that the sign-in form opens. */
export const signedOut = new EventTarget();

/**
 * @typedef {{status: number, body: any, etag: string | null, fields: Headers}} Answer
 * @param {string} method @param {string} path below `/admin/v1` @param {RequestOptions} options
 * @returns {Promise<Answer>}
 */
export async function send(
  method, path,
  { query = {}, body, bytes, type = "application/json", fields = {}, signal, keepalive, meanings = {} } = {},
) {
  if (path.includes(NONE)) throw new Problem(404, { detail: strings.errors.noSuchPlaceHint });
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const written = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  // Every parser of a query reads %20 as a space; only parsers of forms read a plus sign as one.
  const target = ROOT + path + (given.length > 0 ? `?${written.replaceAll("+", "%20")}` : "");
  const headers = new Headers({ Accept: "application/json", ...fields });
  const sent = bytes ?? (body === undefined ? undefined : writeJSON(body));
  if (sent !== undefined) headers.set("Content-Type", type);
  const response = await answerOf(
    target,
    { method, headers, body: sent, signal, keepalive, cache: "no-store", credentials: "same-origin" },
  );
  const text = await response.text();
  const document = documentOf(text, response);
  if (response.ok) {
    return { status: response.status, body: document, etag: response.headers.get("ETag"), fields: response.headers };
  }
  if (response.status === 401 && path !== "/sessions") signedOut.dispatchEvent(new Event("signed-out"));
  // An answer that is not a problem document comes from a proxy.
  throw new Problem(
    response.status, document?.type ? inWords(document, meanings) : { detail: strings.errors.status },
  );
}

/** @param {string} target @param {RequestInit} options */
async function answerOf(target, options) {
  try {
    return await fetch(target, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { detail: strings.errors.unreachable, type: "/problems/unreachable" });
  }
}

/** @param {string} text @param {Response} response */
function documentOf(text, response) {
  if (text === "") return null;
  try {
    return readJSON(text);
  } catch {
    if (response.ok) throw new Problem(response.status, { detail: strings.errors.notLongpress });
    return null;
  }
}

/** @typedef {(path: string, options?: RequestOptions) => Promise<Answer>} Request */
/** @typedef {(path: string, body?: unknown, options?: RequestOptions) => Promise<Answer>} RequestWithBody */
/** @type {Request} */
export const get = (path, options) => send("GET", path, options);
/** @type {RequestWithBody} */
export const put = (path, body, options) => send("PUT", path, { ...options, body });
/** @type {RequestWithBody} */
export const post = (path, body, options) => send("POST", path, { ...options, body });
/** @type {RequestWithBody} */
export const patch = (path, body, options) => send("PATCH", path, { ...options, body });
/** @type {Request} */
export const remove = (path, options) => send("DELETE", path, options);

/**
 * Like `get`, but null if the resource does not exist. An app that does not exist is an error.
 * @param {string} path @param {RequestOptions} options
 */
export async function find(path, options = {}) {
  try {
    return await get(path, options);
  } catch (error) {
    if (error instanceof Problem && error.status === 404 && error.code !== "unknown-app") return null;
    throw error;
  }
}

/**
 * A path with encoded parts: path`/apps/${app}/sets`. `send` fails for a part that leads elsewhere, such as `..` in a
 * link.
 * @param {TemplateStringsArray} texts @param {...string | number} values
 */
export function path(texts, ...values) {
  const parts = values.map((value) => (/^\.{0,2}$/.test(String(value)) ? NONE : encodeURIComponent(value)));
  return texts.reduce((whole, text, index) => whole + parts[index - 1] + text);
}
