/** The rows of a long-press menu as iOS draws them: title, subtitle, icon. */
import { element } from "../page/element.js";
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
