/** User info as a table of keys, kinds and values; arrays and dictionaries are indented. */
import { button, refuse, sayAt } from "../page/controls.js";
import { element, uniqueID } from "../page/element.js";
import { member, same, withMember, without } from "../values/json.js";
import { pathSteps } from "../values/paths.js";
import { strings } from "../strings.js";
import { KINDS, converted, kindOf, textOf, valueOf } from "./property-list.js";

/** @typedef {import("./property-list.js").Kind} Kind */

export class PropertyListEditor {
  /** @type {Record<string, any>} */
  #value = {};
  #change;
  #refusal;
  /** @type {Finding[]} */
  #findings = [];
  /**
   * The field and the messages of each value, by its path of keys.
   * @type {Map<string, [said: HTMLElement, messages: HTMLElement]>}
   */
  #places = new Map();
  /**
   * Fields whose text is not a value of their kind, by the same path. They keep their previous value.
   * @type {Map<string, Finding>}
   */
  #mistyped = new Map();

  /**
   * @param {(value: Record<string, any> | undefined) => void} change undefined for an empty dictionary
   * @param {string | null} refusal
   */
  constructor(change, refusal) {
    this.#change = change;
    this.#refusal = refusal;
    this.rows = element("div", { class: "plist" });
    this.messages = element("div", { class: "messages" });
    this.element = element("fieldset", {}, element("legend", {}, strings.userInfo.title), this.rows, this.messages);
    this.#draw();
  }

