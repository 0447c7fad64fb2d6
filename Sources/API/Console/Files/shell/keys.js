/** Keys that work everywhere except in fields. After `g`, the letter of a page must follow within a second. */
import { openDialog } from "../page/dialog.js";
import { element } from "../page/element.js";
import { isTyping, letterOf } from "../page/keys.js";
import { go } from "../page/router.js";
import { strings } from "../strings.js";

/** @type {Record<string, string>} */
const PLACES = { a: "apps", w: "webhooks", t: "tokens", n: "nodes", b: "about" };
/** @type {Record<string, string>} */
const ON_A_MAC = { Ctrl: "⌘", Alt: "⌥", Shift: "⇧" };
/** The stored choice to disable keys without Ctrl or Alt, for people who use voice control (WCAG 2.1.4). */
const OFF = "longpress-keys-off";
let goingSince = -Infinity;

/** @param {{focusSearch: () => void}} shell */
export function installKeys({ focusSearch }) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector("dialog:modal") || localStorage.getItem(OFF)) return;
    const isGoing = event.timeStamp - goingSince < 1000;
    const letter = letterOf(event);
    if (event.key === "?") showKeys();
    else if (event.key === "/") focusSearch();
    else if (isGoing && PLACES[letter]) go([PLACES[letter]]);
    else if (letter !== "g") return;
    goingSince = letter === "g" ? event.timeStamp : -Infinity;
    event.preventDefault();
  });
}

export function showKeys() {
  const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);
  const named = (/** @type {string} */ key) => element("kbd", {}, (isMac && ON_A_MAC[key]) || key);
  const keysOf = (/** @type {string} */ text) => {
    const keys = text.split(" ");
    // Keys pressed together, one after the other, or alternatives.
    const between = keys[0].length > 1 ? " + " : keys[0] === "g" ? ` ${strings.keys.then} ` : " ";
    return keys.flatMap((key, place) => (place === 0 ? [named(key)] : [between, named(key)]));
  };
  const heads = [strings.keys.key, strings.keys.meaning].map((name) => element("th", { scope: "col" }, name));
  const tables = strings.keys.groups.map(({ title, list }) => element(
    "div",
    {},
    element("h3", {}, title),
    element(
      "table",
      { class: "keys", "aria-label": title },
      element("thead", { class: "aloud" }, element("tr", {}, ...heads.map((head) => head.cloneNode(true)))),
      element(
        "tbody", {},
        ...list.map(
          ([keys, meaning]) => element("tr", {}, element("td", {}, ...keysOf(keys)), element("td", {}, meaning))
        ),
      ),
    ),
  ));
  const single = element("input", { type: "checkbox", checked: !localStorage.getItem(OFF) });
  single.addEventListener(
    "change", () => (single.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")),
  );
  const choice = element(
    "div", {}, element("label", { class: "field check" }, single, strings.keys.single),
    element("p", { class: "hint" }, strings.keys.singleHint),
  );
  openDialog(
    strings.keys.title,
    {
      content: [element("div", { class: "key-groups" }, ...tables), choice], actions: [], wide: true,
      dismiss: strings.common.close,
    },
  );
}
