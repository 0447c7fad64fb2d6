/**
 * An item's icon: a button with its picture, and a dialog to choose a system icon, a symbol, or an image of the app.
 */
import { button, field, refuse } from "../page/controls.js";
import { openDialog } from "../page/dialog.js";
import { element, replaceChildren, uniqueID } from "../page/element.js";
import { iconName, iconPicture } from "../phone/icon.js";
import { SYMBOL_NAMES, TYPE_SYMBOLS, symbolPaths } from "../phone/symbols.js";
import { strings } from "../strings.js";

const MOST_SIMILAR = 12;

export class IconChoice {
  /** @type {Icon | undefined} */
  #icon;
  #change;

  /**
   * @param {() => string} name of the item @param {(icon: Icon | undefined) => void} change
   * @param {string | null} refusal
   */
  constructor(name, change, refusal) {
    this.#change = change;
    this.button = button("", () => this.#choose(name()), { class: "icon-button" });
    this.messages = element("div", { class: "messages", id: uniqueID("messages") });
    this.button.setAttribute("aria-describedby", this.messages.id);
    const label = element("span", { class: "label", id: uniqueID("label") }, strings.icon.label);
    this.row = element("div", { class: "field" }, label, this.button, this.messages);
    refuse(this.button, refusal);
    this.refresh(undefined);
  }

  /** @param {Icon | undefined} icon */
  refresh(icon) {
    this.#icon = icon;
    const name = iconName(icon) || strings.icon.none;
    if (this.button.dataset.name === JSON.stringify(icon ?? null)) return;
    this.button.dataset.name = JSON.stringify(icon ?? null);
    this.button.setAttribute("aria-label", strings.icon.choose(name));
    this.button.replaceChildren(iconPicture(icon) ?? "", element("span", {}, name));
  }

  /** @param {string} name */
  #choose(name) {
    const icon = this.#icon ?? {};
    const group = uniqueID("icon");
    const choice = (/** @type {string} */ type, /** @type {string} */ text) => {
      const radio = element(
        "input", { type: "radio", name: group, value: type, checked: (icon.type ?? "") === type, "aria-label": text },
      );
      return element(
        "label",
        { class: "icon-option", title: text },
        radio,
        iconPicture({ type }) ?? element("span", { class: "icon" }),
        element("span", {}, text),
      );
    };
    const symbol = field(strings.icon.symbol, { value: icon.symbol ?? "", hint: strings.icon.symbolHint });
    const drawn = element("p", { class: "hint drawn-symbol" });
    const similar = element("div", { role: "group", "aria-label": strings.icon.similar, class: "icon-options" });
    const draw = () => {
      const name = symbol.input.value.trim();
      const words = symbolPaths(name) ? strings.icon.nearest : strings.icon.placeholder;
      replaceChildren(drawn, iconPicture({ symbol: name }), name && words);
      const offered = name === "" ? Object.values(TYPE_SYMBOLS) : SYMBOL_NAMES;
      const others = offered.filter((other) => other !== name && other.includes(name)).slice(0, MOST_SIMILAR);
      similar.replaceChildren(...others.map((other) => button(other, () => {
        symbol.input.value = other;
        symbol.input.focus();
        draw();
      }, { class: "icon-option", icon: iconPicture({ symbol: other }) ?? undefined })));
    };
    symbol.input.addEventListener("input", draw);
    draw();
    symbol.row.append(drawn, similar);
    const file = field(strings.icon.file, { value: icon.file ?? "", hint: strings.icon.fileHint });
    const types = element(
      "div",
      { role: "radiogroup", "aria-label": strings.icon.system, class: "icon-options" },
      choice("", strings.icon.none),
      ...Object.keys(TYPE_SYMBOLS).map((type) => choice(type, strings.icon.type(type))),
    );
    /** @returns {HTMLInputElement | null} */
    const checked = () => dialog.querySelector("input:checked");
    const { dialog, close } = openDialog(strings.icon.title(name), {
      wide: true,
      content: [types, symbol.row, file.row],
      actions: [button(strings.icon.use, null, { kind: "primary", type: "submit" })],
      submit: () => {
        const type = checked()?.value;
        const chosen = Object.entries({
          symbol: symbol.input.value.trim(),
          file: file.input.value.trim(),
          type,
        }).filter(([, value]) => value);
        this.#change(chosen.length > 0 ? Object.fromEntries(chosen) : undefined);
        close();
      },
    });
    (checked() ?? dialog.querySelector("input"))?.focus();
  }
}
