/** The dialog for a new language. */
import { Problem } from "../api/problem.js";
import { field } from "../page/controls.js";
import { ask } from "../page/dialog.js";
import { strings } from "../strings.js";
import { canonicalTag, languageName, looksLikeTag, tagOfName } from "../values/language.js";

/** @param {(tag: string) => void} add */
export function askForLanguage(add) {
  const fields = {
    tag: field(strings.editor.language, { required: true, placeholder: "ko", hint: strings.editor.languageHint }),
  };
  ask(strings.editor.addLanguage, fields, strings.common.add, async ({ tag }) => {
    const found = tagOfName(tag) ?? tag;
    if (!looksLikeTag(found)) throw wrong("tag", strings.editor.invalidLanguage(tag));
    add(canonicalTag(found));
  });
  const { input, row } = fields.tag;
  const hint = row.querySelector(".hint");
  input.addEventListener("input", () => {
    const tag = tagOfName(input.value) ?? canonicalTag(input.value);
    const name = looksLikeTag(tag) ? languageName(tag) : tag;
    if (hint) hint.textContent = name === tag ? strings.editor.languageHint : `${tag}: ${name}`;
  });
}

/** @param {string} path @param {string} message */
const wrong = (path, message) => new Problem(422, { detail: "", violations: [{ path, message }] });