  refresh(value = {}) {
    if (same(value, this.#value)) return;
    this.#value = value;
    this.#draw();
  }

  /**
   * @param {(value: any) => any} edit
   * @param {boolean} redraw whether rows are added or removed; otherwise the fields stay
   * @param {string} [focus] the name of the control that gets the focus after a redraw; the last button if it does not
   *   exist
   */
  #update(edit, redraw, focus) {
    this.#value = edit(this.#value);
    if (redraw) {
      this.#draw();
      const named = /** @type {HTMLElement[]} */ ([...this.rows.querySelectorAll("[aria-label]")]);
      const last = /** @type {HTMLElement | null} */ (this.rows.lastElementChild);
      (named.find((control) => control.getAttribute("aria-label") === focus) ?? last)?.focus();
    }
    this.#change(Object.keys(this.#value).length > 0 ? this.#value : undefined);
  }

  /**
   * Shows each finding at the row of its path, or at the nearest row around it.
   * @param {Finding[]} findings
   */
  say(findings) {
    this.#findings = findings;
    /** @type {Map<string, Finding[]>} */
    const said = new Map([...this.#places.keys(), ""].map((place) => [place, []]));
    for (const finding of findings) {
      const steps = pathSteps(finding.path ?? "");
      const within = steps.slice(steps.indexOf("userInfo") + 1);
      while (within.length > 0 && !this.#places.has(placeOf(within))) within.pop();
      said.get(placeOf(within))?.push(finding);
    }
    for (const [place, finding] of this.#mistyped) said.set(place, [finding]);
    for (const [place, found] of said) {
      const [field, messages] = this.#places.get(place) ?? [null, this.messages];
      sayAt(field, messages, found);
    }
  }

  #draw() {
    this.#places.clear();
    this.#mistyped.clear();
    this.rows.replaceChildren(...this.#members(this.#value, [], (...update) => this.#update(...update)).flat(Infinity));
    this.say(this.#findings);
  }

  /**
   * The rows of a container. Their changes are functions of the container's current value.
   * @param {any[] | Record<string, any>} container @param {string[]} path @param {UpdateContainer} update
   * @returns {any[]}
   */
  #members(container, path, update) {
    const append = () => {
      const key = Array.isArray(container) ? String(container.length) : freeKey(container);
      const name = [...path, key].join(".");
      const made = Array.isArray(container) ? strings.userInfo.value(name) : strings.userInfo.key(name);
      update((now) => (Array.isArray(now) ? [...now, ""] : withMember(now, key, "")), true, made);
    };
    const add = button(strings.userInfo.add, append, {
      kind: "quiet", refusal: this.#refusal, label: path.length > 0 ? strings.userInfo.addTo(path.join(".")) : null,
    });
    const rows = Array.isArray(container)
      ? container.map((value, index) => this.#row(String(index), value, path, {
          update: (edit, ...how) => update((now) => now.with(index, edit(now[index])), ...how),
          remove: () => update((now) => now.toSpliced(index, 1), true),
        }))
      : Object.entries(container).map(([key, value]) => this.#row(key, value, path, {
          update: (edit, ...how) => update((now) => withMember(now, key, edit(member(now, key))), ...how),
          remove: () => update((now) => without(now, key), true),
          rename: (name) =>
            update((now) => renamed(now, key, name), true, strings.userInfo.kind([...path, name].join("."))),
        }));
    return [...rows, add];
  }

  /** @param {string} key @param {any} value @param {string[]} path @param {PropertyListMember} member @returns {any} */
  #row(key, value, path, { update, remove, rename }) {
    const whole = [...path, key];
    const name = whole.join(".");
    const kind = kindOf(value);
    const label = rename
      ? this.#input(key, strings.userInfo.key(name), { on: { change: (event) => rename(event.target.value) } })
      : element("span", { class: "plist-index" }, key);
    const kinds = element(
      "select",
      { "aria-label": strings.userInfo.kind(name), disabled: this.#refusal !== null },
      ...KINDS.map((each) => element("option", { value: each, selected: each === kind }, strings.userInfo.kinds[each])),
    );
    const convert = () =>
      update((now) => converted(now, /** @type {Kind} */ (kinds.value)), true, strings.userInfo.kind(name));
    kinds.addEventListener("change", convert);
    const nested = kind === "array" || kind === "dictionary";
    const input = nested ? element("span", {}) : this.#valueInput(kind, value, whole, update);
    const messages = element("div", { class: "messages", id: uniqueID("messages") });
    const said = nested ? kinds : input;
    said.setAttribute("aria-describedby", messages.id);
    this.#places.set(placeOf(whole), [said, messages]);
    const row = element("div", { class: "plist-row" }, label, kinds, input,
      button("×", remove, { kind: "quiet", label: strings.userInfo.remove(name), refusal: this.#refusal }), messages);
    return nested
      ? [row, element("div", { class: "plist-nested" }, ...this.#members(value, whole, update).flat(Infinity))]
      : row;
  }

  /** @param {Kind} kind @param {any} value @param {string[]} path @param {UpdateContainer} update */
  #valueInput(kind, value, path, update) {
    const label = strings.userInfo.value(path.join("."));
    if (kind === "boolean") {
      /** @type {HTMLInputElement} */
      const box = element(
        "input",
        {
          type: "checkbox", "aria-label": label, checked: value, on: { change: () => update(() => box.checked, false) },
        },
      );
      refuse(box, this.#refusal);
      return box;
    }
    const read = (/** @type {string} */ text) => {
      const read = valueOf(kind, text);
      const isNone = kindOf(read) !== kind;
      // The kind stays: typing "abc" does not turn an integer into a string.
      if (isNone) {
        this.#mistyped.set(placeOf(path), { message: strings.userInfo.noNumber(text, kind), severity: "violation" });
      }
      else this.#mistyped.delete(placeOf(path));
      this.say(this.#findings);
      if (!isNone) update(() => read, false);
    };
    return this.#input(
      textOf(value),
      label,
      {
        dir: "auto",
        inputmode: kind === "integer" || kind === "real" ? "decimal" : null,
        on: { input: (event) => read(event.target.value) },
      },
    );
  }

  /** @param {string} value @param {string} label @param {Attributes} attributes */
  #input(value, label, attributes) {
    const made = element(
      "input", { type: "text", value, "aria-label": label, autocomplete: "off", spellcheck: "false", ...attributes },
    );
    if (this.#refusal) made.readOnly = true;
    refuse(made, this.#refusal);
    return made;
  }
}

/**
 * The path of keys as one text; empty for the whole dictionary.
 * @param {(string | number)[]} steps
 */
const placeOf = (steps) => (steps.length === 0 ? "" : JSON.stringify(steps.map(String)));

/** @param {object} container */
function freeKey(container) {
  let number = 1;
  while (Object.hasOwn(container, `key${number}`)) number++;
  return `key${number}`;
}

/**
 * The dictionary with a renamed key; unchanged if the name is taken.
 * @param {Record<string, any>} container @param {string} key @param {string} name
 */
function renamed(container, key, name) {
  if (name === "" || Object.hasOwn(container, name)) return container;
  return Object.fromEntries(Object.entries(container).map(([other, value]) => [other === key ? name : other, value]));
}
