/** The fields of one item: its texts in each language, action and icon, and under Advanced its id, type and data. */
import { button, field, refuse, sayAt } from "../page/controls.js";
import { element, setAttribute, uniqueID } from "../page/element.js";
import { iconPicture } from "../phone/icon.js";
import { member } from "../values/json.js";
import { languageName } from "../values/language.js";
import { pathSteps } from "../values/paths.js";
import { setMember, setText } from "../menus/document.js";
import { isProvisional } from "../menus/new-item.js";
import { strings } from "../strings.js";
import { IconChoice } from "./icon-choice.js";
import { PersonalEditor } from "./personal-editor.js";
import { PropertyListEditor } from "./property-list-editor.js";

/** Milliseconds within which a click ends. */
const CLICK = 250;

export class ItemEditor {
  #context;
  /** @type {Map<string, {title: HTMLInputElement, subtitle: HTMLInputElement, parts: HTMLElement[]}>} */
  #rows = new Map();
  /** @type {Map<string, [input: HTMLElement, messages: HTMLElement]>} */
  #messages = new Map();
  /** The number of violations, and whether a folded field has a finding. */
  #wrong = 0;
  #inMore = false;
  /** A new item has no title yet, which is an error only after its field was left. */
  #isFresh = false;
  #isUntitled = false;
  /** Why the typed id is not the item's id. */
  #idError = "";
  /** @type {HTMLLIElement} */
  element;
  /** @type {HTMLElement} */
  group;
  /** @type {HTMLElement} */
  fold;
  /** @type {HTMLElement} */
  heading;
  /** @type {HTMLElement} */
  picture;
  /** @type {HTMLElement} */
  up;
  /** @type {HTMLElement} */
  down;
  /** @type {HTMLElement} */
  state;
  /** @type {HTMLElement} */
  cut;
  /** @type {HTMLElement} */
  taps;
  /** @type {HTMLElement} */
  grid;
  /** @type {HTMLElement} */
  general;
  /** @type {HTMLElement} */
  body;
  /** @type {Field} */
  idField;
  /** @type {Field} */
  type;
  /** @type {Field} */
  url;
  /** @type {Field} */
  target;
  /** @type {HTMLInputElement} */
  enabled;
  /** @type {IconChoice} */
  icon;
  /** @type {PropertyListEditor} */
  userInfo;
  /** @type {PersonalEditor} */
  personal;
  /** @type {HTMLDetailsElement} */
  more;

  /**
   * @param {string} id
   * @param {ItemContext} context @param {boolean} open
   */
  constructor(id, context, open) {
    this.id = id;
    this.#context = context;
    this.#build(open);
  }

