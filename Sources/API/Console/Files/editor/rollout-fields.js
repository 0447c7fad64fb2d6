/** The fields of a roll-out: its share, steps that raise the share, and limits that stop it. */
import { button, field, forgive, sayViolations } from "../page/controls.js";
import { element, uniqueID } from "../page/element.js";
import { zoneName } from "../page/format.js";
import { strings } from "../strings.js";
import { timeField } from "./time-field.js";

/**
 * A percentage with at most two decimals; null if the text is empty, NaN if it is something else.
 * @param {string} text
 */
export function percentOf(text) {
  const written = text.trim().replace(/ ?%$/, "").replace(",", ".");
  if (written === "") return null;
  const percent = /^\d+(\.\d{1,2})?$/.test(written) ? Number(written) : NaN;
  return percent <= 100 ? percent : NaN;
}

/** @param {string} label @param {number | undefined} value @param {string} [hint] */
const percentField = (label, value, hint) => forgive(
  field(label, { value: value ?? "", inputmode: "decimal", hint }),
);

/** @typedef {{at: ReturnType<typeof timeField>, share: Field, group: HTMLElement, heading: HTMLElement}} StepFields */

export class RolloutFields {
  /** @type {StepFields[]} */
  #steps = [];

  /** Whether the first step of the plan is the start. */
  #isLater = false;

  /** @param {RolloutPlan} plan @param {boolean} hasStarted */
  constructor({ share, steps = [], guard = {} }, hasStarted) {
    const words = strings.rollout;
    this.start = timeField(words.stepAt, words.startHint(zoneName()));
    this.start.row.hidden = hasStarted;
    this.share = percentField(words.share, share);
    this.lost = percentField(words.lost, guard.lost, words.lostHint);
    this.worse = percentField(words.worse, guard.worse, words.worseHint);
    this.list = element("div", { class: "dialog-content" });
    this.add = button(words.addStep, () => this.#addStep().at.input.focus());
    for (const step of steps) this.#addStep(step);
    this.worse.input.addEventListener("input", () => this.#warn());
    this.#warn();
    this.element = element("div", { class: "dialog-content" },
      element("div", { role: "group", class: "step-fields", "aria-label": hasStarted ? words.now : words.start },
        element("h3", {}, hasStarted ? words.now : words.start), this.start.row, this.share.row),
      this.list, element("div", {}, this.add),
      element("div", { class: "when" }, this.lost.row, this.worse.row));
  }

  /** @param {{at?: string, share?: number}} step */
  #addStep({ at, share } = {}) {
    const time = timeField(strings.rollout.stepAt, strings.rollout.stepHint(zoneName()));
    if (at) time.set(new Date(at));
    const percent = percentField(strings.rollout.share, share);
    const remove = button(strings.editor.remove, () => {
      group.remove();
      this.#steps.splice(this.#steps.indexOf(step), 1);
      this.#number();
      this.add.focus();
    });
    const heading = element("h3", { id: uniqueID("step") });
    const group = element(
      "div", { role: "group", class: "step-fields", "aria-labelledby": heading.id }, heading, time.row, percent.row,
      remove,
    );
    const step = { at: time, share: percent, group, heading };
    this.#steps.push(step);
    this.list.append(group);
    this.#number();
    return step;
  }

  #number() {
    this.#steps.forEach(({ heading }, place) => (heading.textContent = strings.rollout.step(place + 1)));
  }

  /** Warns of a ratio that may be a difference: 5 instead of 95. */
  #warn() {
    const worse = percentOf(this.worse.input.value);
    const isLow = worse && worse < 10;
    this.worse.say(isLow ? [{ message: strings.rollout.isLow(worse), severity: "warning" }] : []);
  }

  /**
   * What was entered.
   * @returns {RolloutPlan | null} null after errors at the fields, the first of which gets the focus
   */
  read() {
    this.say([]);
    this.#warn();
    /** @type {Field | undefined} */
    let wrong;
    const fail = (/** @type {Field} */ place, /** @type {string} */ message) => {
      place.say([{ message, severity: "violation" }]);
      wrong ??= place;
    };
    const percent = (/** @type {Field} */ place, isLimit = false) => {
      const number = percentOf(place.input.value);
      if (number === null && isLimit) return undefined;
      if (number === null || Number.isNaN(number) || (isLimit && number === 0)) {
        fail(place, strings.rollout.noPercent(isLimit));
      }
      return number ?? NaN;
    };
    const share = /** @type {number} */ (percent(this.share));
    let [time, least] = [Date.now(), share];
    this.#isLater = this.start.input.value.trim() !== "";
    const start = this.#isLater && this.start.read();
    if (start === null) wrong ??= this.start;
    else if (start && Date.parse(start) <= time) fail(this.start, strings.rollout.noOrder(true));
    else if (start) time = Date.parse(start);
    if (start && share === 0) fail(this.share, strings.rollout.noRise(0));
    const steps = this.#steps.map((step) => {
      const at = step.at.read();
      if (at === null) wrong ??= step.at;
      else if (Date.parse(at) <= time) fail(step.at, strings.rollout.noOrder(!start && step === this.#steps[0]));
      else time = Date.parse(at);
      const next = /** @type {number} */ (percent(step.share));
      if (next <= least) fail(step.share, strings.rollout.noRise(least));
      else if (next > least) least = next;
      return { at: at ?? "", share: next };
    });
    const [lost, worse] = [percent(this.lost, true), percent(this.worse, true)];
    wrong?.input.focus();
    if (wrong) return null;
    if (start) steps.unshift({ at: start, share });
    return {
      share: start ? 0 : share, steps: steps.length > 0 ? steps : undefined,
      guard: lost === undefined && worse === undefined ? undefined : { lost, worse },
    };
  }

  /**
   * Shows errors of the service at their fields and returns the others.
   * @param {Violation[]} violations
   */
  say(violations) {
    const all = [...(this.#isLater ? [{ at: this.start, share: this.share }] : []), ...this.#steps];
    const steps = all.flatMap(({ at, share }, place) => [
      [`steps[${place}].at`, at], [`steps[${place}].share`, share], [`steps[${place}]`, at],
    ]);
    return sayViolations({
      share: this.share, "guard.lost": this.lost, "guard.worse": this.worse, guard: this.lost,
      ...Object.fromEntries(steps),
    }, violations);
  }
}
