/** The sign-in form: a token in a field, never in an address, or a person that a proxy names. */
import { get } from "../api/client.js";
import { sentenceOf } from "../api/problem.js";
import { signIn } from "../api/session.js";
import { button, field } from "../page/controls.js";
import { element, logo } from "../page/element.js";
import { strings } from "../strings.js";

/** @param {string | null} reason why the session ended @param {() => void} entered */
export function signInView(reason, entered) {
  const token = field(
    strings.signIn.token, { type: "password", name: "token", autocomplete: "current-password", required: true },
  );
  const said = element("div", {}, reason && element("p", { role: "alert", class: "caution" }, reason));
  const send = button(strings.signIn.signIn, null, { type: "submit", kind: "primary" });
  const say = (/** @type {string} */ text) =>
    said.replaceChildren(element("p", { role: "alert", class: "alert" }, text));
  let isBusy = false;
  const enter = async (/** @type {{token?: string}} */ body) => {
    if (isBusy) return;
    isBusy = true;
    send.setAttribute("aria-busy", "true");
    try {
      await signIn(body);
      entered();
    } catch (error) {
      say(sentenceOf(error));
      if (!body.token) return;
      token.input.setAttribute("aria-invalid", "true");
      token.input.select();
    } finally {
      isBusy = false;
      send.removeAttribute("aria-busy");
    }
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const value = token.input.value.trim();
    if (value) return enter({ token: value });
    say(strings.signIn.needed);
    token.input.focus();
  };
  get("/sessions").then(
    ({ body: { person } }) => person && said.after(button(strings.signIn.as(person), () => enter({}))), () => {},
  );
  const [before, command, after] = strings.signIn.hint;
  queueMicrotask(() => token.input.focus());
  return element(
    "form",
    { class: "sign-in", novalidate: true, on: { submit } },
    logo(40),
    element("h1", {}, strings.signIn.heading),
    said,
    // Password managers store the token under this name.
    element("input", { name: "username", value: "longpress", autocomplete: "username", hidden: true }),
    token.row,
    send,
    element("p", { class: "hint" }, before, element("code", {}, command), after),
    !isSecureContext && element("p", { class: "caution" }, strings.signIn.noCookie),
  );
}
