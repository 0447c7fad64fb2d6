/** Tables that become lists on narrow screens, where each cell names its column. */
import { element } from "./element.js";

/**
 * Roles are explicit, because a table with another layout loses its own.
 * @param {string} label @param {readonly Child[]} columns @param {HTMLElement} rows a `tbody`
 */
export function table(label, columns, rows) {
  const heads = columns.map((name) => element("th", { scope: "col", role: "columnheader" }, name));
  rows.setAttribute("role", "rowgroup");
  const head = element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...heads));
  return element(
    "div", { class: "scroller" },
    element("table", { class: "stacking", role: "table", "aria-label": label }, head, rows),
  );
}

/** @param {readonly string[]} columns @param {Child[]} cells the first names the row @param {Attributes} attributes */
export function row(columns, cells, attributes = {}) {
  const made = cells.map((cell, place) =>
    place === 0 ? element("th", { scope: "row", role: "rowheader" }, cell) : element(
      "td", { role: "cell", "data-label": columns[place] || null }, cell,
    ));
  return element("tr", { role: "row", ...attributes }, ...made);
}
