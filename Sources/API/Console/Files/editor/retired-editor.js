/** Removed items, each with the URL that a tap opens, and the set's fallback URL. */
import { button, field, refuse, sayAt } from "../page/controls.js";
import { element, replaceChildren } from "../page/element.js";
import { setRetired } from "../menus/document.js";
import { withMember } from "../values/json.js";
import { pathSteps } from "../values/paths.js";
import { strings } from "../strings.js";
import { IDList } from "./id-list.js";

export class RetiredEditor {
  #context;
  /** @type {Map<string, Field>} */
  #rows = new Map();

  /** @param {EditorContext} context */
  constructor(context) {
    this.#context = context;
    this.fallback = field(strings.editor.setFallback, { hint: strings.editor.setFallbackHint, inputmode: "url" });
    this.fallback.input.addEventListener("input", () =>
      context.edit((set) => withMember(set, "fallbackURL", this.fallback.input.value || undefined), "set fallbackURL"));
    if (context.refusal) {
      this.fallback.input.readOnly = true;
      refuse(this.fallback.input, context.refusal);
    }
    this.urls = element("div", { class: "retired-urls" });
    this.dropped = element("div", { class: "dropped" });
    this.ids = new IDList(
      strings.editor.retired,
      strings.editor.retiredHint,
      context.candidates,
      (ids) => this.#setIDs(ids),
      context.refusal,
    );
    this.element = element(
      "section",
      { class: "set-fields" },
      element("h2", {}, strings.editor.gone),
      element("p", { class: "hint" }, strings.editor.goneHint),
      this.dropped,
      this.ids.element,
      this.urls,
      this.fallback.row,
    );
  }

  /** @param {string[]} ids */
  #setIDs(ids) {
    this.#context.edit((set) => {
      const known = new Map((set.retired ?? []).map((entry) => [entry.id, entry]));
      return setRetired(set, ids.map((id) => known.get(id) ?? { id }));
    }, null);
  }

  /** @param {string} id @param {string} url */
  #setURL(id, url) {
    const edited = (/** @type {RetiredItem} */ entry) =>
      (entry.id === id ? withMember(entry, "url", url || undefined) : entry);
    this.#context.edit((set) => setRetired(set, (set.retired ?? []).map(edited)), `set retired.${id}`);
  }

  /**
   * Lists removed items without a rule. Taps on them are lost.
   * @param {{id: string, title: string}[]} items
   */
  #showDropped(items) {
    const said = JSON.stringify(items);
    if (this.dropped.dataset.said === said) return;
    this.dropped.dataset.said = said;
    const retire = (/** @type {string} */ id) => {
      this.#setIDs([...(this.#context.set().retired ?? []).map((entry) => entry.id), id]);
      this.#rows.get(id)?.input.focus();
    };
    const lines = items.map(
      ({ id, title }) => element("li", {}, element(
        "span", {}, element("span", { dir: "auto" }, title), " ", element("code", {}, id),
      ),
      button(
        strings.editor.retire, () => retire(id),
        { label: strings.editor.retireNamed(id), refusal: this.#context.refusal },
      )));
    replaceChildren(
      this.dropped,
      items.length > 0
        && [element("p", { class: "warning" }, strings.editor.undecided), element("ul", { class: "rows" }, ...lines)],
    );
  }

  /** @param {ShortcutSet} set @param {Required<Finding>[]} findings @param {{id: string, title: string}[]} dropped */
  refresh(set, findings, dropped) {
    this.#showDropped(dropped);
    const retired = set.retired ?? [];
    if (this.fallback.input.value !== (set.fallbackURL ?? "")) this.fallback.input.value = set.fallbackURL ?? "";
    this.ids.refresh(retired.map(({ id }) => id));
    for (const [id, row] of this.#rows) {
      if (retired.some((entry) => entry.id === id)) continue;
      row.row.remove();
      this.#rows.delete(id);
    }
    retired.forEach((entry, index) => {
      const row = this.#rows.get(entry.id) ?? this.#row(entry.id);
      if (row.input.value !== (entry.url ?? "")) row.input.value = entry.url ?? "";
      row.say(findings.filter(({ path }) => pathSteps(path)[0] === "retired" && pathSteps(path)[1] === index));
    });
    this.fallback.say(findings.filter(({ path }) => path === "fallbackURL"));
    sayAt(this.ids.select, this.ids.messages, findings.filter(({ path }) => path === "retired"));
  }

  /** @param {string} id */
  #row(id) {
    const made = field(strings.editor.retiredURL(id), { inputmode: "url" });
    made.input.addEventListener("input", () => this.#setURL(id, made.input.value));
    if (this.#context.refusal) refuse(made.input, this.#context.refusal);
    this.#rows.set(id, made);
    this.urls.append(made.row);
    return made;
  }
}
