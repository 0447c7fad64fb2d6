/** The update gap of a menu that is not published yet: the phones before and after, and what a tap does in between. */
import { updateTaps } from "../menus/gap.js";
import { element } from "../page/element.js";
import { beforeAfter } from "../phone/phone.js";
import { strings } from "../strings.js";
import { kindOfOutcome, rowJoins, tapList } from "./gap-list.js";
import { joinLines } from "./joins.js";

/**
 * @param {App} app @param {Release | undefined} release @param {{words: string, set: ShortcutSet | null | undefined}[]}
 *   sides the menus before and after
 * @param {{earlier?: {version: string, set: ShortcutSet, between: ShortcutSet[]}[],
 *   forgotten?: {id: string, title: string}[], language?: string, isChosen?: boolean}} options
 *   `earlier`: other menus that phones update from, the newest first, each with the menus of the versions between;
 *   `forgotten`: other published items that no rule covers; `isChosen`: whether only this language is wanted
 * @returns {{element: HTMLElement, lost: number, tag: string}} `lost`: the items whose taps no rule covers; `tag`: the
 *   language of the pictures, where the menus differ
 */
export function draftGap(
  app, release, sides, { earlier = [], forgotten = [], language = app.defaultLanguage, isChosen } = {},
) {
  const pictures = beforeAfter(app, release, sides, language, isChosen);
  const [before, after] = sides.map(({ set }) => set ?? { items: [] });
  const tag = /** @type {HTMLElement | null} */ (pictures.querySelector("[lang]"))?.lang ?? language;
  const tapsOf = (/** @type {ShortcutSet} */ set, /** @type {ShortcutSet[]} */ between = []) =>
    updateTaps(set, after, release?.staticItems ?? [], tag, app, between);
  const taps = tapsOf(before);
  // Items that iOS does not show may be forgotten, too.
  const known = new Set(taps.menu.map(({ id }) => id));
  const rest = { items: forgotten.map(({ id, title }) => ({ id, type: "", title: { [tag]: title }, enabled: true })) };
  const older = [...earlier, { version: null, set: rest, between: [] }].map(({ version, set, between }) => {
    const { menu, hidden } = tapsOf(set, between);
    const items = [...menu, ...(version === null ? hidden : [])].filter(({ id }) => id !== null && !known.has(id));
    for (const { id } of items) if (id !== null) known.add(id);
    return { version, items };
  }).filter(({ items }) => items.length > 0);
  const all = [...taps.menu, ...older.flatMap(({ items }) => items)];
  const lost = all.filter(({ tap: { outcome } }) => kindOfOutcome(outcome) === "lost").length;
  if (all.length === 0) return { element: pictures, lost, tag };
  const list = tapList(taps.menu, taps, strings.gap.onScreen, null);
  const [old, next] = [...pictures.querySelectorAll("figure")];
  old.after(element("section", { class: "gap-taps" },
    element("p", { class: `verdict ${lost > 0 ? "lost" : "taken"}` },
      strings.gap.verdict(lost, all.length)),
    element("p", { class: "hint" }, strings.publish.gapHint), list,
    ...older.flatMap(({ version, items }) => [
      element("h3", {}, strings.publish.earlier(version)),
      tapList(items, taps, strings.publish.earlier(version), null),
    ])));
  const rows = [...next.querySelectorAll(".menu-row")];
  const entries = [...list.children];
  /**
   * The row that a tap opens.
   * @param {SimulatedItem} item @param {number} place
   */
  const targetOf = ({ kind, tap }, place) =>
    rows[kind === "static" ? place : taps.afterLaunch.menu.findIndex(({ id }) => id !== null && id === tap.item)];
  const joins = taps.menu.flatMap((item, place) => {
    const to = targetOf(item, place);
    return to ? [{ from: entries[place], to, kind: entries[place].classList[1] }] : [];
  });
  pictures.classList.add("with-taps");
  pictures.append(joinLines(pictures, [...rowJoins({ phone: old, list }), ...joins]));
  return { element: pictures, lost, tag };
}
