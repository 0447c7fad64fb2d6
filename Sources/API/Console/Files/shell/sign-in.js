/**
 * The sign-in form of the page: a token in a field, never in an address, or a person that a proxy names. Password
 * managers store the token under the hidden name.
 */
import { get } from "../api/client.js";
import { sentenceOf } from "../api/problem.js";
import { signIn } from "../api/session.js";
import { button } from "../page/controls.js";
import { element } from "../page/element.js";
import { strings } from "../strings.js";

/**
 * Makes the form usable. What was typed before stays.
 * @param {HTMLFormElement} form @param {string | null} reason why the session ended @param {() => void} entered
 */
export function beginSignIn(form, reason, entered) {
  const [said, people] = form.querySelectorAll("div");
  const token = /** @type {HTMLInputElement} */ (form.querySelector("#token"));
  const send = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]"));
  const say = (/** @type {string} */ text, kind = "alert") =>
    said.replaceChildren(element("p", { role: "alert", class: kind }, text));
  let isBusy = false;
  const enter = async (/** @type {{token?: string}} */ body) => {
    if (isBusy) return;
    isBusy = true;
    send.setAttribute("aria-busy", "true");
    try {
      await signIn(body);
      form.reset();
      entered();
    } catch (error) {
      say(sentenceOf(error));
      if (!body.token) return;
      token.setAttribute("aria-invalid", "true");
      token.select();
    } finally {
      isBusy = false;
      send.removeAttribute("aria-busy");
    }
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    const value = token.value.trim();
    if (value) return enter({ token: value });
    say(strings.signIn.needed);
    token.focus();
  };
  said.replaceChildren();
  people.replaceChildren();
  token.removeAttribute("aria-invalid");
  if (reason) say(reason, "caution");
  else if (!isSecureContext) say(strings.signIn.noCookie, "caution");
  get("/sessions").then(
    ({ body: { person } }) => person && people.replaceChildren(button(strings.signIn.as(person), () => enter({}))),
    () => {},
  );
  // Until now, the form could not be sent.
  send.disabled = false;
  token.focus();
}
