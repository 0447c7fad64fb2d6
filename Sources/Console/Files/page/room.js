/** A place of the console: a custom element that is made anew each time it is entered. */
import { nameOfApp } from "../api/apps.js";
import { alarm } from "./announcements.js";
import { element, replaceChildren } from "./element.js";

export class Room extends HTMLElement {
  #left = new AbortController();
  /** @type {import("./router.js").RoomPlace} */
  place;
  /** What the room is called where it cannot be read. */
  heading = "Longpress";

  /** Aborted when the room is left: what it still waits for is given up. */
  get signal() {
    return this.#left.signal;
  }

  connectedCallback() {
    this.setAttribute("aria-busy", "true");
    this.open()
      .catch((error) => {
        if (this.childElementCount === 0) this.show(this.heading);
        alarm(error);
      })
      .finally(() => this.removeAttribute("aria-busy"));
  }

  disconnectedCallback() {
    this.#left.abort();
  }

  /** Reads what the room shows and shows it. */
  async open() {}

  /** Whether the room may be left; a room with unsaved edits saves them first. */
  async leave() {}

  /**
   * The room's content below its one heading.
   * @param {string} title @param {...Child} content
   */
  show(title, ...content) {
    document.title = `${title} · Longpress`;
    const { app } = this.place;
    const above = [app && nameOfApp(app), app !== title && app].filter(Boolean).join(" · ");
    replaceChildren(
      this,
      above && element("p", { class: "eyebrow" }, above),
      element("h1", { tabindex: -1 }, title),
      ...content,
    );
  }
}
