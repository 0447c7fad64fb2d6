/** What a tap on a removed item does: the same as an item of the menu, a URL, or only opening the app. */
import { refuse, sayAt } from "../page/controls.js";
import { element, replaceChildren, uniqueID } from "../page/element.js";
import { same } from "../values/json.js";
import { strings } from "../strings.js";

/** @typedef {import("../menus/document.js").Decision} Decision */

export class DecisionChoice {
  /** @type {unknown} */
  #offered;
  /** Whether a tap on the item is lost. */
  isUndecided = true;

  /**
   * @param {string} name of the removed item @param {(decision: Decision) => void} change
   * @param {string | null} refusal
   */
  constructor(name, change, refusal) {
    this.messages = element("div", { class: "messages", id: uniqueID("messages") });
    this.select = element("select", { "aria-label": strings.removed.tap(name), "aria-describedby": this.messages.id });
    this.url = element("input", {
      "aria-label": strings.removed.url(name), "aria-describedby": this.messages.id, inputmode: "url",
      placeholder: "https://", autocomplete: "off", spellcheck: "false",
    });
    this.select.addEventListener("change", () => {
      const [kind, item] = this.select.value.split(" ");
      change({ item: { item }, url: { url: "" }, app: {} }[kind] ?? null);
      if (kind === "url") this.url.focus();
    });
    this.url.addEventListener("input", () => change({ url: this.url.value }));
    this.select.disabled = this.url.readOnly = refusal !== null;
    refuse(this.select, refusal);
    this.element = element("div", { class: "decision" }, this.select, this.url, this.messages);
  }

  /**
   * @param {Decision} decision @param {Decision} inherited what earlier menus decided
   * @param {{items: {id: string, title: string}[], fallback: string | null | undefined}} menu `fallback`: the URL that
   *   opens instead of only the app
   */
  refresh(decision, inherited, { items, fallback }) {
    const words = (/** @type {NonNullable<Decision>} */ { item, url }) =>
      strings.removed.does(items.find(({ id }) => id === item)?.title ?? item, url, fallback);
    /** @type {[string, string][]} */
    const options = [
      ["", inherited ? strings.removed.inherited(words(inherited)) : strings.removed.undecided],
      ...items.map(({ id }) => /** @type {[string, string]} */ ([`item ${id}`, words({ item: id })])),
      ["url", strings.removed.opens], ["app", words({})],
    ];
    if (!same(options, this.#offered)) {
      this.#offered = options;
      replaceChildren(this.select, options.map(([value, text]) => element("option", { value }, text)));
    }
    const url = decision?.url;
    this.select.value = !decision ? "" : decision.item ? `item ${decision.item}` : url === undefined ? "app" : "url";
    this.url.hidden = url === undefined;
    if (this.url.value !== (url ?? "")) this.url.value = url ?? "";
    this.isUndecided = decision ? url === "" : !inherited;
    this.element.classList.toggle("undecided", this.isUndecided);
  }

  /** @param {Finding[]} findings */
  say(findings) {
    // An empty URL is an error only after its field was left.
    const isBegun = this.url.value === "" && document.activeElement === this.url;
    sayAt(this.url.hidden ? this.select : this.url, this.messages, isBegun ? [] : findings);
  }
}
