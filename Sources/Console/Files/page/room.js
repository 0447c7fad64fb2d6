/** A place of the console: a custom element that is made anew each time it is entered. */
import { nameOfApp } from "../api/apps.js";
import { get, path } from "../api/client.js";
import { follow, isOwn } from "../api/live.js";
import { isAbort } from "../api/problem.js";
import { strings } from "../strings.js";
import { alarm, announce } from "./announcements.js";
import { button } from "./controls.js";
import { element, replaceChildren } from "./element.js";
import { currentPlace } from "./router.js";

/** Changes that come within this time, in milliseconds, are one. */
const TOGETHER = 200;

export class Room extends HTMLElement {
  #left = new AbortController();
  #reading = new AbortController();
  #isBegun = false;
  #isRead = false;
  /**
   * What was heard and not looked at yet.
   * @type {import("../api/live.js").Change[]}
   */
  #news = [];
  #isHearing = false;
  /** @type {Promise<void> | null} */
  #opening = null;
  /**
   * Called when the room has drawn itself anew.
   * @type {(() => void) | null}
   */
  #shown = null;
  /** @type {import("./router.js").RoomPlace} */
  place;
  /** What the room is called where it cannot be read. */
  heading = "Longpress";
  /** Whether it is kept beside the page for a while, with what is being edited in it: the sign-in stands in its place. */
  isKept = false;

  /** Aborted when the room is left or read anew: what it still waits for is given up, its listeners are gone. */
  get signal() {
    return this.#reading.signal;
  }

  connectedCallback() {
    if (this.#isBegun) return;
    this.#isBegun = true;
    if (this.place.app) follow(this.place.app, this.#left.signal, (change) => this.#hear(change));
    this.#opening = this.#read();
  }

  disconnectedCallback() {
    if (!this.isKept) this.discard();
  }

  /** Gives up what it waits for and follows. */
  discard() {
    this.#left.abort();
    this.#reading.abort();
  }

  /** Reads what the room shows and shows it. */
  async open() {}

  /** Whether the room may be left; a room with unsaved edits saves them first. */
  async leave() {}

  /** The service, or the session, is back. */
  async resume() {
    await this.refresh();
  }

  /**
   * Others have changed the app: says so and shows what is there now.
   * @param {import("../api/live.js").Change[]} changes
   */
  async changed(changes) {
    await this.tell(changes);
    await this.refresh();
  }

  /**
   * Says who published what.
   * @param {import("../api/live.js").Change[]} changes
   */
  async tell(changes) {
    const { app } = this.place;
    if (changes.some(({ deleted }) => deleted)) return announce(strings.app.deleted(app));
    const revisions = new Set(changes.map(({ revision }) => revision).filter((revision = 0) => revision > 0 && !isOwn(app, revision)));
    const newest = Math.max(...[...revisions].map(Number));
    // A release or the app's own change has no revision of its own.
    if (revisions.size === 0 || !changes.some(({ audience }) => audience)) return;
    const { body } = await get(path`/apps/${app}/revisions/${newest}`, { signal: this.#left.signal });
    announce(strings.app.published(body, revisions.size - 1));
  }

  /** Reads and draws anew; the focus, what is unfolded and what was scrolled to stay. */
  async refresh() {
    this.place.query = currentPlace().query;
    const restore = viewOf(this);
    await (this.#opening = this.#read(restore));
    restore();
  }

  /**
   * The room's content below its one heading.
   * @param {string} title @param {...Child} content
   */
  show(title, ...content) {
    const { app } = this.place;
    const above = [app && nameOfApp(app), app !== title && app].filter(Boolean).join(" · ");
    document.title = [title, app && app !== title && app, "Longpress"].filter(Boolean).join(" · ");
    const heading = element("h1", { tabindex: -1 }, title);
    const hasFocus = document.activeElement?.id === "main";
    replaceChildren(this, above && element("p", { class: "eyebrow" }, above), heading, ...content);
    if (hasFocus) heading.focus({ preventScroll: true });
    this.#shown?.();
  }

  /** @param {(() => void) | null} [shown] */
  async #read(shown = null) {
    this.#reading.abort();
    const reading = (this.#reading = new AbortController());
    this.#shown = shown;
    this.setAttribute("aria-busy", "true");
    try {
      await this.open();
      this.#isRead = true;
    } catch (error) {
      if (reading === this.#reading) this.#fail(error);
    }
    if (reading !== this.#reading) return;
    this.#shown = null;
    this.removeAttribute("aria-busy");
  }

  /**
   * What could not be read stands in the room's place; what is shown already stays.
   * @param {any} error
   */
  #fail(error) {
    // The sign-in takes the room's place, and it is read anew afterwards.
    if (isAbort(error) || error.status === 401) return;
    if (this.#isRead && error.status !== 404) return alarm(error);
    if (!("status" in error)) console.error(error);
    const again = error.status === 404 ? element("a", { class: "button", href: "#/apps" }, strings.errors.toApps) : button(strings.errors.again, () => this.refresh());
    this.show(this.heading, element("div", { class: "empty" }, element("p", { role: "alert" }, error.message), again));
  }

  /**
   * One change at a time, and those that come together at once.
   * @param {import("../api/live.js").Change} change
   */
  async #hear(change) {
    this.#news.push(change);
    if (this.#isHearing) return;
    this.#isHearing = true;
    while (this.#news.length > 0) {
      await new Promise((done) => setTimeout(done, TOGETHER));
      await this.#opening;
      if (this.#left.signal.aborted) return;
      await this.changed(this.#news.splice(0)).catch(alarm);
    }
    this.#isHearing = false;
  }
}

/**
 * Notes the focus, what is unfolded and what is scrolled to.
 * @param {HTMLElement} room @returns {() => void} brings back what is there again
 */
function viewOf(room) {
  const focused = room.contains(document.activeElement) ? document.activeElement : null;
  const wanted = focused && nameOf(focused);
  const nth = focused && wanted ? alike(room, wanted).indexOf(focused) : 0;
  const unfolded = new Set([...room.querySelectorAll("details[open] > summary")].map(({ textContent }) => textContent));
  const scrolled = [...room.querySelectorAll(".scroller")].map(({ scrollLeft }) => scrollLeft);
  const top = scrollY;
  return () => {
    room.querySelectorAll("summary").forEach((summary) => unfolded.has(summary.textContent) && summary.parentElement?.setAttribute("open", ""));
    room.querySelectorAll(".scroller").forEach((scroller, index) => (scroller.scrollLeft = scrolled[index] ?? 0));
    if (wanted && [document.body, null].some((nothing) => nothing === document.activeElement)) {
      const there = /** @type {HTMLElement | null} */ (alike(room, wanted)[nth] ?? room.querySelector("h1"));
      there?.focus({ preventScroll: true });
    }
    scrollTo(0, top);
  };
}

/** @param {any} node */
const nameOf = (node) => [node.localName, node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent].join(" ");
/** @param {HTMLElement} room @param {string} name */
const alike = (room, name) => [...room.querySelectorAll(name.split(" ", 1)[0])].filter((node) => nameOf(node) === name);
