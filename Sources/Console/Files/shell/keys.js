/** Keys that work everywhere. A key typed into a field is text; `g` waits a second for the letter of a place. */
import { openDialog } from "../page/dialog.js";
import { element } from "../page/element.js";
import { isTyping, letterOf } from "../page/keys.js";
import { go } from "../page/router.js";
import { strings } from "../strings.js";

/** @type {Record<string, string>} */
const PLACES = { a: "apps", w: "webhooks", t: "tokens", n: "nodes", b: "about" };
/** @type {Record<string, string>} */
const ON_A_MAC = { Ctrl: "⌘", Alt: "⌥", Shift: "⇧" };
let goingSince = -Infinity;

/** @param {{focusSearch: () => void}} shell */
export function installKeys({ focusSearch }) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector("dialog:modal")) return;
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
  const named = (/** @type {string} */ key) => (isMac && ON_A_MAC[key]) || key;
  const tables = strings.keys.groups.map(({ title, list }) => [
    element("h3", {}, title),
    element("table", { class: "keys", "aria-label": title }, element("tbody", {}, ...list.map(([keys, meaning]) =>
      element("tr", {}, element("td", {}, ...keys.split(" ").map((key) => element("kbd", {}, named(key)))), element("td", {}, meaning))))),
  ]);
  openDialog(strings.keys.title, { content: tables, actions: [], dismiss: strings.common.close });
}
