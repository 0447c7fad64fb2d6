/** Taps by day as bars, with a table that says the same. */
import { element, svg } from "../page/element.js";
import { strings } from "../strings.js";

const KINDS = ["taken", "landed", "lost"];
const [WIDTH, HEIGHT, GAP] = [700, 160, 8];
const SHORT = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });

/** @param {{date: Date, taken: number, landed: number, lost: number}[]} days */
export function dayChart(days) {
  const most = Math.max(1, ...days.map((day) => KINDS.reduce((sum, kind) => sum + day[kind], 0)));
  const step = WIDTH / days.length;
  const bars = days.flatMap((day, index) => {
    let top = HEIGHT;
    return KINDS.map((kind) => {
      const height = (day[kind] / most) * (HEIGHT - 4);
      top -= height;
      return svg("rect", { x: index * step + GAP / 2, y: top, width: step - GAP, height, rx: 2, class: kind });
    });
  });
  const labels = days.map(
    (day, index) => (
      index % 2 === 0 ? svg("text", { x: index * step + step / 2, y: HEIGHT + 16, "text-anchor": "middle" }, SHORT.format(day.date)) : null
    ),
  );
  const chart = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT + 22}`, class: "chart", "aria-hidden": "true" },
    ...bars,
    ...labels.filter(Boolean),
  );
  const rows = days.map(
    (day) => element(
      "tr",
      {},
      element("td", {}, SHORT.format(day.date)),
      ...KINDS.map((kind) => element("td", { class: "number" }, day[kind])),
    ),
  );
  const table = element(
    "table",
    { "aria-label": strings.taps.byDay },
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "col" }, strings.taps.day),
        ...KINDS.map((kind) => element("th", { scope: "col" }, strings.taps.kinds[kind])),
      ),
    ),
    element("tbody", {}, ...rows),
  );
  const legend = element(
    "ul",
    { class: "legend", "aria-hidden": "true" },
    ...KINDS.map((kind) => element("li", { class: kind }, strings.taps.kinds[kind])),
  );
  return element(
    "figure",
    {},
    element("figcaption", {}, strings.taps.byDay),
    legend,
    chart,
    element("details", {}, element("summary", {}, strings.taps.asTable), table),
  );
}
