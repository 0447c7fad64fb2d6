/** The rows of a long-press menu as iOS draws them: title, subtitle, icon. */
import { element } from "../page/element.js";
import { strings } from "../strings.js";
import { member } from "../values/json.js";
import { iconName, iconPicture } from "./icon.js";

/** @typedef {import("../menus/shown.js").Row} Row */

/** @param {Row} row @param {"li" | "div"} tag of the row's element @param {...Node} more nodes behind the row */
export function menuRow(row, tag = "li", ...more) {
  const picture = iconPicture(row.icon);
  return element(
    tag,
    { class: `menu-row ${row.kind}` },
    element(
      "span",
      { class: "texts" },
      element("span", { class: "title", dir: "auto" }, row.title || "\u2014"),
      row.subtitle ? element("span", { class: "subtitle", dir: "auto" }, row.subtitle) : null,
    ),
    picture && element("span", { class: "picture", title: iconName(row.icon) }, picture),
    ...more,
  );
}

/**
 * A menu without the phone.
 * @param {Row[]} rows
 * @param {{name?: string | null, direction?: string}} options the name of the list; null if a text beside the drawing
 *   says the same
 */
export function menuPanel(rows, { name = null, direction = "ltr" } = {}) {
  const attributes = name === null ? { "aria-hidden": "true" } : { "aria-label": name };
  return element(
    "ul", { class: "menu-panel", dir: direction, role: "list", ...attributes }, ...rows.map((row) => menuRow(row)),
  );
}

/** @type {Map<string, boolean>} */
const cut = new Map();

/**
 * Whether a phone cuts the title, which may have two lines. The menu is as wide on a phone of 375 points as on others.
 * Measures with the fonts of this browser, which may be a little wider or narrower than the font of iOS.
 * @param {string} title @param {string} language @param {Icon | null} [icon] which leaves less space
 */
export function isCut(title, language, icon = { type: "add" }) {
  const key = JSON.stringify([title, language, Boolean(icon)]);
  if (!cut.has(key)) {
    const probe = menuPanel([{ kind: "dynamic", id: null, type: "", title, icon }]);
    probe.classList.add("probe");
    probe.lang = language;
    document.body.append(probe);
    const { scrollHeight, clientHeight } = /** @type {Element} */ (probe.querySelector(".title"));
    probe.remove();
    cut.set(key, scrollHeight > clientHeight + 1);
  }
  return cut.get(key);
}

const SYSTEM_SYMBOLS = ["iphone", "square.and.arrow.up", "minus.circle"];

/**
 * The rows that iOS adds behind the app's: Edit Home Screen, Share App, Remove App. They are no part of the menu.
 * @param {string} language of the phone @param {boolean} isReversed
 */
export function systemRows(language, isReversed) {
  const texts = member(strings.phone.system, language.split("-")[0]) ?? strings.phone.system.en;
  const rows = texts.map((text, index) => element(
    "div", { class: `system-row${index === 2 ? " removes" : ""}` }, element("span", {}, text),
    element("span", { class: "picture" }, iconPicture({ symbol: SYSTEM_SYMBOLS[index] })),
  ));
  return element("div", { class: "system-rows", "aria-hidden": "true" }, ...(isReversed ? rows.reverse() : rows));
}
