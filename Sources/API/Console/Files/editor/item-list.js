/** The items in their order. They move by dragging, with buttons, and with Alt and the arrow keys. */
import { itemOf, moveItem, removeItem, restoreItem } from "../menus/document.js";
import { announce } from "../page/announcements.js";
import { element } from "../page/element.js";
import { strings } from "../strings.js";
import { installDrag } from "./item-drag.js";
import { ItemEditor } from "./item-editor.js";

/** In longer lists, only the first item is open at first. */
const mostUnfolded = () => (matchMedia("(max-width: 36rem)").matches ? 3 : 8);

export class ItemList {
  /** @type {Map<string, ItemEditor>} */
  #editors = new Map();
  #context;
  #first = true;
  /** Gets the focus when no item is left. */
  #add;

  /**
   * @param {EditorContext} context
   * @param {HTMLElement} add
   */
  constructor(context, add) {
    /** @type {Pick<ItemContext, "move" | "remove">} */
    const own = { move: (id, by) => this.#moveBy(id, by), remove: (id) => this.#remove(id) };
    this.#context = { ...context, ...own };
    this.#add = add;
    this.element = element(
      "ol", { "aria-label": strings.editor.items, class: `items${context.refusal ? " fixed" : ""}` },
    );
    installDrag(this.element, (from, to) => this.#moveTo(this.#items[from].id, to));
  }

  get #items() {
    return this.#context.set().items;
  }

  /**
   * @param {{set: ShortcutSet, languages: string[], defaultLanguage: string, findings: Required<Finding>[], cut:
   *   Set<string>, taps: Map<string, number>}} state
   */
  refresh({ set, languages, defaultLanguage, findings, cut, taps }) {
    const ids = set.items.map(({ id }) => id);
    this.#followRename(ids);
    for (const [id, editor] of this.#editors) {
      if (ids.includes(id)) continue;
      editor.element.remove();
      this.#editors.delete(id);
    }
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    set.items.forEach((item, index) => {
      const isOpen = !this.#first || index === 0 || ids.length <= mostUnfolded();
      const editor = this.#editors.get(item.id) ?? this.#addEditor(item.id, isOpen);
      if (this.element.children[index] !== editor.element) {
        this.element.insertBefore(editor.element, this.element.children[index] ?? null);
      }
      editor.refresh(item, {
        index, count: ids.length, languages, defaultLanguage, findings, isCut: cut.has(item.id),
        isPublished: this.#context.isPublished(item.id), taps: taps.get(item.id) ?? 0,
      });
    });
    this.#first = false;
    if (focused !== document.activeElement && this.element.contains(focused)) focused?.focus();
  }

  /**
   * An item whose id changed keeps its editor, so that the cursor stays.
   * @param {string[]} ids
   */
  #followRename(ids) {
    const [old, ...others] = [...this.#editors.keys()].filter((id) => !ids.includes(id));
    const place = ids.findIndex((id) => !this.#editors.has(id));
    const editor = this.#editors.get(old);
    if (others.length > 0 || !editor || this.element.children[place] !== editor.element) return;
    this.#editors.delete(old);
    this.#editors.set(ids[place], editor);
    editor.id = ids[place];
  }

  /** @param {string} id @param {boolean} isOpen */
  #addEditor(id, isOpen) {
    const editor = new ItemEditor(id, this.#context, isOpen);
    this.#editors.set(id, editor);
    return editor;
  }

  /**
   * Shows an item and puts the cursor into its title in a language, or the focus on its head.
   * @param {string} id @param {string | null} tag
   */
  reveal(id, tag) {
    const editor = this.#editors.get(id);
    editor?.expand(true);
    editor?.element.scrollIntoView({ block: "nearest" });
    const place = tag === null ? editor?.element.querySelector("[aria-expanded]") : editor?.titleIn(tag);
    if (place instanceof HTMLElement) place.focus();
  }

  /**
   * Puts the cursor into the first title of a new item.
   * @param {string} id
   */
  begin(id) {
    this.#editors.get(id)?.begin();
  }

  /** The number of violations that are not shown yet, because the title of a new item is being typed. */
  get held() {
    return [...this.#editors.values()].reduce((sum, editor) => sum + editor.held, 0);
  }

  /**
   * Puts the cursor into the title of a language in the first open item.
   * @param {string} tag
   */
  revealLanguage(tag) {
    const editors = this.#items.map(({ id }) => this.#editors.get(id));
    const editor = editors.find((each) => each?.isOpen) ?? editors[0];
    editor?.expand(true);
    editor?.titleIn(tag)?.focus();
  }

  /** Shows the first field with a violation. @returns {boolean} whether there is one */
  revealWrong() {
    for (const editor of this.#editors.values()) editor.touch();
    this.#context.touched();
    return this.#items.some(({ id }) => this.#editors.get(id)?.revealWrong());
  }

  /** @param {string} id @returns {boolean} whether there is such an item */
  focus(id) {
    this.#editors.get(id)?.fold.focus();
    return this.#editors.has(id);
  }

  get isAnyOpen() {
    return [...this.#editors.values()].some(({ isOpen }) => isOpen);
  }

  /** @param {boolean} open */
  expandAll(open) {
    for (const editor of this.#editors.values()) editor.expand(open);
  }

  /** @param {string} id @param {number} by */
  #moveBy(id, by) {
    const place = this.#items.findIndex((item) => item.id === id) + by;
    if (place < 0) announce(strings.editor.isFirst);
    else if (place >= this.#items.length) announce(strings.editor.isLast);
    else this.#moveTo(id, place);
  }

  /** @param {string} id @param {number} place */
  #moveTo(id, place) {
    if (this.#context.refusal) return;
    this.#context.edit((set) => moveItem(set, id, place), null);
    announce(strings.editor.moved(this.#context.nameOf(id), place + 1));
  }

  /** @param {string} id */
  #remove(id) {
    const item = itemOf(this.#context.set(), id);
    if (!item) return;
    const place = this.#items.indexOf(item);
    const next = this.#items[place + 1] ?? this.#items[place - 1];
    const name = this.#context.nameOf(id);
    this.#context.edit((set) => removeItem(set, id), null);
    announce(strings.editor.removed(name), { undo: () => {
      this.#context.edit((set) => restoreItem(set, item, place), null);
      announce(strings.editor.undone(strings.editor.back(name)));
      this.focus(id);
    } });
    if (!this.focus(next?.id ?? "")) this.#add.focus();
  }
}
