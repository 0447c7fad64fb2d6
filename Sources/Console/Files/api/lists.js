/** Lists of the API come in pages: `{"items", "next"}`. */
import { get } from "./client.js";

/** One page. @returns {Promise<{items: any[], next: string | null}>} */
export async function page(path, { cursor, limit = 50, ...options } = {}) {
  const { body } = await get(path, { ...options, query: { ...options.query, limit, cursor } });
  return body;
}

/** All pages of a list that is short by nature, such as the sets of an app. @param {number} most entries at which it stops */
export async function all(path, { most = 1000, ...options } = {}) {
  const items = [];
  let cursor;
  do {
    const answer = await page(path, { ...options, cursor, limit: 200 });
    items.push(...answer.items);
    cursor = answer.next;
  } while (cursor && items.length < most);
  return items;
}
