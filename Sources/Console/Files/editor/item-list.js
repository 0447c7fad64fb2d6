/** The items of a set in their order. They can be dragged, moved with buttons, and with Alt and the arrow keys. */
import { moveItem, removeItem } from "../menus/document.js";
import { announce } from "../page/announcements.js";
import { element } from "../page/element.js";
import { strings } from "../strings.js";
import { ItemEditor } from "./item-editor.js";

/** With more items than this they are folded at first. */
const mostUnfolded = () => (matchMedia("(max-width: 36rem)").matches ? 3 : 8);

export class ItemList {
  /** @type {Map<string, ItemEditor>} */
  #editors = new Map();
  /** @type {ItemContext} */
  #context;
  #first = true;
  /** @type {string | null} */
  #dragged = null;

  /** @param {EditorContext} context */
  constructor(context) {
    this.#context = { ...context, move: (id, by) => this.#move(id, by), remove: (id) => this.#remove(id) };
    this.element = element("ol", { "aria-label": strings.editor.items, class: "items" });
    this.element.addEventListener("dragover", (event) => this.#over(event));
    this.element.addEventListener("drop", (event) => this.#drop(event));
  }

  /** @param {{set: ShortcutSet} & Omit<ItemState, "index" | "count">} state */
  refresh({ set, languages, defaultLanguage, findings }) {
    const ids = set.items.map(({ id }) => id);
    for (const [id, editor] of this.#editors) {
      if (ids.includes(id)) continue;
      editor.element.remove();
      this.#editors.delete(id);
    }
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    set.items.forEach((item, index) => {
      const editor = this.#editors.get(item.id) ?? this.#add(item.id, !this.#first || ids.length <= mostUnfolded());
      if (this.element.children[index] !== editor.element) this.element.insertBefore(editor.element, this.element.children[index] ?? null);
      editor.refresh(item, { index, count: ids.length, languages, defaultLanguage, findings });
    });
    this.#first = false;
    if (focused !== document.activeElement && this.element.contains(focused)) focused?.focus();
  }

  /** @param {string} id @param {boolean} open */
  #add(id, open) {
    const editor = new ItemEditor(id, this.#context, open);
    this.#editors.set(id, editor);
    editor.handle.addEventListener("dragstart", (event) => {
      this.#dragged = id;
      if (!event.dataTransfer) return;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", id);
      event.dataTransfer.setDragImage(editor.element, 12, 12);
    });
    editor.handle.addEventListener("dragend", () => this.#mark(null));
    return editor;
  }

  /**
   * Shows an item and puts the cursor into its first title.
   * @param {string} id
   */
  reveal(id) {
    const editor = this.#editors.get(id);
    editor?.expand(true);
    editor?.element.scrollIntoView({ block: "nearest" });
    editor?.grid.querySelector("input")?.focus();
  }

  get isAnyOpen() {
    return [...this.#editors.values()].some((editor) => !editor.body.hidden);
  }

  /** @param {boolean} open */
  expandAll(open) {
    for (const editor of this.#editors.values()) editor.expand(open);
  }

  /** @param {string} id @param {number} by */
  #move(id, by) {
    if (this.#context.refusal) return;
    const place = this.#context.set().items.findIndex((item) => item.id === id) + by;
    if (place < 0 || place >= this.#context.set().items.length) return;
    this.#context.edit((set) => moveItem(set, id, place), null);
    announce(strings.editor.moved(id, place + 1));
  }

  /** @param {string} id */
  #remove(id) {
    const items = this.#context.set().items;
    const place = items.findIndex((item) => item.id === id);
    const next = items[place + 1] ?? items[place - 1];
    this.#context.edit((set) => removeItem(set, id), null);
    announce(strings.editor.removed(id));
    this.#editors.get(next?.id ?? "")?.fold.focus();
  }

  /** @param {DragEvent} event */
  #over(event) {
    if (this.#dragged === null) return;
    event.preventDefault();
    this.#mark(entryAt(event));
  }

  /** @param {DragEvent} event */
  #drop(event) {
    const target = entryAt(event);
    const id = this.#dragged;
    if (id === null || !target) return;
    event.preventDefault();
    const place = [...this.element.children].indexOf(target);
    this.#context.edit((set) => moveItem(set, id, place), null);
    announce(strings.editor.moved(id, place + 1));
    this.#mark(null);
  }

  /** @param {Element | null} target */
  #mark(target) {
    for (const child of this.element.children) child.classList.toggle("drop-target", child === target);
    if (target === null) this.#dragged = null;
  }
}

/** @param {DragEvent} event */
function entryAt(event) {
  return event.target instanceof Element ? event.target.closest(".items > li") : null;
}
