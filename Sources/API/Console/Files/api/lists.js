/** Lists of the API have pages: `{"items", "next"}`. */
import { get } from "./client.js";

/**
 * One page.
 * @param {string} path @param {ListOptions} options @returns {Promise<Page<any>>}
 */
export async function page(path, { cursor, limit = 50, ...options } = {}) {
  const { body } = await get(path, { ...options, query: { ...options.query, limit, cursor } });
  return body;
}

/**
 * All pages of a short list, such as the sets of an app.
 * @param {string} path @param {ListOptions & {most?: number}} options `most`: stop after this number of entries
 */
export async function all(path, { most = 1000, ...options } = {}) {
  /** @type {any[]} */
  const items = [];
  /** @type {string | null} */
  let cursor = null;
  do {
    /** @type {Page<any>} */
    const answer = await page(path, { ...options, cursor, limit: 200 });
    items.push(...answer.items);
    cursor = answer.next;
  } while (cursor && items.length < most);
  return items;
}
