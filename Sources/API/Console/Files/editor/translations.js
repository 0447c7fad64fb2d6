/** A table of the titles in each language: what is missing, and what a phone cuts. */
import { setText, titledIn } from "../menus/document.js";
import { refuse, sayAt } from "../page/controls.js";
import { element, replaceChildren, uniqueID } from "../page/element.js";
import { isCut } from "../phone/menu-rows.js";
import { member } from "../values/json.js";
import { languageName } from "../values/language.js";
import { pathSteps } from "../values/paths.js";
import { strings } from "../strings.js";

export class Translations {
  #context;
  /**
   * By item and language.
   * @type {Map<string, {input: HTMLInputElement, messages: HTMLElement}>}
   */
  #cells = new Map();
  #drawn = "";

  /** @param {EditorContext} context */
  constructor(context) {
    this.#context = context;
    this.table = element("table", { "aria-label": strings.translations.title });
    this.table.addEventListener("keydown", (event) => this.#key(event));
    this.element = element("div", { class: "scroller translations", hidden: true }, this.table);
  }

  /** @param {{set: ShortcutSet, languages: string[], defaultLanguage: string, findings: Required<Finding>[]}} state */
  refresh({ set, languages, defaultLanguage, findings }) {
    if (this.element.hidden) return;
    const wanted = [...languages, ...set.items.map(({ id }) => id)].join(" ");
    if (wanted !== this.#drawn) {
      const focused = this.#inputs.findIndex((input) => input === document.activeElement);
      this.#draw(set, languages);
      this.#inputs[focused]?.focus();
    }
    this.#drawn = wanted;
    const count = set.items.length;
    this.table.querySelectorAll("thead th").forEach((head, column) => {
      const tag = languages[column];
      head.textContent = strings.translations.of(languageName(tag), titledIn(set, tag), count);
    });
    set.items.forEach((item, place) => languages.forEach((tag) => {
      const { input, messages } = /** @type {{input: HTMLInputElement, messages: HTMLElement}} */ (
        this.#cells.get(`${item.id} ${tag}`)
      );
      const text = member(item.title, tag) ?? "";
      const missing = strings.editor.missingTitle(item.title[defaultLanguage], tag === defaultLanguage);
      if (input.value !== text) input.value = text;
      input.placeholder = text ? "" : missing;
      input.classList.toggle("missing", !text);
      input.setAttribute("aria-label", strings.translations.cell(this.#context.nameOf(item.id), languageName(tag)));
      /** @type {Finding[]} */
      const found = findings.filter(({ path }) => {
        const [list, index, name, inner = defaultLanguage] = pathSteps(path);
        return list === "items" && index === place && name === "title" && inner === tag;
      });
      if (text && isCut(text, tag, item.icon ?? null)) {
        found.push({ message: strings.translations.cut, severity: "warning" });
      }
      sayAt(input, messages, found);
    }));
  }

  /** @param {ShortcutSet} set @param {string[]} languages */
  #draw(set, languages) {
    this.#cells.clear();
    const rows = set.items.map(
      ({ id }) => element("tr", {}, ...languages.map((tag) => element("td", {}, this.#cell(id, tag))))
    );
    replaceChildren(
      this.table,
      element("thead", {}, element("tr", {}, ...languages.map(() => element("th", { scope: "col" })))),
      element("tbody", {}, ...rows),
    );
  }

  /** @param {string} id @param {string} tag */
  #cell(id, tag) {
    const { refusal } = this.#context;
    const messages = element("div", { class: "messages", id: uniqueID("messages") });
    const input = element("input", {
      dir: "auto", lang: tag, autocomplete: "off", "aria-describedby": messages.id, readOnly: refusal !== null,
    });
    refuse(input, refusal);
    input.addEventListener("input", () =>
      this.#context.edit((set) => setText(set, id, "title", tag, input.value), `${id} title.${tag}`));
    input.addEventListener("focus", () => this.#context.focused(id, tag));
    // The next field has the focus then, and keeps it when the table is drawn with the new id.
    input.addEventListener("blur", () => setTimeout(() => this.#context.identify(id, `${id} title.${tag}`)));
    this.#cells.set(`${id} ${tag}`, { input, messages });
    return [input, messages];
  }

  /** Row by row. */
  get #inputs() {
    return [...this.table.querySelectorAll("input")];
  }

  /**
   * Puts the cursor into the first title in a language.
   * @param {string} tag
   */
  begin(tag) {
    const [item] = this.#context.set().items;
    this.#cells.get(`${item?.id} ${tag}`)?.input.focus();
  }

  /**
   * Moves the cursor to the title above or below.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const by = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key];
    if (!by || event.altKey || event.isComposing) return;
    const inputs = this.#inputs;
    const columns = this.table.querySelectorAll("thead th").length;
    const next = inputs[inputs.indexOf(/** @type {HTMLInputElement} */ (event.target)) + by * columns];
    event.preventDefault();
    next?.focus();
  }
}
