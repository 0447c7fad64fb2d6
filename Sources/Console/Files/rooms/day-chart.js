/** Taps by day as bars, with a table that says the same. */
import { element, svg } from "../page/element.js";
import { strings } from "../strings.js";

/** @typedef {{date: Date, taken: number, landed: number, lost: number}} Day */

/** @type {("taken" | "landed" | "lost")[]} */
const KINDS = ["taken", "landed", "lost"];
const HEIGHT = 160;
const [AXIS, BELOW, ABOVE] = [44, 22, 20];
const SHORTLY = new Intl.NumberFormat("en", { notation: "compact" });
const SHORT = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });

/** @param {Day[]} days */
export function dayChart(days) {
  const chart = svg("svg", { class: "chart", height: HEIGHT + BELOW + ABOVE, "aria-hidden": "true" });
  const place = element("div", { class: "chart-place" }, chart);
  new ResizeObserver(() => drawn(chart, days, place.clientWidth)).observe(place);
  const rows = days.map((day) => element("tr", {},
    element("td", {}, SHORT.format(day.date)), ...KINDS.map((kind) => element("td", { class: "number" }, day[kind]))));
  const heads = KINDS.map((kind) => element("th", { scope: "col", class: "number" }, strings.taps.kinds[kind]));
  const table = element("table", { "aria-label": strings.taps.byDay },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, strings.taps.day), ...heads)), element("tbody", {}, ...rows));
  const legend = element("ul", { class: "legend", "aria-hidden": "true" },
    ...KINDS.map((kind) => element("li", { class: kind }, strings.taps.kinds[kind])));
  return element("figure", {}, element("figcaption", {}, strings.taps.byDay), legend, place,
    element("details", {}, element("summary", {}, strings.taps.asTable), table));
}

/**
 * Draws the bars as wide as there is room, beside an axis of whole taps.
 * @param {SVGElement} chart @param {Day[]} days @param {number} width
 */
function drawn(chart, days, width) {
  if (width <= AXIS) return;
  const top = roundAbove(Math.max(1, ...days.map((day) => KINDS.reduce((sum, kind) => sum + day[kind], 0))));
  const step = (width - AXIS) / days.length;
  const at = (/** @type {number} */ count) => ABOVE + HEIGHT - (count / top) * HEIGHT;
  const lines = [0, top / 2, top].filter(Number.isInteger).flatMap((count) => [
    svg("line", { x1: AXIS, x2: width, y1: at(count), y2: at(count) }),
    svg("text", { x: AXIS - 8, y: at(count) + 4, "text-anchor": "end" }, count.toLocaleString("en")),
  ]);
  const bars = days.flatMap((day, index) => {
    let below = 0;
    return KINDS.map((kind) => {
      const y = at(below + day[kind]);
      const bar = svg("rect", { x: AXIS + index * step + step * 0.1, y, width: step * 0.8, height: at(below) - y, class: kind });
      below += day[kind];
      return bar;
    });
  });
  const amounts = days.flatMap((day, index) => {
    const count = KINDS.reduce((sum, kind) => sum + day[kind], 0);
    return count > 0 ? [svg("text", { x: AXIS + (index + 0.5) * step, y: at(count) - 4, "text-anchor": "middle" }, SHORTLY.format(count))] : [];
  });
  // The last day is always named; the others as far apart as their words are wide.
  const every = Math.ceil(64 / step);
  const labels = days.flatMap((day, index) => ((days.length - 1 - index) % every === 0
    ? [svg("text", { x: AXIS + (index + 0.5) * step, y: ABOVE + HEIGHT + 16, "text-anchor": index === days.length - 1 ? "end" : "middle",
      dx: index === days.length - 1 ? step / 2 : 0 }, SHORT.format(day.date))]
    : []));
  chart.setAttribute("width", String(width));
  chart.replaceChildren(...lines, ...bars, ...(step > 24 ? amounts : []), ...labels);
}

/**
 * The next of 1, 2, 4, 6, 8, 10, 20, 40 …: half of it is a whole number, too, but for 1.
 * @param {number} count
 */
function roundAbove(count) {
  const power = 10 ** Math.floor(Math.log10(count));
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((round) => round >= count) ?? count;
}
