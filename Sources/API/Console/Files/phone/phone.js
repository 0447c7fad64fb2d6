/**
 * The phone: the app's icon on a blurred Home Screen with its menu, as iOS 18 draws it on 393 × 852 points. The menu is
 * below the icon, or above it if the icon is in the Dock. The style sheet scales the picture as a whole.
 */
import { menuOf, servedLanguages } from "../menus/shown.js";
import { element, replaceChildren, svg } from "../page/element.js";
import { strings } from "../strings.js";
import { same } from "../values/json.js";
import { direction, languageName } from "../values/language.js";
import { menuPanel, systemRows } from "./menu-rows.js";

/**
 * @typedef {{app: App, rows: import("../menus/shown.js").Row[], language: string, atBottom?: boolean, theme?:
 *   "light" | "dark" | null, large?: boolean, listName?: string | null, caption?: string}} Drawing
 */
export class Phone extends HTMLElement {
  /** @param {Drawing} drawing with its rows in assignment order */
  draw({ app, rows, language, atBottom = false, theme = null, large = false, listName = null, caption }) {
    const way = direction(language);
    const parts = [appIcon(app), element(
      "div",
      { class: "menu" },
      ...inOrder([
        rows.length > 0 && menuPanel(inOrder(rows, atBottom), { name: listName, direction: way }),
        systemRows(language, atBottom),
      ], atBottom),
    )];
    const screen = element(
      "div",
      { class: `screen${large ? " large" : ""}`, dir: way, lang: language },
      homeScreen(atBottom), statusBar(), element("div", { class: "pressed" }, ...inOrder(parts, atBottom)),
    );
    if (theme) screen.dataset.theme = theme;
    replaceChildren(
      this,
      element("div", { class: `window${atBottom ? " at-bottom" : ""}` }, element("div", { class: "device" }, screen)),
      rows.length === 0 && element("p", { class: "no-menu" }, strings.phone.noMenu),
      caption && element("p", { class: "caption" }, caption),
    );
  }
}

/** @template Each @param {Each[]} parts @param {boolean} isReversed */
const inOrder = (parts, isReversed) => (isReversed ? [...parts].reverse() : parts);

/**
 * The picture of the app, or a tile with its first letter.
 * @param {App} app
 */
function appIcon({ app, name, icon }) {
  const last = name ?? app.split(".").at(-1);
  return icon
    ? element("img", { class: "app-icon", alt: "", src: `/admin/v1/apps/${app}/icon?v=${icon}` })
    : element("div", { class: "app-icon", "aria-hidden": "true" }, [...(last || "?")][0].toUpperCase());
}

/**
 * The other icons, in four columns and in the Dock. The style sheet blurs them.
 * @param {boolean} atBottom whether the app's icon is in the Dock
 */
function homeScreen(atBottom) {
  const tiles = Array.from({ length: 26 }, (_, index) => {
    const isInDock = index < 4;
    const place = { x: 27 + (index % 4) * 93, y: isInDock ? 763 : Math.floor(index / 4) * 96 - 18 };
    return index !== (atBottom ? 0 : 4) && [
      svg("rect", { ...place, width: 60, height: 60, rx: 13.5, fill: `hsl(${(index * 67) % 360} 62% 58%)` }),
      !isInDock && svg("rect", { x: place.x + 10, y: place.y + 67, width: 40, height: 8, rx: 4, fill: "#fffc" }),
    ];
  });
  return svg(
    "svg", { class: "home-screen", viewBox: "0 0 393 852", "aria-hidden": "true" },
    svg("rect", { x: 12, y: 746, width: 369, height: 94, rx: 36, fill: "#fff5" }), ...tiles,
  );
}

/** The time, the Dynamic Island, and the signs for signal, Wi-Fi and battery. */
function statusBar() {
  return element(
    "div",
    { class: "status-bar", "aria-hidden": "true" },
    strings.phone.time,
    element("span", { class: "island" }),
    svg(
      "svg", { viewBox: "0 0 76 13" },
      svg("path", { d: "M0 9h3v3H0zm5-2h3v5H5zm5-3h3v8h-3zm5-3h3v11h-3zm34 2h19v7H49zm24 1v5q3-2.5 0-5z" }),
      svg("path", { class: "line", d: "M24.5 5q7-6 14 0m-11 3q4-3.5 8 0m-4 3v.1M47 1h23v11H47z" }),
    ),
  );
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
export function beforeAfter(app, release, sides, language = app.defaultLanguage, isChosen = false) {
  const rows = (/** @type {string} */ tag) =>
    sides.map(({ set }) => menuOf(set ?? { items: [] }, release?.staticItems ?? [], tag, app.defaultLanguage).shown);
  const languages = [
    language, ...servedLanguages({ items: sides.flatMap(({ set }) => set?.items ?? []) }, app.defaultLanguage),
  ];
  const shown = (!isChosen && languages.find((tag) => !same(rows(tag)[0], rows(tag)[1]))) || language;
  return element("div", { class: "before-after" }, ...rows(shown).map((menu, index) => {
    const { words, set } = sides[index];
    const caption = shown === app.defaultLanguage ? words : strings.publish.inLanguage(words, languageName(shown));
    return element("figure", {}, element("figcaption", {}, caption),
      phoneOf({ app, rows: menu, language: shown, listName: caption }),
      index > 0 && !set && element("p", { class: "hint" }, strings.revision.keeps));
  }));
}
