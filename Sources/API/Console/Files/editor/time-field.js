/** A field for a time, typed or chosen. */
import { button, field, forgive } from "../page/controls.js";
import { element } from "../page/element.js";
import { looksLikeTime, readTime, shortTime, writeTime, zoneName } from "../page/format.js";
import { strings } from "../strings.js";

/**
 * A field for a time in the editor's zone, typed or chosen. Its hint shows how the time is understood.
 * @param {string} label @param {string} hint
 * @param {() => Date | null} after the time that a day or an hour without a date follows, for example a start
 */
export function timeField(label, hint, after = () => null) {
  const made = forgive(field(label, { placeholder: strings.publish.timeExample, hint }));
  const said = /** @type {HTMLElement} */ (made.row.querySelector(".hint"));
  const picker = /** @type {HTMLInputElement} */ (element(
    "input", { type: "datetime-local", tabindex: -1, "aria-label": strings.publish.pick(label) },
  ));
  const pick = button(strings.publish.calendar, () => picker.showPicker?.(), { label: strings.publish.pick(label) });
  picker.addEventListener("input", () => {
    const time = new Date(picker.value);
    if (!Number.isNaN(time.getTime())) set(time);
  });
  const row = element("div", { class: "with-button" });
  made.input.after(row);
  row.append(made.input, element("span", { class: "picker" }, picker, pick));
  const written = () => readTime(made.input.value, undefined, after() ?? undefined);
  made.input.addEventListener("input", () => {
    const text = made.input.value.trim();
    const time = written();
    said.textContent = time
      ? strings.publish.understood(shortTime(time.toISOString()), zoneName(time))
      : text === "" ? hint : strings.publish.noTime;
  });

  /** @param {Date} date */
  function set(date) {
    made.input.value = writeTime(date);
    made.input.dispatchEvent(new Event("input"));
  }

  return {
    ...made,
    set,
    written,
    /** The time for the API; null after an error at the field, which gets the focus. */
    read() {
      const time = written();
      if (time) return time.toISOString().replace(".000Z", "Z");
      const isSkipped = looksLikeTime(made.input.value);
      const wrong = isSkipped ? strings.publish.noSuchTime(zoneName()) : strings.publish.noTime;
      said.textContent = "";
      made.say([{ message: wrong, severity: "violation" }]);
      made.input.focus();
      return null;
    },
  };
}
