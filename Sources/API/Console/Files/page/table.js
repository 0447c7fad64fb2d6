/** Tables that become lists on narrow screens, where each cell names its column. */
import { element } from "./element.js";

/** `#` marks a column of numbers. */
const isNumeric = (/** @type {Child} */ column) => String(column).startsWith("#");
const nameOf = (/** @type {Child} */ column) => (isNumeric(column) ? String(column).slice(1) : column);
const classOf = (/** @type {Child} */ column) => (isNumeric(column) ? "number" : null);

/**
 * Roles are explicit, because a table with another layout loses its own.
 * @param {string} label @param {readonly Child[]} columns @param {HTMLElement} rows a `tbody`
 */
export function table(label, columns, rows) {
  const heads = columns.map((column) =>
    element("th", { scope: "col", role: "columnheader", class: classOf(column) }, nameOf(column)));
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
      "td", { role: "cell", class: classOf(columns[place]), "data-label": nameOf(columns[place]) || null },
      // Beside the label, the parts of a cell stay together.
      Array.isArray(cell) ? element("span", {}, cell) : cell,
    ));
  return element("tr", { role: "row", ...attributes }, ...made);
}
