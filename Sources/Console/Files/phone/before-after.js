/** Phones beside each other: what a version is served before and after something, each said above its phone. */
import { menuOf, servedLanguages } from "../menus/shown.js";
import { element } from "../page/element.js";
import { strings } from "../strings.js";
import { same } from "../values/json.js";
import { languageName } from "../values/language.js";
import { phoneOf } from "./phone.js";

/**
 * In the language, or in the first one in which the phones differ.
 * @param {App} app @param {Release | undefined} release whose static items stand first
 * @param {{words: string, set: ShortcutSet | null | undefined}[]} sides without a set phones keep what is registered
 * @param {string} language
 */
export function beforeAfter(app, release, sides, language = app.defaultLanguage) {
  const rows = (/** @type {string} */ tag) => sides.map(({ set }) => menuOf(set ?? { items: [] }, release?.staticItems ?? [], tag, app.defaultLanguage).shown);
  const languages = [language, ...servedLanguages({ items: sides.flatMap(({ set }) => set?.items ?? []) }, app.defaultLanguage)];
  const shown = languages.find((tag) => !same(rows(tag)[0], rows(tag)[1])) ?? language;
  return element("div", { class: "before-after" }, ...rows(shown).map((menu, index) => {
    const { words, set } = sides[index];
    const caption = shown === app.defaultLanguage ? words : strings.publish.inLanguage(words, languageName(shown));
    return element("figure", {}, element("figcaption", {}, caption),
      phoneOf({ name: app.name ?? app.app, rows: menu, language: shown, listName: caption }),
      !set && element("p", { class: "hint" }, strings.revision.keeps));
  }));
}