  /** @param {boolean} open */
  #build(open) {
    this.body = element("div", { class: "item-body", id: uniqueID("item"), hidden: !open });
    this.fold = element("button", {
      type: "button", class: "fold", "aria-expanded": String(open), "aria-controls": this.body.id,
    });
    this.fold.addEventListener("click", () => this.expand(!this.isOpen));
    this.heading = element("bdi", { class: "item-title" });
    this.picture = element("span", { class: "picture" });
    this.state = element("span", { class: "item-state", id: uniqueID("state") });
    this.fold.setAttribute("aria-describedby", this.state.id);
    this.cut = element("span", { class: "item-cut" });
    this.taps = element("small", { class: "item-taps" });
    const act = (/** @type {string} */ text, /** @type {() => void} */ run) => button(
      text, run, { kind: "quiet", refusal: this.#context.refusal },
    );
    this.up = act(strings.editor.moveUp, () => this.#context.move(this.id, -1));
    this.down = act(strings.editor.moveDown, () => this.#context.move(this.id, 1));
    const remove = act(strings.editor.remove, () => this.#context.remove(this.id));
    const handle = !this.#context.refusal
      && element("span", { class: "handle", title: strings.editor.drag, "aria-hidden": "true" }, "⠿");
    const names = element("span", { class: "names" }, this.heading, this.cut, this.state, this.taps);
    const actions = element("span", { class: "item-actions" }, this.up, this.down, remove);
    const head = element("div", { class: "item-head" }, handle, this.fold, this.picture, names, actions);
    head.addEventListener("click", ({ target }) => {
      if (!(/** @type {Element} */ (target).closest("button"))) this.expand(!this.isOpen);
    });
    this.grid = element(
      "div",
      { class: "languages" },
      element("span", {}, ""),
      element("span", { "aria-hidden": "true" }, strings.editor.title),
      element("span", { "aria-hidden": "true" }, strings.editor.subtitle),
    );
    this.general = element("div", { class: "messages" });
    this.body.append(this.general, this.grid, ...this.#action(), this.#advanced());
    this.group = element(
      "div",
      {
        role: "group", class: "item",
        on: {
          keydown: (event) => this.#key(event),
          focusin: ({ target }) => this.#context.focused(this.id, target.lang || null),
        },
      },
      head,
      this.body,
    );
    this.element = element("li", {}, this.group);
  }

  #action() {
    this.url = this.#text(strings.editor.url, "url", { inputmode: "url", hint: strings.editor.urlHint });
    const enabled = element("input", { type: "checkbox", id: uniqueID("enabled") });
    enabled.addEventListener("change", () => this.#set("enabled", enabled.checked ? undefined : false));
    refuse(enabled, this.#context.refusal);
    this.enabled = enabled;
    const name = () => this.#context.nameOf(this.id);
    this.icon = new IconChoice(name, (icon) => this.#set("icon", icon), this.#context.refusal);
    this.#messages.set("icon", [this.icon.button, this.icon.messages]);
    this.personal = new PersonalEditor(
      (personal, step) => this.#set("personal", personal, step && `${this.id} personal.${step}`), this.#context.refusal,
    );
    const check = element(
      "div", { class: "field check" }, enabled, element("label", { for: enabled.id }, strings.editor.enabled),
    );
    return [element("div", { class: "item-fields" }, this.url.row, this.icon.row, check), this.personal.element];
  }

  /** Fields for developers, folded. */
  #advanced() {
    this.idField = field(strings.editor.id, { required: true, hint: strings.editor.idHint });
    const { input } = this.idField;
    input.addEventListener("blur", () => this.#rename());
    input.addEventListener("keydown", ({ key, isComposing }) => key === "Enter" && !isComposing && this.#rename());
    this.#messages.set("id", [input, this.idField.messages]);
    this.type = this.#text(strings.editor.type, "type", { required: true, hint: strings.editor.typeHint });
    this.userInfo = new PropertyListEditor((value) => this.#set("userInfo", value), this.#context.refusal);
    this.target = this.#text(strings.editor.target, "targetContentIdentifier", { hint: strings.editor.targetHint });
    this.more = element("details", { class: "more" }, element("summary", {}, strings.editor.advanced),
      element("div", { class: "item-more" },
        element("div", { class: "item-fields" }, this.idField.row, this.type.row), this.userInfo.element,
        this.target.row));
    return this.more;
  }

  #rename() {
    const { input } = this.idField;
    if (input.readOnly || (input.value === this.id && !this.#idError)) return;
    this.#idError = this.#context.rename(this.id, input.value.trim());
    this.#context.touched();
  }

  /** @param {string} label @param {string} name @param {FieldOptions} attributes */
  #text(label, name, attributes) {
    const made = field(label, { ...attributes, "data-member": name });
    made.input.addEventListener(
      "input",
      () => this.#set(
        name, made.input.value === "" && name !== "type" ? undefined : made.input.value, `${this.id} ${name}`,
      ),
    );
    this.#protect(made.input);
    this.#messages.set(name, [made.input, made.messages]);
    return made;
  }

  /** @param {HTMLInputElement} input */
  #protect(input) {
    if (!this.#context.refusal) return;
    input.readOnly = true;
    refuse(input, this.#context.refusal);
  }

  /** @param {string} name @param {unknown} value @param {string | null} step */
  #set(name, value, step = null) {
    this.#context.edit((set) => setMember(set, this.id, name, value), step);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!event.altKey || event.ctrlKey || event.metaKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    this.#context.move(this.id, event.key === "ArrowUp" ? -1 : 1);
  }

  get isOpen() {
    return !this.body.hidden;
  }

  /** @param {boolean} open */
  expand(open) {
    this.body.hidden = !open;
    this.fold.setAttribute("aria-expanded", String(open));
    this.#context.folded();
  }

  /** @param {string} tag */
  titleIn(tag) {
    return this.#rows.get(tag)?.title;
  }

  /** Puts the cursor into the first title of a new item. */
  begin() {
    this.#isFresh = true;
    this.expand(true);
    this.element.scrollIntoView({ block: "nearest" });
    this.#rows.values().next().value?.title.focus();
  }

  /**
   * A new item gets its id when its title is complete.
   * @param {string} tag
   */
  #leaveTitle(tag) {
    this.#context.identify(this.id, `${this.id} title.${tag}`);
    if (!this.#isFresh) return;
    // Not during a click, because a message would move the button away from the pointer.
    setTimeout(() => {
      this.#isFresh = false;
      this.#context.touched();
    }, CLICK);
  }

  /** The number of violations that are not shown yet. */
  get held() {
    return this.#isFresh && this.#isUntitled ? 1 : 0;
  }

  /** Shows the hidden violations. */
  touch() {
    this.#isFresh = false;
  }

  /** Shows the first field with a violation. @returns {boolean} whether there is one */
  revealWrong() {
    if (!this.group.classList.contains("wrong")) return false;
    this.expand(true);
    const field = /** @type {HTMLElement | null} */ (this.body.querySelector("[aria-invalid]")) ?? this.fold;
    if (this.more.contains(field)) this.more.open = true;
    field.focus();
    return true;
  }

  /**
   * Updates the fields. A field with the right value is not touched, so that the cursor stays.
   * @param {ShortcutItem} item @param {ItemState} state
   */
  refresh(item, { index, count, languages, defaultLanguage, findings, isCut, isPublished, taps }) {
    const title = member(item.title, defaultLanguage) ?? Object.values(item.title)[0] ?? "";
    const isNew = (this.#isFresh || title === "") && isProvisional(item.id);
    this.group.setAttribute("aria-label", isNew ? strings.editor.newItem : strings.editor.item(item.id));
    this.fold.setAttribute("aria-label", strings.editor.fold(title || strings.editor.newItem));
    this.heading.textContent = title || strings.editor.newItem;
    this.cut.textContent = isCut ? strings.editor.cut : "";
    this.taps.textContent = taps ? strings.editor.taps(taps) : "";
    this.picture.replaceChildren(iconPicture(item.icon) ?? "");
    this.group.classList.toggle("disabled-item", item.enabled === false);
    if (!this.#context.refusal) {
      refuse(this.up, index === 0 ? strings.editor.isFirst : null);
      refuse(this.down, index === count - 1 ? strings.editor.isLast : null);
    }
    this.#refreshLanguages(item, languages, defaultLanguage);
    this.#refreshID(item.id, isPublished);
    setValue(this.type.input, item.type ?? "");
    setValue(this.url.input, item.url ?? "");
    setValue(this.target.input, item.targetContentIdentifier ?? "");
    this.enabled.checked = item.enabled !== false;
    this.icon.refresh(item.icon);
    this.userInfo.refresh(item.userInfo);
    this.personal.refresh(item);
    this.#say(item, findings, index, defaultLanguage);
    this.#sayMissing(item, languages, defaultLanguage);
  }

  /** @param {string} id @param {boolean} isPublished */
  #refreshID(id, isPublished) {
    const { input, row } = this.idField;
    // A text that is not an id stays, so that it can be corrected.
    if (input.dataset.id !== id) this.#idError = "";
    if (!this.#idError && document.activeElement !== input) setValue(input, id);
    input.dataset.id = id;
    input.readOnly = isPublished || this.#context.refusal !== null;
    const hint = row.querySelector(".hint");
    if (hint) hint.textContent = isPublished ? strings.editor.idFixed : strings.editor.idHint;
  }

  /** @param {ShortcutItem} item @param {string[]} languages @param {string} defaultLanguage */
  #refreshLanguages(item, languages, defaultLanguage) {
    for (const [tag, row] of this.#rows) {
      if (languages.includes(tag)) continue;
      row.parts.forEach((part) => part.remove());
      this.#rows.delete(tag);
    }
    const isInOrder = this.grid.dataset.order === languages.join(" ");
    this.grid.dataset.order = languages.join(" ");
    for (const tag of languages) {
      const row = this.#rows.get(tag) ?? this.#languageRow(tag);
      this.#rows.set(tag, row);
      if (!isInOrder) this.grid.append(...row.parts);
      for (const name of /** @type {const} */ (["title", "subtitle"])) {
        setValue(row[name], member(item[name], tag) ?? "");
      }
      const missing = member(item.title, tag) === undefined;
      row.title.classList.toggle("missing", missing);
      setAttribute(
        row.title,
        "placeholder",
        missing ? strings.editor.missingTitle(item.title[defaultLanguage], tag === defaultLanguage) : null,
      );
    }
  }

  /** @param {string} tag */
  #languageRow(tag) {
    const input = (/** @type {"title" | "subtitle"} */ name, /** @type {string} */ label) => {
      const messages = element("div", { class: "messages", id: uniqueID("messages") });
      const made = element(
        "input",
        {
          type: "text", dir: "auto", lang: tag, autocomplete: "off", "aria-label": label,
          "aria-describedby": messages.id,
        },
      );
      if (name === "title") made.addEventListener("blur", () => this.#leaveTitle(tag));
      made.addEventListener(
        "input",
        () => this.#context.edit((set) => setText(set, this.id, name, tag, made.value), `${this.id} ${name}.${tag}`),
      );
      this.#protect(made);
      this.#messages.set(`${name}.${tag}`, [made, messages]);
      return {
        made,
        cell: element(
          "div", { "data-label": name === "title" ? strings.editor.title : strings.editor.subtitle }, made, messages,
        ),
      };
    };
    const title = input("title", strings.editor.titleIn(tag));
    const subtitle = input("subtitle", strings.editor.subtitleIn(tag));
    const named = languageName(tag);
    const name = element("span", { class: "tag", title: named }, tag, named !== tag && element("small", {}, named));
    return { title: title.made, subtitle: subtitle.made, parts: [name, title.cell, subtitle.cell] };
  }

  /**
   * @param {ShortcutItem} item @param {Required<Finding>[]} findings @param {number} index
   * @param {string} defaultLanguage
   */
  #say(item, findings, index, defaultLanguage) {
    /** @type {Map<string, Finding[]>} */
    const said = new Map();
    /** @type {{steps: (string | number)[], finding: Finding}[]} */
    const ofPersonal = [];
    const wasInMore = this.#inMore;
    this.#wrong = 0;
    this.#inMore = false;
    if (this.#idError) said.set("id", [{ message: this.#idError, severity: "violation" }]);
    for (const finding of findings) {
      const [list, place, name, ...rest] = pathSteps(finding.path);
      const inner = rest[0];
      if (list !== "items" || place !== index || name === "replaces") continue;
      // A title that was typed since the service looked is not missing.
      const isTyped = finding.code === "title-missing" && member(item.title, String(inner ?? defaultLanguage));
      if (name === "title" && (this.#isFresh || isTyped)) continue;
      if (name === "personal") {
        ofPersonal.push({ steps: rest, finding });
        if (finding.severity === "violation") this.#wrong++;
        continue;
      }
      const key = name === "title" || name === "subtitle" ? `${name}.${inner ?? defaultLanguage}` : String(name);
      const known = key === "userInfo" || this.#messages.has(key) ? key : "";
      said.set(known, [...(said.get(known) ?? []), finding]);
      if (finding.severity === "violation") this.#wrong++;
      if (["id", "type", "userInfo", "targetContentIdentifier"].includes(known)) this.#inMore = true;
    }
    for (const [key, [input, messages]] of this.#messages) sayAt(input, messages, said.get(key) ?? []);
    this.userInfo.say(said.get("userInfo") ?? []);
    this.personal.say(ofPersonal);
    sayAt(null, this.general, said.get("") ?? []);
    // Opens once when a finding appears in it. After that the editor decides.
    if (this.#inMore && !wasInMore) this.more.open = true;
    this.group.classList.toggle("wrong", this.#wrong > 0);
  }

  /**
   * What stops a publish; in a folded item also the languages without a title.
   * @param {ShortcutItem} item @param {string[]} languages @param {string} defaultLanguage
   */
  #sayMissing(item, languages, defaultLanguage) {
    const missing = languages.filter((tag) => member(item.title, tag) === undefined);
    this.#isUntitled = missing.includes(defaultLanguage);
    const isIncomplete = this.#isUntitled && !this.#isFresh;
    const isWrong = this.#wrong > (isIncomplete ? 1 : 0);
    this.state.classList.toggle("stopping", isIncomplete || isWrong);
    this.state.textContent = isIncomplete
      ? strings.editor.needsTitle(languageName(defaultLanguage))
      : isWrong
      ? strings.editor.toCorrect(this.#wrong)
      : missing.length > 0
      ? strings.editor.missingIn(missing.slice(0, 5).map((tag) => languageName(tag)), missing.length)
      : "";
  }
}

/** @param {HTMLInputElement} input @param {string} value */
function setValue(input, value) {
  if (input.value !== value) input.value = value;
}
