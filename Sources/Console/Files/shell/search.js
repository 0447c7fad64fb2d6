/**
 * The search above every room: places, apps, their versions and items, webhooks and tokens. What was read once is kept: a set of a revision
 * never changes.
 */
import { findSet, listSets } from "../api/apps.js";
import { all } from "../api/lists.js";
import { refusal, session } from "../api/session.js";
import { element } from "../page/element.js";
import { address, currentPlace } from "../page/router.js";
import { setName } from "../rooms/app-frame.js";
import { strings } from "../strings.js";

/** Results that are shown, sets that are read, and how many of them at once. */
const [MOST, MOST_SETS, AT_ONCE] = [20, 600, 4];

/** @typedef {{kind: string, text: string, where?: string, also?: string, folded: string, href: string}} Entry `also` is found, and not shown */

/**
 * Sets by app, version, audience and revision.
 * @type {Map<string, any>}
 */
const read = new Map();
/** @type {object | null} */
let whose = null;

export function searchBox() {
  const results = element("ul", { "aria-label": strings.search.results });
  const count = element("p", { class: "hint", "aria-live": "polite" });
  const panel = element("div", { class: "results", hidden: true }, results, count);
  const input = element("input", {
    type: "search",
    "aria-label": strings.search.label,
    placeholder: strings.search.placeholder,
    autocomplete: "off",
    spellcheck: "false",
  });
  /**
   * What is searched; null while nobody does.
   * @type {{entries: Entry[], isWhole: boolean} | null}
   */
  let index = null;
  /**
   * Where the focus was before the search.
   * @type {HTMLElement | null}
   */
  let before = null;

  const draw = () => {
    const words = folded(input.value).split(/\s+/).filter(Boolean);
    panel.hidden = words.length === 0;
    if (panel.hidden || !index) return;
    const found = index.entries.filter((entry) => words.every((word) => entry.folded.includes(word)));
    // What begins with what was typed comes first.
    found.sort((a, b) => Number(b.folded.startsWith(words[0])) - Number(a.folded.startsWith(words[0])));
    const focused = document.activeElement?.getAttribute("href");
    results.replaceChildren(...found.slice(0, MOST).map(({ kind, text, where, href }) =>
      element(
        "li",
        {},
        element("a", { href, on: { click: close } }, element("span", { class: "kind" }, kind), " ", element("bdi", {}, text), where && [" ", element("bdi", { class: "hint" }, where)]),
      )));
    [...results.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
    const said = strings.search.count(found.length, Math.min(found.length, MOST), index.isWhole);
    if (count.textContent !== said) count.textContent = said;
  };
  const begin = async () => {
    /** @type {{entries: Entry[], isWhole: boolean}} */
    const own = { entries: [], isWhole: false };
    index = own;
    for await (const entries of everything()) {
      if (index !== own) return;
      own.entries.push(...entries.map((entry) => ({ ...entry, folded: folded([entry.text, entry.where, entry.also].join(" ")) })));
      draw();
    }
    own.isWhole = true;
    draw();
  };
  const close = () => {
    panel.hidden = true;
    input.value = "";
    index = null;
  };
  const leave = () => {
    close();
    if (before?.isConnected) before.focus();
    else input.blur();
  };
  input.addEventListener("input", () => {
    // What cannot be read is not found; its room says why.
    if (!index) begin().catch(() => {
      if (index) index.isWhole = true;
      draw();
    });
    draw();
  });
  input.addEventListener("focus", ({ relatedTarget }) => {
    if (!box.contains(/** @type {Node | null} */ (relatedTarget))) before = /** @type {HTMLElement | null} */ (relatedTarget);
    draw();
  });
  const box = element("search", { class: "search", on: { keydown: (event) => walk(event, input, results, leave) } }, input, panel);
  box.addEventListener("focusout", (event) => {
    if (!box.contains(/** @type {Node | null} */ (event.relatedTarget))) panel.hidden = true;
  });
  return { box, focus: () => input.select() };
}

/**
 * How texts are compared: without case, accents and widths; Hangul by its letters, so that half a syllable is found.
 * @param {string} text
 */
const folded = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();

/**
 * What can be found, the nearest first: each step is shown when it is there.
 * @returns {AsyncGenerator<Omit<Entry, "folded">[]>}
 */
async function* everything() {
  if (whose !== session()) read.clear();
  whose = session();
  const { kinds } = strings.search;
  const rooms = /** @type {const} */ (["apps", "webhooks", "tokens", "nodes", "about"]);
  yield rooms.map((room) => ({ kind: kinds.place, text: strings.navigation[room], href: address([room]) }));
  const [room, open] = currentPlace().parts;
  const here = room === "apps" ? open : null;
  if (here) {
    const places = /** @type {const} */ (["gap", "history", "taps", "releases"]);
    yield places.map((name) => ({ kind: kinds.place, text: strings.app[name], where: here, href: address(["apps", here, name]) }));
  }
  const apps = await all("/apps");
  yield apps.map(({ app, name }) => ({ kind: kinds.app, text: name ?? app, where: name ? app : "", href: address(["apps", app]) }));
  if (!refusal("owner")) {
    const [webhooks, tokens] = await Promise.all([all("/webhooks"), all("/tokens")]);
    yield webhooks.map(({ id, url, description }) => ({ kind: kinds.webhook, text: url, where: description ?? "", href: address(["webhooks", id]) }));
    yield tokens.map(({ id, name }) => ({ kind: kinds.token, text: name, href: address(["tokens"], { id }) }));
  }
  let left = MOST_SETS;
  // Within an app, its own versions and items only.
  for (const { app, defaultLanguage } of apps.filter((each) => !here || each.app === here)) {
    // The newest versions first.
    const sets = (await listSets(app)).reverse().slice(0, left);
    left -= sets.length;
    yield sets.map(({ version, audience }) => ({
      kind: kinds.set, text: setName(version, audience), where: app, href: address(["apps", app, "sets", version, audience]),
    }));
    // An item that reads the same in older versions is found in the newest.
    const seen = new Set();
    for (let place = 0; place < sets.length; place += AT_ONCE) {
      const items = (await Promise.all(sets.slice(place, place + AT_ONCE).map((set) => itemsOf(app, set, defaultLanguage)))).flat();
      yield items.filter(({ text, also }) => seen.size < seen.add(`${text} ${also}`).size);
    }
    if (left === 0) return;
  }
}

/** @param {string} app @param {SetSummary} set @param {string} language what an item is called in */
async function itemsOf(app, { version, audience, revision }, language) {
  const key = JSON.stringify([app, version, audience, revision]);
  if (!read.has(key)) read.set(key, (await findSet(app, version, audience))?.set ?? null);
  return (read.get(key)?.items ?? []).map((/** @type {any} */ item) => ({
    kind: strings.search.kinds.item,
    text: item.title[language] ?? item.id,
    where: `${item.id}, ${setName(version, audience)}, ${app}`,
    also: Object.values(item.title).join(" "),
    href: address(["apps", app, "sets", version, audience], { item: item.id }),
  }));
}

/** @param {KeyboardEvent} event @param {HTMLElement} input @param {HTMLElement} results @param {() => void} leave */
function walk(event, input, results, leave) {
  const links = [...results.querySelectorAll("a")];
  const place = links.findIndex((link) => link === document.activeElement);
  if (event.isComposing) return;
  if (event.key === "Escape") leave();
  else if (event.key === "ArrowDown") (links[place + 1] ?? links[0])?.focus();
  else if (event.key === "ArrowUp") (place > 0 ? links[place - 1] : input).focus();
  else if (event.key === "Enter" && place < 0) links[0]?.click();
  else return;
  event.preventDefault();
}
