/** A page of the console: a custom element that is created at each visit. */
import { nameOfApp } from "../api/apps.js";
import { get, path } from "../api/client.js";
import { follow, isOwn } from "../api/live.js";
import { isAbort, sentenceOf } from "../api/problem.js";
import { strings } from "../strings.js";
import { alarm, announce } from "./announcements.js";
import { button } from "./controls.js";
import { element, replaceChildren } from "./element.js";
import { currentPlace } from "./router.js";

/** Milliseconds within which changes are handled together, and until a room that could not be read is read again. */
const [TOGETHER, AGAIN] = [200, 5000];

export class Room extends HTMLElement {
  #left = new AbortController();
  #reading = new AbortController();
  #isBegun = false;
  #isRead = false;
  /**
   * Changes that are not handled yet.
   * @type {import("../api/live.js").Change[]}
   */
  #news = [];
  #isHearing = false;
  /** @type {Promise<void> | null} */
  #opening = null;
  /**
   * Called after the room was drawn again.
   * @type {(() => void) | null}
   */
  #shown = null;
  /** @type {import("./router.js").RoomPlace} */
  place;
  /** @type {OpenSessions} */
  openSessions;
  /** The heading if the room cannot be read. */
  heading = "Longpress";
  /** Whether the room and its edits are kept while the sign-in form is shown. */
  isKept = false;

  /** Aborted when the room is left or read again. This cancels its requests and removes its listeners. */
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

  /** Cancels its requests and stops following the app. */
  discard() {
    this.#left.abort();
    this.#reading.abort();
  }

  /** Reads and shows the content. */
  async open() {}

  /** Runs before the room is left: saves unsaved edits. */
  async leave() {}

  /** Runs when the service or the session is back. */
  async resume() {
    await this.refresh();
  }

  /**
   * Announces changes by others and reads the content again.
   * @param {import("../api/live.js").Change[]} changes
   */
  async changed(changes) {
    await this.tell(changes);
    await this.refresh();
  }

  /**
   * Announces who published.
   * @param {import("../api/live.js").Change[]} changes
   */
  async tell(changes) {
    const { app } = this.place;
    if (changes.some(({ deleted }) => deleted)) return announce(strings.app.deleted(app));
    const revisions = new Set(
      changes.map(({ revision }) => revision).filter((revision = 0) => revision > 0 && !isOwn(app, revision))
    );
    const newest = Math.max(...[...revisions].map(Number));
    // Changes of releases and of the app itself make no revision.
    if (revisions.size === 0 || !changes.some(({ audience }) => audience)) return;
    const { body } = await get(path`/apps/${app}/revisions/${newest}`, { signal: this.#left.signal });
    announce(strings.app.published(body, revisions.size - 1));
  }

  /** Reads and draws again. The focus, unfolded parts and scroll positions stay. */
  async refresh() {
    this.place.query = currentPlace().query;
    const restore = viewOf(this);
    await (this.#opening = this.#read(restore));
    restore();
  }

  /**
   * Shows the content below the page's only heading.
   * @param {string} title @param {...Child} content
   */
  show(title, ...content) {
    const { app } = this.place;
    document.title = [title, app && app !== title && app, "Longpress"].filter(Boolean).join(" · ");
    const heading = element("h1", { tabindex: -1 }, element("bdi", {}, title));
    const hasFocus = document.activeElement?.id === "main";
    replaceChildren(this, app && this.eyebrow(title), heading, ...content);
    if (hasFocus) heading.focus({ preventScroll: true });
    this.#shown?.();
  }

  /**
   * The app's name and id, above the heading.
   * @param {string} title of the heading, which is not repeated
   */
  eyebrow(title) {
    const { app } = this.place;
    const names = [nameOfApp(app), app].filter((name) => name && name !== title);
    return element(
      "p", { class: "eyebrow" }, ...names.map((name, place) => [place > 0 && " · ", element("bdi", {}, name)]),
    );
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
   * Shows the error in place of the room, unless the room is shown already. If the error may pass, the room is read
   * again until it can be shown.
   * @param {any} error
   */
  #fail(error) {
    // After the sign-in, the room is read again.
    if (isAbort(error) || error.status === 401) return;
    if (this.#isRead && error.status !== 404) return alarm(error);
    if (!("status" in error)) console.error(error);
    const again = error.status === 404
      ? element("a", { class: "button", href: "#/apps" }, strings.errors.toApps)
      : button(strings.errors.again, () => this.refresh());
    const text = sentenceOf(error);
    // Screen readers read an error once.
    if (this.querySelector(".empty > [role=alert]")?.textContent !== text) {
      this.show(this.heading, element("div", { class: "empty" }, element("p", { role: "alert" }, text), again));
    }
    if (!error.isPassing) return;
    const timer = setTimeout(() => this.refresh(), AGAIN);
    this.signal.addEventListener("abort", () => clearTimeout(timer));
  }

  /**
   * Handles changes one after the other, and simultaneous changes together.
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
 * Notes the focus, unfolded parts and scroll positions.
 * @param {HTMLElement} room @returns {() => void} restores them as far as they exist
 */
function viewOf(room) {
  const focused = room.contains(document.activeElement) ? document.activeElement : null;
  const wanted = focused && nameOf(focused);
  const nth = focused && wanted ? alike(room, wanted).indexOf(focused) : 0;
  const unfolded = new Set([...room.querySelectorAll("details[open] > summary")].map(({ textContent }) => textContent));
  const scrolled = [...room.querySelectorAll(".scroller")].map(({ scrollLeft }) => scrollLeft);
  const top = scrollY;
  return () => {
    room.querySelectorAll("summary").forEach(
      (summary) => unfolded.has(summary.textContent) && summary.parentElement?.setAttribute("open", "")
    );
    room.querySelectorAll(".scroller").forEach((scroller, index) => (scroller.scrollLeft = scrolled[index] ?? 0));
    if (wanted && [document.body, null].some((nothing) => nothing === document.activeElement)) {
      const there = /** @type {HTMLElement | null} */ (alike(room, wanted)[nth] ?? room.querySelector("h1"));
      there?.focus({ preventScroll: true });
    }
    scrollTo(0, top);
  };
}

/** @param {any} node */
const nameOf = (node) =>
  [node.localName, node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent].join(" ");
/** @param {HTMLElement} room @param {string} name */
const alike = (room, name) => [...room.querySelectorAll(name.split(" ", 1)[0])].filter((node) => nameOf(node) === name);
