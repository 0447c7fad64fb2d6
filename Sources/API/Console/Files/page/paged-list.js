/** A list of the API, shown page by page. */
import { strings } from "../strings.js";
import { announce, guarded } from "./announcements.js";
import { button } from "./controls.js";
import { element } from "./element.js";

/**
 * @template Entry
 * @param {Page<Entry>} first
 * @param {(cursor: string | null) => Promise<Page<Entry>>} read
 * @param {(entry: Entry) => HTMLElement} draw an `li`, or a `tr` where `rows` is a table's body
 * @param {Attributes} attributes @param {{rows?: HTMLElement}} options
 */
export function pagedList(first, read, draw, attributes = {}, { rows } = {}) {
  const list = rows ?? element("ul", attributes);
  let next = first.next;
  list.append(...first.items.map(draw));
  const more = button(strings.common.more, guarded(async () => {
    const answer = await read(next);
    next = answer.next;
    const added = answer.items.map(draw);
    list.append(...added);
    more.hidden = next === null;
    announce(strings.common.added(added.length, list.childElementCount));
    // The button disappeared, so the focus moves to the first new entry.
    if (more.hidden && added.length > 0) {
      added[0].tabIndex = -1;
      added[0].focus();
    }
  }));
  more.hidden = next === null;
  return rows ? more : element("div", {}, list, more);
}
