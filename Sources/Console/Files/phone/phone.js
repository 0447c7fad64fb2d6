/** The phone: the app's icon on a Home Screen, and its menu below the icon, or above it where the icon is in the lower half. */
import { element, replaceChildren } from "../page/element.js";
import { strings } from "../strings.js";
import { direction } from "../values/language.js";
import { menuPanel } from "./menu-rows.js";

/**
 * @typedef {{name: string, rows: import("../menus/shown.js").Row[], language: string, atBottom?: boolean, theme?: "light" | "dark" | null,
 *   large?: boolean, listName?: string | null, caption?: string}} Drawing
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
    replaceChildren(this, element("div", { class: "device" }, screen), caption && element("p", { class: "caption" }, caption));
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
