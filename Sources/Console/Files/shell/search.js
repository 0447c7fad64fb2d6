/** The search above every room: apps, and the sets and items of the app that is open. */
import { findSet, listSets } from "../api/apps.js";
import { all } from "../api/lists.js";
import { guarded } from "../page/announcements.js";
import { element } from "../page/element.js";
import { address, currentPlace } from "../page/router.js";
import { strings } from "../strings.js";

const MOST = 12;

export function searchBox() {
  const results = element("ul", { class: "results", hidden: true, "aria-label": strings.search.results });
  const input = element(
    "input",
    {
      type: "search",
      "aria-label": strings.search.label,
      placeholder: strings.search.placeholder,
      autocomplete: "off",
      spellcheck: "false",
    },
  );
  /** @type {Promise<Entry[]> | null} */
  let found = null;
  const look = guarded(async () => {
    found ??= everything();
    const entries = await found;
    const words = input.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = words.length === 0 ? [] : entries.filter(
      ({ text }) => words.every((word) => text.toLowerCase().includes(word)),
    ).slice(0, MOST);
    results.replaceChildren(
      ...fitting.map(
        ({ kind, text, href }) => element(
          "li",
          {},
          element("a", { href, on: { click: close } }, element("span", { class: "kind" }, kind), text),
        ),
      ),
    );
    if (words.length > 0 && fitting.length === 0) results.append(element("li", { class: "hint" }, strings.search.nothing));
    results.hidden = words.length === 0;
  });
  const close = () => {
    results.hidden = true;
    input.value = "";
    found = null;
  };
  const box = element("search", { class: "search", on: { keydown: (event) => walk(event, input, results, close) } }, input, results);
  input.addEventListener("input", look);
  input.addEventListener("focus", () => (found = null));
  box.addEventListener("focusout", (event) => {
    if (!box.contains(/** @type {Node | null} */ (event.relatedTarget))) results.hidden = true;
  });
  return { box, focus: () => input.focus() };
}

/** @typedef {{kind: string, text: string, href: string}} Entry */

async function everything() {
  const apps = await all("/apps");
  /** @type {Entry[]} */
  const entries = apps.map(
    ({ app, name }) => ({ kind: strings.search.app, text: name ? `${app} (${name})` : app, href: address(["apps", app]) }),
  );
  const [room, app] = currentPlace().parts;
  if (room !== "apps" || !app) return entries;
  for (const { version, audience } of (await listSets(app)).slice(-60)) {
    const href = address(["apps", app, "sets", version, audience]);
    entries.push({ kind: strings.search.set, text: `${version} ${audience}`, href });
    const standing = await findSet(app, version, audience);
    for (const item of standing?.set.items ?? []) {
      entries.push({
        kind: strings.search.item,
        text: `${item.id}: ${Object.values(item.title).join(", ")} (${version} ${audience})`,
        href,
      });
    }
  }
  return entries;
}

/** @param {KeyboardEvent} event @param {HTMLInputElement} input @param {HTMLElement} results @param {() => void} close */
function walk(event, input, results, close) {
  const links = [...results.querySelectorAll("a")];
  const place = links.findIndex((link) => link === document.activeElement);
  if (event.key === "Escape") {
    close();
    input.blur();
  } else if (event.key === "ArrowDown") (links[place + 1] ?? links[0])?.focus();
  else if (event.key === "ArrowUp") (place > 0 ? links[place - 1] : input).focus();
  else if (event.key === "Enter" && place < 0) links[0]?.click();
  else return;
  event.preventDefault();
}
