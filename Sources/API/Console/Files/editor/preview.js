/** The phone beside the editor, and the items that it does not show. */
import { menuOf, servedLanguages } from "../menus/shown.js";
import { field } from "../page/controls.js";
import { element, replaceChildren } from "../page/element.js";
import { languageName } from "../values/language.js";
import { iconName, iconPaths } from "../phone/icon.js";
import { menuRow } from "../phone/menu-rows.js";
import { Phone } from "../phone/phone.js";
import { strings } from "../strings.js";

/** @typedef {"atBottom" | "dark" | "large"} Toggle */

export class Preview {
  #app;
  /** @type {Parameters<Preview["draw"]> | null} */
  #drawn = null;
  /**
   * The rows of the phone, from top to bottom.
   * @type {Row[]}
   */
  #shown = [];
  /** @type {string | null} */
  #edited = null;
  #options = { language: "", atBottom: false, dark: matchMedia("(prefers-color-scheme: dark)").matches, large: false };

  /** @param {App} app @param {HTMLElement} onPhone the button below the phone */
  constructor(app, onPhone) {
    this.#app = app;
    this.phone = new Phone();
    this.languages = field(strings.preview.language, { tag: "select" });
    this.languages.input.addEventListener("change", () => this.#set({ language: this.languages.input.value }));
    this.rest = element("div");
    this.budget = element("p", { class: "hint" });
    /** @type {[Toggle, string][]} */
    const names = [
      ["atBottom", strings.preview.atBottom],
      ["dark", strings.preview.dark],
      ["large", strings.preview.large],
    ];
    const toggles = names.map(([name, text]) => this.#toggle(name, text));
    this.element = element(
      "section",
      { class: "preview", "aria-label": strings.preview.region },
      element(
        "div", { class: "preview-options" }, this.languages.row, element("div", { class: "toggles" }, ...toggles),
      ),
      this.phone,
      element("div", { class: "room-actions" }, onPhone),
      this.budget,
      this.rest,
    );
  }

  /** The language of the phone. */
  get language() {
    return this.languages.input.value || this.#app.defaultLanguage;
  }

  /** @param {Toggle} name @param {string} text */
  #toggle(name, text) {
    const made = element(
      "button", { type: "button", class: "toggle", "aria-pressed": String(this.#options[name]) }, text,
    );
    made.addEventListener("click", () => {
      this.#set({ [name]: !this.#options[name] });
      made.setAttribute("aria-pressed", String(this.#options[name]));
    });
    return made;
  }

  /** @param {{language?: string, atBottom?: boolean, dark?: boolean, large?: boolean}} options */
  #set(options) {
    Object.assign(this.#options, options);
    if (this.#drawn) this.draw(...this.#drawn);
  }

  /**
   * @param {ShortcutSet} set @param {Release | undefined} release its static items come first
   * @returns {Set<string>} enabled items that the phone does not show
   */
  draw(set, release) {
    this.#drawn = [set, release];
    const { defaultLanguage } = this.#app;
    const tags = servedLanguages(set, defaultLanguage);
    const language = tags.includes(this.#options.language) ? this.#options.language : defaultLanguage;
    this.#offer(tags, language);
    const statics = release?.staticItems ?? [];
    const { shown, cut, disabled } = menuOf(set, statics, language, defaultLanguage);
    this.phone.draw({
      app: this.#app,
      rows: shown,
      language,
      atBottom: this.#options.atBottom,
      theme: this.#options.dark ? "dark" : "light",
      large: this.#options.large,
      listName: strings.preview.menu,
    });
    this.budget.textContent = release
      ? strings.preview.statics(statics.length, release.version)
      : strings.preview.noRelease;
    this.#shown = this.#options.atBottom ? [...shown].reverse() : shown;
    this.#mark();
    const named = shown.map(({ icon }) => icon).filter((icon) => icon?.symbol || icon?.file);
    const hint = (/** @type {(names: string[]) => string} */ words, /** @type {typeof named} */ icons) =>
      icons.length > 0 && element("p", { class: "hint" }, words([...new Set(icons.map(iconName))]));
    replaceChildren(
      this.rest,
      hint(strings.preview.nearest, named.filter(iconPaths)),
      hint(strings.preview.placeholder, named.filter((icon) => !iconPaths(icon))),
      cut.length + disabled.length > 0 && element(
        "div",
        { role: "group", "aria-label": strings.preview.notShown, class: "not-shown" },
        element("h2", {}, strings.preview.notShown),
        ...reasoned(cut, strings.preview.cut),
        ...reasoned(disabled, strings.preview.disabled),
      ),
    );
    return new Set(cut.flatMap(({ id }) => (id === null ? [] : [id])));
  }

  /**
   * Shows a language, and marks the row of the item that is edited.
   * @param {{language?: string, item: string | null}} edited
   */
  follow({ language, item }) {
    this.#edited = item;
    if (language === undefined || language === this.language) this.#mark();
    else this.#set({ language });
  }

  #mark() {
    for (const row of this.phone.querySelectorAll(".menu-row")) {
      row.classList.toggle("edited", this.#edited !== null && this.idOf(row) === this.#edited);
    }
  }

  /**
   * The id of the item in a row; null for a static item.
   * @param {Element} row
   */
  idOf(row) {
    return this.#shown[[...this.phone.querySelectorAll(".menu-row")].indexOf(row)]?.id ?? null;
  }

  /** @param {string[]} tags @param {string} language */
  #offer(tags, language) {
    const select = this.languages.input;
    if (select.dataset.tags !== tags.join(" ")) {
      select.dataset.tags = tags.join(" ");
      select.replaceChildren(...tags.map((tag) => element("option", { value: tag, title: languageName(tag) }, tag)));
    }
    select.value = language;
  }
}

/**
 * Hidden rows, with their common reason.
 * @param {Row[]} rows @param {string} reason
 */
function reasoned(rows, reason) {
  return rows.length === 0
    ? []
    : [element("p", { class: "reason" }, reason), ...rows.map((row) => menuRow(row, "div"))];
}
