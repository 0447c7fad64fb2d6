/** Keys that work everywhere. A key typed into a field is text; `g` waits a second for the letter of a place. */
import { openDialog } from "../page/dialog.js";
import { element } from "../page/element.js";
import { go } from "../page/router.js";
import { strings } from "../strings.js";

/** @type {Record<string, string>} */
const PLACES = { a: "apps", w: "webhooks", t: "tokens", n: "nodes", b: "about" };
let goingSince = -Infinity;

/** @param {{focusSearch: () => void}} shell */
export function installKeys({ focusSearch }) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog:modal")) return;
    if (event.key === "?") showKeys();
    else if (event.key === "/") focusSearch();
    else if (event.key === "g") goingSince = event.timeStamp;
    else if (event.timeStamp - goingSince < 1000 && PLACES[event.key]) go([PLACES[event.key]]);
    else return;
    event.preventDefault();
  });
}

/** @param {EventTarget | null} target */
export function isTyping(target) {
  return target instanceof HTMLElement && (
    target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])")
  );
}

function showKeys() {
  const rows = strings.keys.list.map(([keys, meaning]) =>
    element("tr", {}, element("td", {}, ...keys.split(" ").map((key) => element("kbd", {}, key))), element("td", {}, meaning)));
  openDialog(strings.keys.title, { content: [element("table", { class: "keys" }, element("tbody", {}, ...rows))], actions: [] });
}
