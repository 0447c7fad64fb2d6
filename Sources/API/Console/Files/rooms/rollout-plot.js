/** The interval of a roll-out's ratio over time: an area on a logarithmic scale, with 1 in its middle. */
import { chartOf } from "../page/chart.js";
import { svg } from "../page/element.js";
import { logTime, shortTime } from "../page/format.js";
import { strings } from "../strings.js";

const [HEIGHT, AXIS, EDGE] = [200, 52, 20];
/** The greatest ratio of the scale, as a power of 2. Wider intervals are cut. */
const MOST_DOUBLINGS = 4;

/** @param {Look[]} looks */
export function ratioPlot(looks) {
  const rows = looks.map(({ at, firstTaps, estimate, lower, upper }) => [
    logTime(at), firstTaps.toLocaleString("en"), strings.rollout.times(estimate),
    strings.rollout.interval(lower, upper),
  ]);
  return chartOf(
    strings.rollout.plot, HEIGHT + EDGE * 2, (chart, width) => draw(chart, looks, width), strings.rollout.plotColumns,
    rows.reverse(),
  );
}

/** @param {SVGElement} chart @param {Look[]} looks @param {number} width */
function draw(chart, looks, width) {
  const known = looks.flatMap(({ estimate, lower, upper }) => [estimate, lower, upper].map(Number))
    .filter((ratio) => ratio > 0);
  const widest = Math.max(...known.map((ratio) => Math.abs(Math.log2(ratio))), 0);
  const doublings = Math.max(1, Math.min(MOST_DOUBLINGS, Math.ceil(widest)));
  const [first, last] = [looks[0], looks[looks.length - 1]].map(({ at }) => Date.parse(at));
  const x = (/** @type {Look} */ { at }) =>
    AXIS + ((Date.parse(at) - first) / Math.max(1, last - first)) * (width - AXIS);
  /** An unknown or distant end is at the edge. */
  const y = (/** @type {number} */ ratio) => {
    const part = Math.max(-1, Math.min(1, Math.log2(ratio) / doublings));
    return EDGE + (HEIGHT / 2) * (1 - part);
  };
  const points = (/** @type {Look[]} */ list, /** @type {(look: Look) => number} */ ratio) =>
    list.map((look) => `${x(look).toFixed(1)} ${y(ratio(look)).toFixed(1)}`);
  const area = [
    ...points(looks, ({ upper = Infinity }) => Number(upper)),
    ...points(looks, ({ lower = 0 }) => Number(lower)).reverse(),
  ];
  const line = points(looks.filter(({ estimate }) => Number(estimate) > 0), ({ estimate }) => Number(estimate));
  const ticks = Array.from({ length: doublings * 2 + 1 }, (_, place) => 2 ** (place - doublings));
  const label = (/** @type {Record<string, any>} */ place, /** @type {string} */ text) => svg("text", place, text);
  chart.replaceChildren(
    svg("path", { class: "interval", d: `M${area.join("L")}Z` }),
    ...ticks.flatMap((ratio) => [
      svg("line", { class: ratio === 1 ? "even" : null, x1: AXIS, x2: width, y1: y(ratio), y2: y(ratio) }),
      label({ x: AXIS - 8, y: y(ratio) + 4, "text-anchor": "end" }, strings.rollout.times(ratio)),
    ]),
    ...(line.length > 0 ? [svg("path", { class: "estimate", d: `M${line.join("L")}` })] : []),
    label({ x: AXIS, y: HEIGHT + EDGE * 2 - 2 }, shortTime(looks[0].at)),
    label({ x: width, y: HEIGHT + EDGE * 2 - 2, "text-anchor": "end" }, shortTime(looks[looks.length - 1].at)),
  );
}
