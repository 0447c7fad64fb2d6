/**
 * The interval of a roll-out's ratio over time: an area on a logarithmic scale, with 1 in its middle. The interval at
 * one time is a bar.
 */
import { chartOf } from "../page/chart.js";
import { svg } from "../page/element.js";
import { logTime, shortTime } from "../page/format.js";
import { strings } from "../strings.js";

const [HEIGHT, AXIS, EDGE] = [200, 64, 20];
/** The greatest ratio of the scale, as a power of 2. Wider intervals are cut. */
const MOST_DOUBLINGS = 4;

/** @param {Look[]} history ascending @param {number} [worse] the guard's limit in percent */
export function ratioPlot(history, worse) {
  // The service gives the end of each hour, also of the current one.
  const now = new Date().toISOString();
  const looks = history.map((look) => ({ ...look, at: Date.parse(look.at) > Date.parse(now) ? now : look.at }));
  const rows = looks.map(({ at, firstTaps, estimate, lower, upper }) => [
    logTime(at), firstTaps.toLocaleString("en"), strings.rollout.times(estimate),
    strings.rollout.interval(lower, upper),
  ]);
  return chartOf(
    strings.rollout.plot, HEIGHT + EDGE * 2, (chart, width) => draw(chart, looks, width, worse),
    strings.rollout.plotColumns, rows.reverse(),
  );
}

/** @param {SVGElement} chart @param {Look[]} looks @param {number} width @param {number} [worse] */
function draw(chart, looks, width, worse = 0) {
  const limit = worse / 100;
  // The first intervals are wide. They would make the later ones too small to read.
  const known = looks.slice(Math.floor(looks.length / 4))
    .flatMap(({ estimate, lower, upper }) => [estimate, lower, upper].map(Number)).concat(limit)
    .filter((ratio) => ratio > 0);
  const widest = Math.max(...known.map((ratio) => Math.abs(Math.log2(ratio))), 0);
  const doublings = Math.max(1, Math.min(MOST_DOUBLINGS, Math.ceil(widest)));
  const [first, last] = [looks[0], looks[looks.length - 1]].map(({ at }) => Date.parse(at));
  const one = first === last ? " one" : "";
  const x = (/** @type {Look} */ { at }) =>
    AXIS + (one ? 0.9 : (Date.parse(at) - first) / (last - first)) * (width - AXIS);
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
  const [start, end] = [looks[0], looks[looks.length - 1]].map(({ at }) => shortTime(at));
  const below = HEIGHT + EDGE * 2 - 2;
  chart.replaceChildren(
    svg("path", { class: `interval${one}`, d: `M${area.join("L")}Z` }),
    ...ticks.flatMap((ratio) => [
      svg("line", { class: ratio === 1 ? "even" : null, x1: AXIS, x2: width, y1: y(ratio), y2: y(ratio) }),
      label({ x: AXIS - 8, y: y(ratio) + 4, "text-anchor": "end" }, strings.rollout.times(ratio)),
    ]),
    ...(limit >= 2 ** -doublings ? [
      svg("line", { class: "limit", x1: AXIS, x2: width, y1: y(limit), y2: y(limit) }),
      label({ x: width, y: y(limit) + 14, "text-anchor": "end" }, strings.rollout.limit(worse)),
    ] : []),
    // A line of no length with round ends is a dot.
    ...(line.length > 0 ? [svg("path", { class: `estimate${one}`, d: `M${line.join("L")}h0` })] : []),
    ...(start === end ? [] : [label({ x: AXIS, y: below }, start)]),
    label({ x: width, y: below, "text-anchor": "end" }, end),
  );
}
