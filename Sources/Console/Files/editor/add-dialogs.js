/** The dialogs that ask for the id of a new item and for the tag of a new language. */
import { Problem } from "../api/problem.js";
import { itemOf } from "../menus/document.js";
import { field } from "../page/controls.js";
import { ask } from "../page/dialog.js";
import { strings } from "../strings.js";
import { canonicalTag, looksLikeTag } from "../values/language.js";

/** @param {ShortcutSet} set @param {(id: string) => void} add */
export function askForItem(set, add) {
  const fields = { id: field(strings.editor.id, { required: true, placeholder: "compose", hint: strings.editor.idHint }) };
  ask(strings.editor.addItem, fields, strings.common.add, async ({ id }) => {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id)) throw wrong("id", strings.editor.invalidID(id));
    if (itemOf(set, id)) throw wrong("id", strings.editor.takenID(id));
    add(id);
  });
}

/** @param {(tag: string) => void} add */
export function askForLanguage(add) {
  const fields = { tag: field(strings.editor.language, { required: true, placeholder: "ko", hint: strings.editor.languageHint }) };
  ask(strings.editor.addLanguage, fields, strings.common.add, async ({ tag }) => {
    if (!looksLikeTag(tag)) throw wrong("tag", strings.editor.invalidLanguage(tag));
    add(canonicalTag(tag));
  });
}

/** @param {string} path @param {string} message */
const wrong = (path, message) => new Problem(422, { detail: "", violations: [{ path, message }] });
