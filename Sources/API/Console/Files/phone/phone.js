/**
 * The phone: the app's icon on a Home Screen with its menu, which is above the icon if the icon is in the lower half.
 */
import { menuOf, servedLanguages } from "../menus/shown.js";
import { element, replaceChildren } from "../page/element.js";
import { strings } from "../strings.js";
import { same } from "../values/json.js";
import { direction, languageName } from "../values/language.js";
import { menuPanel } from "./menu-rows.js";

/**
 * @typedef {{name: string, rows: import("../menus/shown.js").Row[], language: string, atBottom?: boolean, theme?:
 *   "light" | "dark" | null, large?: boolean, listName?: string | null, caption?: string}} Drawing
 */
export class Phone extends HTMLElement {
  /** @param {Drawing} drawing with its rows in assignment order */
  draw({ name, rows, language, atBottom = false, theme = null, large = false, listName = null, caption }) {
    const inOrder = atBottom ? [...rows].reverse() : rows;
    const way = direction(language);
    const panel = inOrder.length > 0 ? menuPanel(inOrder, { name: listName, direction: way }) : element(
      "p",
      { class: "no-menu" },
      strings.phone.noMenu,
    );
    const icon = element("div", { class: "app-icon", "aria-hidden": "true" }, initial(name));
    const screen = element(
      "div",
      { class: `screen${atBottom ? " at-bottom" : ""}${large ? " large" : ""}`, dir: way, lang: language },
      ...(atBottom ? [panel, icon] : [icon, panel]),
    );
    if (theme) screen.dataset.theme = theme;
    replaceChildren(
      this, element("div", { class: "device" }, screen), caption && element("p", { class: "caption" }, caption),
    );
  }
}

/** @param {string} name */
function initial(name) {
  const last = name.split(".").at(-1) ?? name;
  return [...(last || "?")][0].toUpperCase();
}

customElements.define("lp-phone", Phone);

/** @param {Drawing} drawing */
export function phoneOf(drawing) {
  const phone = document.createElement("lp-phone");
  phone.draw(drawing);
  return phone;
}

/**
 * Two phones with captions, before and after a change: in the language, or in the first language in which they differ.
 * @param {App} app @param {Release | undefined} release its static items come first
 * @param {{words: string, set: ShortcutSet | null | undefined}[]} sides without a set, phones keep the menu that they
 *   have
 * @param {string} language
 */
export function beforeAfter(app, release, sides, language = app.defaultLanguage) {
  const rows = (/** @type {string} */ tag) =>
    sides.map(({ set }) => menuOf(set ?? { items: [] }, release?.staticItems ?? [], tag, app.defaultLanguage).shown);
  const languages = [
    language, ...servedLanguages({ items: sides.flatMap(({ set }) => set?.items ?? []) }, app.defaultLanguage),
  ];
  const shown = languages.find((tag) => !same(rows(tag)[0], rows(tag)[1])) ?? language;
  return element("div", { class: "before-after" }, ...rows(shown).map((menu, index) => {
    const { words, set } = sides[index];
    const caption = shown === app.defaultLanguage ? words : strings.publish.inLanguage(words, languageName(shown));
    return element("figure", {}, element("figcaption", {}, caption),
      phoneOf({ name: app.name ?? app.app, rows: menu, language: shown, listName: caption }),
      !set && element("p", { class: "hint" }, strings.revision.keeps));
  }));
}
