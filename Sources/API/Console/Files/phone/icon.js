/** An item's icon as a picture. Like iOS, it prefers the symbol, then the file, then the type. */
import { svg } from "../page/element.js";
import { strings } from "../strings.js";
import { member } from "../values/json.js";
import { TYPE_SYMBOLS, symbolPaths } from "./symbols.js";

/** @param {Icon | null | undefined} icon @returns {SVGElement | null} */
export function iconPicture(icon) {
  if (!iconName(icon)) return null;
  const paths = iconPaths(icon);
  return svg("svg", { viewBox: "-3 -3 102 102", class: "icon", "aria-hidden": "true" }, paths
    ? [svg("path", { d: paths.lines, class: "line" }), svg("path", { d: paths.shapes })]
    : [
      svg("rect", { x: 6, y: 6, width: 84, height: 84, rx: 18, class: "line" }),
      svg("text", { x: 48, y: 66 }, [...iconName(icon)][0].toUpperCase()),
    ]);
}

/**
 * The drawing of the icon; null if only its name is known, because the app has the picture.
 * @param {Icon | null | undefined} icon
 */
export function iconPaths(icon) {
  if (icon?.symbol) return symbolPaths(icon.symbol);
  return icon?.file ? null : symbolPaths(member(TYPE_SYMBOLS, icon?.type) ?? "");
}

/**
 * The icon's name; empty without an icon.
 * @param {Icon | null | undefined} icon
 */
export function iconName(icon) {
  return icon?.symbol ?? icon?.file ?? (icon?.type ? strings.icon.type(icon.type) : "");
}
