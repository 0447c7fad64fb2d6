/**
 * The search box. The service finds apps, versions and items; pages, webhooks and tokens are searched here.
 */
import { nameOfApp, search } from "../api/apps.js";
import { all } from "../api/lists.js";
import { isAbort, sentenceOf } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { element } from "../page/element.js";
import { address, currentPlace } from "../page/router.js";
import { setName } from "../rooms/app-frame.js";
import { strings } from "../strings.js";

/** The number of shown results, of pages read from the service, and milliseconds from the last key to the request. */
const [MOST, MOST_PAGES, PAUSE] = [20, 5, 150];

/** @typedef {{kind: string, text: string, where?: string, folded: string, href: string, id?: string,
 *   isTitle?: boolean}} Entry `id` of an item */

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
   * Entries that are searched here; null without a search.
   * @type {Entry[] | null}
   */
  let places = null;
  /** @type {Entry[]} */
  let found = [];
  /** Whether the service has more results, whether a request is running, and its error. */
  let [isMore, isAsking, failure] = [false, false, ""];
  let asking = new AbortController();
  /**
   * The element that had the focus before the search.
   * @type {HTMLElement | null}
   */
  let before = null;

  const draw = () => {
    const words = wordsOf(input.value);
    panel.hidden = words.length === 0;
    if (panel.hidden || !places) return;
    const titled = new Set(found.map(({ id, isTitle }) => isTitle && id));
    const entries = [
      ...places.filter((entry) => words.every((word) => entry.folded.includes(word))),
      // Another member of an item is shown only if no title matches.
      ...found.filter(({ id, isTitle }) => isTitle || !id || !titled.has(id)),
    ];
    // Entries that begin with the first word come first.
    entries.sort((a, b) => Number(b.folded.startsWith(words[0])) - Number(a.folded.startsWith(words[0])));
    const focused = document.activeElement?.getAttribute("href");
    results.replaceChildren(...entries.slice(0, MOST).map(({ kind, text, where, href }) =>
      element(
        "li",
        {},
        element(
          "a", { href, on: { click: close } }, element("span", { class: "kind" }, kind), " ", element("bdi", {}, text),
          where && [" ", element("bdi", { class: "hint" }, where)],
        ),
      )));
    [...results.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
    const said = failure
      || strings.search.count(entries.length, Math.min(entries.length, MOST), { isWhole: !isAsking, isMore });
    if (count.textContent !== said) count.textContent = said;
  };
  const add = (/** @type {Omit<Entry, "folded">[]} */ entries) =>
    entries.map((entry) => ({ ...entry, folded: folded([entry.text, entry.where].join(" ")) }));
  const readPlaces = async () => {
    /** @type {Entry[]} */
    const own = [];
    places = own;
    for await (const entries of everyPlace()) {
      own.push(...add(entries));
      draw();
    }
  };
  const ask = async () => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    [found, isMore, isAsking, failure] = [[], false, true, ""];
    draw();
    await new Promise((done) => setTimeout(done, PAUSE));
    const query = wordsOf(input.value).join(" ");
    if (signal.aborted || query === "") return;
    try {
      const seen = new Set();
      /** @type {string | null} */
      let cursor = null;
      for (let pages = 0; pages < MOST_PAGES && (pages === 0 || cursor); pages++) {
        /** @type {{items: SearchHit[], next: string | null}} */
        const answer = await search(input.value.trim().slice(0, 200), hereOnly(), cursor, signal);
        // An item with the same text in several versions is listed once, in the newest.
        const isNew = (/** @type {any} */ hit) => seen.size < seen.add(
          JSON.stringify([hit.app, hit.item, hit.item ? hit.text : setName(hit.version, hit.audience)])
        ).size;
        found.push(...add(answer.items.filter(isNew).map(entryOf)));
        cursor = answer.next;
        draw();
      }
      isMore = cursor !== null;
    } catch (error) {
      if (isAbort(error)) return;
      failure = sentenceOf(error);
    }
    isAsking = false;
    draw();
  };
  const close = () => {
    panel.hidden = true;
    input.value = "";
    asking.abort();
    places = null;
  };
  const leave = () => {
    close();
    if (before?.isConnected) before.focus();
    else input.blur();
  };
  input.addEventListener("input", () => {
    // Lists that cannot be read have no results. Their own pages show the error.
    if (!places) readPlaces().catch(() => draw());
    ask();
  });
  input.addEventListener("focus", ({ relatedTarget }) => {
    if (!box.contains(/** @type {Node | null} */ (relatedTarget))) {
      before = /** @type {HTMLElement | null} */ (relatedTarget);
    }
    draw();
  });
  const box = element(
    "search", { class: "search", on: { keydown: (event) => walk(event, input, results, leave) } }, input, panel,
  );
  box.addEventListener("focusout", (event) => {
    if (!box.contains(/** @type {Node | null} */ (event.relatedTarget))) panel.hidden = true;
  });
  return { box, focus: () => input.select() };
}

/**
 * Folds a text for comparison: no case, accents or widths; Hangul as letters, so that part of a syllable matches.
 * @param {string} text
 */
const folded = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();

/** @param {string} text */
const wordsOf = (text) => folded(text).split(/\s+/).filter(Boolean);

/** The app whose versions and items are searched; null for all. */
function hereOnly() {
  const [room, app] = currentPlace().parts;
  return room === "apps" ? app ?? null : null;
}

/**
 * Entries that are searched here, shown as they arrive.
 * @returns {AsyncGenerator<Omit<Entry, "folded">[]>}
 */
async function* everyPlace() {
  const { kinds } = strings.search;
  const rooms = /** @type {const} */ (["apps", "webhooks", "tokens", "nodes", "about"]);
  yield rooms.map((room) => ({ kind: kinds.place, text: strings.navigation[room], href: address([room]) }));
  const here = hereOnly();
  if (here) {
    const where = nameOfApp(here) ?? here;
    const places = /** @type {const} */ (["gap", "history", "taps", "releases"]);
    yield places.map(
      (name) => ({ kind: kinds.place, text: strings.app[name], where, href: address(["apps", here, name]) })
    );
  }
  if (refusal("owner")) return;
  const [webhooks, tokens] = await Promise.all([all("/webhooks"), all("/tokens")]);
  yield webhooks.map(
    ({ id, url, description }) => ({
      kind: kinds.webhook, text: description || url, where: description ? url : "", href: address(["webhooks", id]),
    })
  );
  yield tokens.map(({ id, name }) => ({ kind: kinds.token, text: name, href: address(["tokens"], { id }) }));
}

/** @param {SearchHit} hit @returns {Omit<Entry, "folded">} */
function entryOf({ in: source, app, name, version, audience, item, member, text }) {
  const { kinds } = strings.search;
  if (source === "app") {
    return { kind: kinds.app, text: name ?? app, where: name ? app : "", href: address(["apps", app]) };
  }
  const set = setName(version, audience) + (source === "draft" ? `, ${strings.search.draft}` : "");
  const href = address(["apps", app, "sets", version, audience], { item });
  const where = name ?? app;
  return item ? {
    kind: kinds.item, text, where: `${set}, ${where}`, href, id: `${app} ${item}`, isTitle: member.startsWith("title."),
  } : { kind: kinds.set, text: set, where, href };
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
