/** A list of ids, chosen from existing ids. */
import { announce } from "../page/announcements.js";
import { button, refuse } from "../page/controls.js";
import { element, uniqueID } from "../page/element.js";
import { strings } from "../strings.js";

export class IDList {
  /** @type {string[]} */
  #ids = [];
  #change;
  #candidates;
  #refusal;

  /**
   * @param {string} label @param {string} hint @param {() => string[]} candidates
   * @param {(ids: string[]) => void} change
   * @param {string | null} refusal
   */
  constructor(label, hint, candidates, change, refusal) {
    this.#candidates = candidates;
    this.#change = change;
    this.#refusal = refusal;
    this.chips = element("div", { class: "chips", role: "group", "aria-label": label });
    this.messages = element("div", { class: "messages", id: uniqueID("messages") });
    const hinted = element("div", { class: "hint", id: uniqueID("hint") }, hint);
    this.select = element("select", { id: uniqueID("ids"), "aria-describedby": hinted.id, "data-hint": hinted.id });
    const add = button(strings.common.add, () => this.#add(), { label: strings.editor.addTo(label), refusal });
    // Arrow keys change a closed select at each press, so only the button adds the id.
    let isKeyed = false;
    this.select.addEventListener("keydown", () => (isKeyed = true));
    this.select.addEventListener("pointerdown", () => (isKeyed = false));
    this.select.addEventListener("change", () => isKeyed || this.#add());
    refuse(this.select, refusal);
    if (refusal) this.select.disabled = true;
    this.element = element(
      "div",
      { class: "field" },
      element("label", { for: this.select.id }, label),
      this.chips,
      element("div", { class: "with-button" }, this.select, add),
      hinted,
      this.messages,
    );
  }

  #add() {
    if (!this.select.value) return;
    announce(strings.editor.addedTo(this.select.value));
    this.#change([...this.#ids, this.select.value]);
    this.select.focus();
  }

  /** @param {string} id */
  #takeOut(id) {
    this.#change(this.#ids.filter((other) => other !== id));
    this.select.focus();
  }

  /** @param {string[]} ids */
  refresh(ids) {
    this.#ids = ids;
    const shown = ids.join(" ");
    if (this.chips.dataset.ids !== shown) {
      this.chips.dataset.ids = shown;
      this.chips.hidden = ids.length === 0;
      this.chips.replaceChildren(...ids.map((id) => element("span", {}, element("code", {}, id),
        button(
          "×",
          () => this.#takeOut(id),
          { kind: "quiet", label: strings.editor.without(id), refusal: this.#refusal },
        ))));
    }
    const left = this.#candidates().filter((id) => !ids.includes(id));
    const offered = left.join(" ");
    if (this.select.dataset.offered === offered && this.select.options.length > 0) return;
    this.select.dataset.offered = offered;
    const chosen = this.select.value;
    this.select.replaceChildren(
      element("option", { value: "" }, left.length > 0 ? strings.editor.chooseID : strings.editor.noIDs),
      ...left.map((id) => element("option", { value: id }, id)),
    );
    // A selected id that is not added yet stays selected.
    this.select.value = left.includes(chosen) ? chosen : "";
  }
}
