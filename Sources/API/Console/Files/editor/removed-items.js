/** Items of earlier menus that this menu does not have, each with what a tap on it does, and the set's fallback URL. */
import { field, refuse } from "../page/controls.js";
import { element } from "../page/element.js";
import { row, table } from "../page/table.js";
import { decide, decisionOf } from "../menus/document.js";
import { withMember } from "../values/json.js";
import { pathSteps } from "../values/paths.js";
import { strings } from "../strings.js";
import { DecisionChoice } from "./decision-choice.js";

/** @typedef {{title: string, choice: DecisionChoice, row: HTMLElement, note: HTMLElement}} Row */

export class RemovedItems {
  #context;
  /** @type {Map<string, Row>} */
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
    this.summary = element("p");
    this.hint = element("p", { class: "hint" }, strings.removed.hint);
    this.body = element("tbody");
    this.table = table(strings.removed.title, strings.removed.columns, this.body);
    this.element = element(
      "section",
      { class: "set-fields" },
      element("h2", {}, strings.removed.title),
      this.hint,
      this.summary,
      this.table,
      this.fallback.row,
    );
  }

  /**
   * @param {ShortcutSet} set @param {Required<Finding>[]} findings
   * @param {import("../menus/earlier-sets.js").Removed[]} removed
   * @param {{fallback: string | null, taps: Map<string, number>}} known `fallback`: the app's fallback URL
   */
  refresh(set, findings, removed, { fallback, taps }) {
    const items = set.items.map(({ id }) => ({ id, title: this.#context.nameOf(id) }));
    const menu = { items, fallback: set.fallbackURL ?? fallback };
    for (const [id, { row: shown, title }] of this.#rows) {
      // Titles come later than warnings with ids.
      if (removed.some((item) => item.id === id && title === this.#context.nameOf(id))) continue;
      shown.remove();
      this.#rows.delete(id);
    }
    removed.forEach((item, place) => {
      const { choice, row: shown, note } = this.#rows.get(item.id) ?? this.#add(item.id);
      if (this.body.children[place] !== shown) this.body.insertBefore(shown, this.body.children[place] ?? null);
      note.textContent = strings.removed.where(item.versions, taps.get(item.id));
      choice.refresh(decisionOf(set, item.id), item.inherited, menu);
      choice.say(findings.filter(({ path }) => this.#isAbout(path, set, item.id)));
    });
    const lost = removed.filter(({ id }) => this.#rows.get(id)?.choice.isUndecided).length;
    this.summary.textContent = strings.removed.lost(lost);
    this.summary.className = lost > 0 ? "warning" : "hint";
    for (const part of [this.hint, this.summary, this.table]) part.hidden = removed.length === 0;
    if (this.fallback.input.value !== (set.fallbackURL ?? "")) this.fallback.input.value = set.fallbackURL ?? "";
    this.fallback.say(findings.filter(({ path }) => path === "fallbackURL"));
  }

  /** @param {string} path of a finding @param {ShortcutSet} set @param {string} id */
  #isAbout(path, { items, retired }, id) {
    const [list, place, name, inner] = pathSteps(path);
    return list === "retired"
      ? retired?.[Number(place)]?.id === id
      : name === "replaces" && items[Number(place)]?.replaces?.[Number(inner)] === id;
  }

  /** @param {string} id */
  #add(id) {
    const title = this.#context.nameOf(id);
    const choice = new DecisionChoice(
      title,
      (decision) => this.#context.edit(
        (set) => decide(set, id, decision), decision?.url === undefined ? null : `removed ${id}`,
      ),
      this.#context.refusal,
    );
    const note = element("small", {});
    const cells = [[element("bdi", {}, title), note], choice.element];
    const made = { title, choice, note, row: row(strings.removed.columns, cells) };
    this.#rows.set(id, made);
    return made;
  }

  /**
   * Shows an item, or the first one whose taps are lost.
   * @param {string} [id] @returns {boolean} whether there is such an item
   */
  reveal(id) {
    const row = id === undefined
      ? [...this.#rows.values()].find(({ choice }) => choice.isUndecided) : this.#rows.get(id);
    const place = row?.choice.select;
    place?.scrollIntoView({ block: "center" });
    place?.focus({ preventScroll: true });
    return place !== undefined;
  }
}
