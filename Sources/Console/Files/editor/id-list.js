/** A list of ids, chosen from those that exist. */
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
   * @param {string} label @param {string} hint @param {() => string[]} candidates @param {(ids: string[]) => void} change
   * @param {string | null} refusal
   */
  constructor(label, hint, candidates, change, refusal) {
    this.#candidates = candidates;
    this.#change = change;
    this.#refusal = refusal;
    this.chips = element("div", { class: "chips", role: "group", "aria-label": label });
    this.messages = element("div", { class: "messages", id: uniqueID("messages") });
    const hinted = element("div", { class: "hint", id: uniqueID("hint") }, hint);
    this.select = element("select", { id: uniqueID("ids"), "aria-describedby": `${this.messages.id} ${hinted.id}` });
    this.select.addEventListener("change", () => {
      if (this.select.value) this.#change([...this.#ids, this.select.value]);
    });
    refuse(this.select, refusal);
    if (refusal) this.select.disabled = true;
    this.element = element(
      "div",
      { class: "field" },
      element("label", { for: this.select.id }, label),
      this.chips,
      this.select,
      hinted,
      this.messages,
    );
  }

  /** @param {string[]} ids */
  refresh(ids) {
    this.#ids = ids;
    const chosen = ids.join(" ");
    if (this.chips.dataset.ids !== chosen) {
      this.chips.dataset.ids = chosen;
      this.chips.hidden = ids.length === 0;
      this.chips.replaceChildren(...ids.map((id) => element("span", {}, element("code", {}, id),
        button(
          "×",
          () => this.#change(this.#ids.filter((other) => other !== id)),
          { kind: "quiet", label: strings.editor.without(id), refusal: this.#refusal },
        ))));
    }
    const left = this.#candidates().filter((id) => !ids.includes(id));
    const offered = left.join(" ");
    if (this.select.dataset.offered === offered && this.select.options.length > 0) return void (this.select.value = "");
    this.select.dataset.offered = offered;
    this.select.replaceChildren(
      element("option", { value: "" }, left.length > 0 ? strings.editor.chooseID : strings.editor.noIDs),
      ...left.map((id) => element("option", { value: id }, id)),
    );
  }
}
