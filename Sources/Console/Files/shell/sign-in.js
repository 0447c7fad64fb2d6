/** The way in: a token in a form's field, never in an address. */
import { signIn } from "../api/session.js";
import { clearAlarms, alarm } from "../page/announcements.js";
import { button, field } from "../page/controls.js";
import { element } from "../page/element.js";
import { strings } from "../strings.js";

/** @param {() => void} entered */
export function signInView(entered) {
  const token = field(strings.signIn.token, { type: "password", autocomplete: "current-password", required: true });
  let busy = false;
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (busy || token.input.value === "") return token.input.focus();
    busy = true;
    clearAlarms();
    try {
      await signIn(token.input.value.trim());
      entered();
    } catch (error) {
      alarm(error);
      token.input.select();
    } finally {
      busy = false;
    }
  };
  const form = element("form", { class: "sign-in", on: { submit } }, element("h1", {}, strings.signIn.heading), element("p", {}, strings.signIn.hint), token.row,
    button(strings.signIn.signIn, null, { type: "submit", kind: "primary" }));
  queueMicrotask(() => token.input.focus());
  return form;
}
