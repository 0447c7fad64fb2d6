/** Who gets a publish: everyone, or a share of the phones. While a roll-out runs, a publish must stop it. */
import { uniqueID, element, replaceChildren } from "../page/element.js";
import { address } from "../page/router.js";
import { strings } from "../strings.js";
import { RolloutFields, percentOf } from "./rollout-fields.js";

export class RolloutChoice {
  #place;
  #context;
  #fields = new RolloutFields({ share: 10 }, false);
  #share = element("input", { type: "radio" });
  /** The checkbox that stops the running roll-out. */
  #stop = element("input", { type: "checkbox" });
  /** @type {Candidate | null} */
  #running = null;
  element = element("div", { class: "dialog-content" });

  /**
   * @param {import("../api/apps.js").SetName} place
   * @param {{isPossible: boolean, changed: () => void}} context `isPossible`: whether the place has a menu for the
   *   other phones. `changed` is called after each choice.
   */
  constructor(place, context) {
    this.#place = place;
    this.#context = context;
    const everyone = element("input", { type: "radio", checked: true });
    everyone.name = this.#share.name = uniqueID("audience");
    this.choice = element("fieldset", { class: "choices" }, element("legend", {}, strings.rollout.to),
      element("div", {}, labelled(everyone, strings.rollout.everyone), labelled(this.#share, strings.rollout.some)));
    this.element.addEventListener("input", () => this.#changed());
  }

  /** Whether the menu is published to a share of the phones. */
  get isRollout() {
    return this.#share.checked && this.#running === null;
  }

  /** The text of the button that publishes. */
  get action() {
    return this.isRollout ? strings.rollout.publishTo(
      percentOf(this.#fields.share.input.value) ?? NaN, this.#fields.start.input.value.trim() !== "",
    )
      : strings.publish.now;
  }

  /** Why the menu cannot be published now. */
  get refusal() {
    return this.#running && !this.#stop.checked ? strings.rollout.blocks : null;
  }

  /** Whether the publish stops the running roll-out. */
  get stops() {
    return this.#running !== null || undefined;
  }

  /**
   * The members of the request.
   * @returns {RolloutPlan | {} | null} null after errors at the fields
   */
  read() {
    return this.isRollout ? this.#fields.read() : {};
  }

  /** @param {Violation[]} violations @returns {Violation[]} those that are not about its fields */
  say(violations) {
    return this.#fields.say(violations);
  }

  /** @param {Candidate | null} running the roll-out of the menu */
  show(running) {
    this.#running = running;
    this.#stop.checked = false;
    replaceChildren(this.element, running
      ? [runningNote(this.#place, running), labelled(this.#stop, strings.rollout.stopFirst)]
      : this.#context.isPossible ? [this.choice, this.#fields.element]
      : element("p", { class: "hint" }, strings.rollout.notFirst));
    this.#changed();
  }

  #changed() {
    this.#fields.element.hidden = !this.isRollout;
    this.#context.changed();
  }
}

/** @param {HTMLElement} input @param {string} text */
const labelled = (input, text) => element("label", { class: "field check" }, input, element("span", {}, text));

/**
 * Says that a roll-out runs, with a link to its page.
 * @param {import("../api/apps.js").SetName} place @param {Candidate} running @param {string} [more]
 */
export const runningNote = ({ app, version, audience }, { share, revision }, more) => element(
  "p", { class: "caution" }, strings.rollout.runs(share, revision), " ",
  element("a", { href: address(["apps", app, "rollouts", version, audience]) }, strings.rollout.see), " ", more,
);
