/** What makes an item personal: its source, its limit, and a sample value for each placeholder. */
import { button, field, refuse, sayAt } from "../page/controls.js";
import { element, setAttribute, uniqueID } from "../page/element.js";
import { withMember } from "../values/json.js";
import { placeholdersOf } from "../menus/placeholders.js";
import { strings } from "../strings.js";

export class PersonalEditor {
  #change;
  #refusal;
  /** @type {Personal | undefined} */
  #personal;
  /** @type {Map<string, {row: HTMLElement, input: HTMLInputElement, messages: HTMLElement, remove: HTMLElement}>} */
  #samples = new Map();

  /**
   * @param {(personal: Personal | undefined, step: string | null) => void} change `step`: names edits that are undone
   *   together
   * @param {string | null} refusal
   */
  constructor(change, refusal) {
    this.#change = change;
    this.#refusal = refusal;
    this.isPersonal = element("input", { type: "checkbox", id: uniqueID("personal") });
    this.isPersonal.addEventListener("change", () => this.#change(
      this.isPersonal.checked ? { source: "" } : undefined, null,
    ));
    refuse(this.isPersonal, refusal);
    const words = strings.personal;
    this.source = field(words.source, { hint: words.sourceHint, "data-member": "personal.source" });
    this.source.input.addEventListener("input", () => this.#set("source", this.source.input.value, "source"));
    this.limit = field(words.limit, { tag: "select" });
    this.limit.input.append(...["1", "2", "3", "4"].map((count) => element("option", { value: count }, count)));
    this.limit.input.addEventListener("change", () => {
      const limit = Number(this.limit.input.value);
      this.#set("limit", limit === 1 ? undefined : limit);
    });
    if (refusal) {
      this.source.input.readOnly = true;
      this.limit.input.disabled = true;
      refuse(this.source.input, refusal);
    }
    this.samples = element("div", { class: "item-fields" });
    this.general = element("div", { class: "messages" });
    this.parts = element(
      "div",
      { role: "group", "aria-label": words.title, hidden: true },
      element("p", { class: "hint" }, words.hint),
      this.general,
      element("div", { class: "item-fields" }, this.source.row, this.limit.row),
      this.samples,
    );
    const title = element("label", { for: this.isPersonal.id }, words.title);
    this.element = element(
      "div", { class: "personal" }, element("div", { class: "field check" }, this.isPersonal, title), this.parts);
  }

  /** @param {keyof Personal} name @param {unknown} value @param {string | null} step */
  #set(name, value, step = null) {
    if (this.#personal) this.#change(withMember(this.#personal, name, value), step);
  }

  /** @param {string} name @param {string} text */
  #setSample(name, text) {
    const sample = withMember(this.#personal?.sample ?? {}, name, text === "" ? undefined : text);
    this.#set("sample", Object.keys(sample).length === 0 ? undefined : sample, `sample.${name}`);
  }

  /** @param {ShortcutItem} item */
  refresh(item) {
    this.#personal = item.personal;
    this.isPersonal.checked = item.personal !== undefined;
    this.parts.hidden = item.personal === undefined;
    setValue(this.source.input, item.personal?.source ?? "");
    setValue(this.limit.input, String(item.personal?.limit ?? 1));
    const used = item.personal ? placeholdersOf(item) : [];
    const given = Object.keys(item.personal?.sample ?? {});
    const names = [...used, ...given.filter((name) => !used.includes(name))];
    for (const [name, { row }] of this.#samples) {
      if (names.includes(name)) continue;
      row.remove();
      this.#samples.delete(name);
    }
    const isInOrder = this.samples.dataset.order === names.join(" ");
    this.samples.dataset.order = names.join(" ");
    for (const name of names) {
      const sample = this.#samples.get(name) ?? this.#sampleRow(name);
      this.#samples.set(name, sample);
      if (!isInOrder) this.samples.append(sample.row);
      setValue(sample.input, new Map(Object.entries(item.personal?.sample ?? {})).get(name) ?? "");
      sample.remove.hidden = used.includes(name);
      setAttribute(sample.input, "aria-required", used.includes(name) ? "true" : null);
    }
  }

  /** @param {string} name */
  #sampleRow(name) {
    const { row, input, messages } = field(strings.personal.sample(name), { dir: "auto" });
    input.addEventListener("input", () => this.#setSample(name, input.value));
    if (this.#refusal) input.readOnly = true;
    refuse(input, this.#refusal);
    const remove = button(
      "×", () => this.#setSample(name, ""),
      { kind: "quiet", label: strings.personal.remove(name), refusal: this.#refusal },
    );
    row.insertBefore(element("div", { class: "with-button" }, input, remove), messages);
    return { row, input, messages, remove };
  }

  /**
   * Shows findings at their fields.
   * @param {{steps: (string | number)[], finding: Finding}[]} findings `steps`: the path within `personal`
   */
  say(findings) {
    const at = (/** @type {(steps: (string | number)[]) => boolean} */ is) =>
      findings.filter(({ steps }) => is(steps)).map(({ finding }) => finding);
    this.source.say(at(([name]) => name === "source"));
    this.limit.say(at(([name]) => name === "limit"));
    for (const [name, { input, messages }] of this.#samples) {
      sayAt(input, messages, at(([member, inner]) => member === "sample" && inner === name));
    }
    sayAt(null, this.general, at(([member, inner]) => (
      !["source", "limit"].includes(String(member)) && !(member === "sample" && this.#samples.has(String(inner)))
    )));
  }
}

/** @param {HTMLInputElement} input @param {string} value */
function setValue(input, value) {
  if (input.value !== value) input.value = value;
}
