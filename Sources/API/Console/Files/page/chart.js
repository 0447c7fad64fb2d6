/** Drawings of numbers, each with the same numbers as a table for people who do not see the drawing. */
import { strings } from "../strings.js";
import { element, svg } from "./element.js";
import { row, table } from "./table.js";

/**
 * @param {string} name @param {number} height of the drawing in pixels
 * @param {(chart: SVGElement, width: number) => void} draw called for each width
 * @param {readonly string[]} columns of the table; the first names its rows
 * @param {Child[][]} rows
 * @param {...Child} legend
 */
export function chartOf(name, height, draw, columns, rows, ...legend) {
  const chart = svg("svg", { class: "chart", height, "aria-hidden": "true" });
  const place = element("div", { class: "chart-place" }, chart);
  new ResizeObserver(() => {
    const { clientWidth } = place;
    chart.setAttribute("width", String(clientWidth));
    draw(chart, clientWidth);
  }).observe(place);
  const heads = columns.map((column, at) => (at > 0 ? `#${column}` : column));
  const numbers = table(name, heads, element("tbody", {}, ...rows.map((cells) => row(heads, cells))));
  return element("figure", {}, element("figcaption", {}, name), ...legend, place,
    element("details", {}, element("summary", {}, strings.taps.asTable), numbers));
}
