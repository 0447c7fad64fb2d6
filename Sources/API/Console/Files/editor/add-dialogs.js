/** The dialogs for a new item and a new language. */
import { Problem } from "../api/problem.js";
import { itemOf } from "../menus/document.js";
import { field } from "../page/controls.js";
import { ask } from "../page/dialog.js";
import { strings } from "../strings.js";
import { canonicalTag, languageName, looksLikeTag, tagOfName } from "../values/language.js";

/**
 * @param {ShortcutSet} set
 * @param {(id: string, title: string | undefined) => void} add with a title if one was typed instead of an id
 */
export function askForItem(set, add) {
  const fields = {
    id: field(strings.editor.id, { required: true, placeholder: "compose", hint: strings.editor.idHint }),
  };
  let title = "";
  let proposed = "";
  ask(strings.editor.addItem, fields, strings.common.add, async ({ id }) => {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id)) {
      title = id;
      proposed = proposal(id);
      if (proposed) fields.id.input.value = proposed;
      throw wrong("id", strings.editor.invalidID(id, proposed));
    }
    if (itemOf(set, id)) throw wrong("id", strings.editor.takenID(id));
    add(id, id === proposed ? title : undefined);
  });
}

/**
 * Makes an id from a title: `Find a bike` becomes `find-a-bike`.
 * @param {string} text
 */
function proposal(text) {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|-+$/g, "")
    .slice(0, 60);
}

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
