/** Lines from a phone's rows to their outcomes. The style sheet hides them on narrow screens. */
import { svg } from "../page/element.js";

/**
 * @param {HTMLElement} container the lines are drawn over it
 * @param {{from: Element, to: Element, kind: string}[]} joins from the right edge of one element to the left edge of
 *   another
 * @returns {SVGElement} to be added to the container; draws again when the size of the container or of an end changes.
 *   A click on the line of a lost tap is a click on its entry.
 */
export function joinLines(container, joins) {
  const lines = svg("svg", { class: "joins", "aria-hidden": "true" });
  const draw = () => {
    const origin = container.getBoundingClientRect();
    lines.replaceChildren(...joins.flatMap(({ from, to, kind }) => {
      const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
      const [x1, y1] = [start.right - origin.left - 1, start.top + start.height / 2 - origin.top];
      const [x2, y2] = [end.left - origin.left, end.top + end.height / 2 - origin.top];
      if (x2 <= x1) return [];
      const bend = (x2 - x1) / 2;
      const path = svg("path", { d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, class: kind });
      const entry = from.matches(".tap") ? from : to;
      if (kind === "lost") path.addEventListener("click", () => /** @type {HTMLElement} */ (entry).click());
      return [
        path, svg("circle", { cx: x1, cy: y1, r: 3, class: kind }),
        svg("circle", { cx: x2, cy: y2, r: 3, class: kind }),
      ];
    }));
  };
  const resized = new ResizeObserver(draw);
  for (const each of [container, ...joins.flatMap(({ from, to }) => [from, to])]) resized.observe(each);
  return lines;
}
