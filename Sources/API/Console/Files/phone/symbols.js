/** Which drawing stands for an SF Symbol. */
import { member } from "../values/json.js";
import { SYMBOL_PATHS } from "./symbol-paths.js";

/**
 * The symbols that iOS shows for the system icon types.
 * @type {Record<string, string>}
 */
export const TYPE_SYMBOLS = {
  compose: "square.and.pencil", play: "play", pause: "pause", add: "plus", location: "location",
  search: "magnifyingglass", share: "square.and.arrow.up", prohibit: "nosign", contact: "person.crop.circle",
  home: "house", markLocation: "mappin", favorite: "star", love: "heart", cloud: "cloud",
  invitation: "envelope.badge", confirmation: "checkmark", mail: "envelope", message: "message", date: "calendar",
  time: "clock", capturePhoto: "camera", captureVideo: "video", task: "circle", taskCompleted: "checkmark.circle",
  alarm: "alarm", bookmark: "bookmark", shuffle: "shuffle", audio: "speaker.wave.1", update: "arrow.clockwise",
};

/** Further symbols for each drawing. */
const SIMILAR = {
  "arrow.clockwise": "arrow.triangle.2.circlepath repeat", bag: "handbag", cart: "basket",
  checklist: "text.badge.checkmark", clock: "clock.arrow.circlepath timer", creditcard: "giftcard wallet.pass",
  "doc.text": "doc doc.on.doc note.text newspaper", envelope: "envelope.open", gear: "gearshape",
  iphone: "apps.iphone", "list.bullet": "list.dash", mappin: "mappin.and.ellipse",
  message: "bubble bubble.left bubble.right text.bubble bubble.left.and.bubble.right",
  "person.2": "person.3", photo: "photo.on.rectangle",
  "speaker.wave.1": "speaker.wave.2",
};

/** @type {Record<string, string>} */
const DRAWN_AS = Object.fromEntries(
  Object.entries(SIMILAR).flatMap(([drawn, names]) => names.split(" ").map((name) => [name, drawn])),
);

/** The names of drawn symbols, for suggestions. */
export const SYMBOL_NAMES = [...Object.keys(SYMBOL_PATHS), ...Object.keys(DRAWN_AS)].sort();

/** Another shape around the same sign, a fill, or a badge. */
const VARIANT = /\.(fill|circle|square|rectangle|badge(\..+)?)$/;

/**
 * The nearest drawing on 96 × 96: paths of lines and of shapes; null if no drawing is near.
 * @param {string} symbol @returns {{lines: string, shapes: string} | null}
 */
export function symbolPaths(symbol) {
  const isFilled = /\.fill\b/.test(symbol);
  for (let name = symbol, longer = ""; name !== longer; longer = name, name = name.replace(VARIANT, "")) {
    const paths = member(SYMBOL_PATHS, member(DRAWN_AS, name) ?? name);
    if (paths) {
      const [lines, shapes, holes] = paths.split("|");
      return isFilled ? { lines: "", shapes: lines + shapes } : { lines, shapes: shapes + holes };
    }
  }
  return null;
}
