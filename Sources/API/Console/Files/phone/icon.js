/** An item's icon as a picture. Like iOS, it prefers the symbol, then the file, then the type. */
import { svg } from "../page/element.js";
import { member } from "../values/json.js";
import { SYSTEM_ICONS, UNKNOWN_IMAGE, UNKNOWN_SYMBOL } from "./icons.js";

/** @param {Icon | null | undefined} icon @returns {SVGElement | null} */
export function iconPicture(icon) {
  if (icon?.symbol) return drawing(UNKNOWN_SYMBOL);
  if (icon?.file) return drawing(UNKNOWN_IMAGE);
  const paths = member(SYSTEM_ICONS, icon?.type);
  return paths ? drawing(paths) : null;
}

/**
 * The icon's name; empty without an icon.
 * @param {Icon | null | undefined} icon
 */
export function iconName(icon) {
  return icon?.symbol ?? icon?.file ?? icon?.type ?? "";
}

/** @param {string[]} paths */
export function drawing(paths) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    ...paths.map(
      (path) => (path.startsWith("!") ? svg("path", { d: path.slice(1), class: "filled" }) : svg("path", { d: path }))
    ));
}
