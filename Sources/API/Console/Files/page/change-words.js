/** A difference as a list of sentences that name items by title, each with the old and the new value. */
import { strings } from "../strings.js";
import { member } from "../values/json.js";
import { languageName } from "../values/language.js";
import { element } from "./element.js";
import { written } from "./format.js";

/** The number of sentences that are shown at once. */
const MOST = 12;

/**
 * @param {import("../menus/difference.js").Difference} change
 * @param {{defaultLanguage: string, fallbackURL: string | null}} app @param {string} language of the titles
 */
export function changeWords(
  change, app = { defaultLanguage: "en", fallbackURL: null }, language = app.defaultLanguage,
) {
  const words = strings.difference;
  const name = (/** @type {ShortcutItem} */ item) => titleOf(item, language, app.defaultLanguage);
  const named = (/** @type {string} */ id) => {
    const item = change.items.find((each) => each.id === id);
    return item ? name(item) : element("code", {}, id);
  };
  const lands = (/** @type {string | null | undefined} */ url) => url ?? change.fallbackURL ?? app.fallbackURL;
  const lines = [
    ...change.replaced.map(({ item, heir }) => line("changed", words.replaced(name(item), name(heir)))),
    ...change.retired.map(({ item, url }) => line("removed", words.retired(name(item), lands(url)))),
    ...change.removed.map((item) => line("removed", words.removed(name(item), lands(null)))),
    ...change.added.map(
      (item) => line("added", words.added(name(item)), ...otherTitles(item, language, app.defaultLanguage))
    ),
    ...change.changed.flatMap(
      ({ item, members }) => members.map((each) => line("changed", ...memberWords(name(item), each, named)))
    ),
    ...change.moved.map(({ item, place }) => line("moved", words.moved(name(item), place))),
    ...change.set.map((each) => line("changed", ...setWords(each, named, lands))),
  ];
  if (lines.length === 0) return element("p", { class: "hint" }, words.none);
  const list = element("ul", { class: "changes", "aria-label": words.list }, ...lines);
  if (lines.length > MOST + 1) fold(list, lines.slice(MOST));
  return list;
}

/** @param {HTMLElement} list @param {HTMLElement[]} rest */
function fold(list, rest) {
  for (const each of rest) each.hidden = true;
  const more = element("li", { class: "more" }, element("button", { type: "button", class: "quiet", on: { click: () => {
    for (const each of rest) each.hidden = false;
    more.remove();
    rest[0].tabIndex = -1;
    rest[0].focus();
  } } }, strings.difference.more(rest.length)));
  list.append(more);
}

/** @param {string} kind @param {...Child} words */
const line = (kind, ...words) => element("li", { class: kind }, ...words);

/**
 * An item's title, marked with its language for screen readers, or its id without a title.
 * @param {ShortcutItem} item @param {string} language @param {string} defaultLanguage
 */
function titleOf({ id, title = {} }, language, defaultLanguage) {
  const tag = [language, defaultLanguage, ...Object.keys(title)].find((each) => member(title, each));
  return tag === undefined
    ? element("code", {}, id)
    : element("bdi", { lang: tag, title: id, class: "name" }, member(title, tag));
}

/** @param {ShortcutItem} item @param {string} language @param {string} defaultLanguage */
function otherTitles({ title = {} }, language, defaultLanguage) {
  const said = member(title, language) ? language : defaultLanguage;
  return Object.entries(title).filter(([tag]) => tag !== said).map(
    ([tag, text]) => element(
      "span", { class: "titled" }, element("code", {}, tag), " ", element("bdi", { lang: tag }, text),
    ));
}

/**
 * A member's name: `title.de` is the German title.
 * @param {string} path
 */
export function memberName(path) {
  const [name, ...inner] = path.split(".");
  const rest = inner.join(".");
  if (name === "title" || name === "subtitle") return strings.difference.text(name, languageName(rest));
  if (name === "userInfo" && rest) return strings.difference.key(rest);
  if (name === "personal" && rest) {
    return /** @type {Record<string, string>} */ (strings.difference.personal)[rest] ?? path;
  }
  return /** @type {Record<string, string>} */ (strings.difference.members)[name] ?? path;
}

/**
 * @param {Node} name @param {import("../menus/difference.js").MemberChange} change @param {(id: string) => Node} named
 * @returns {Child[]}
 */
function memberWords(name, { member: path, old, new: now }, named) {
  if (path === "enabled") return strings.difference.enabled(name, now !== false);
  const lang = /^(sub)?title\./.test(path) ? path.slice(path.indexOf(".") + 1) : null;
  if (path === "replaces") {
    return [true, false].flatMap((isNow) => {
      /** @type {string[][]} */
      const [ids, others] = /** @type {any[]} */ (isNow ? [now, old] : [old, now]).map((each) => each ?? []);
      const taps = ids.filter((id) => !others.includes(id));
      const names = taps.flatMap(
        (id, index) => [index > 0 && ", ", named(id)],
      );
      return names.length > 0 ? strings.difference.replaces(names, name.cloneNode(true), isNow) : [];
    });
  }
  const value = (/** @type {any} */ each) => element("bdi", { lang }, written(each));
  return [strings.difference.of(name, memberName(path)), ...fromTo(old, now, value)];
}

/**
 * @param {import("../menus/difference.js").MemberChange} change @param {(id: string) => Node} named
 * @param {(url: any) => string | null | undefined} lands @returns {Child[]}
 */
function setWords({ member: path, old, new: now }, named, lands) {
  if (!path.startsWith("retired.")) return [`${memberName(path)}: `, ...fromTo(old, now, written)];
  const name = named(path.slice("retired.".length));
  return now === undefined ? strings.difference.unretired(name) : strings.difference.retired(name, lands(now));
}

/** @param {any} old @param {any} now @param {(value: any) => Child} value @returns {Child[]} */
function fromTo(old, now, value) {
  if (old === undefined) return [element("ins", {}, value(now))];
  return [
    element("del", {}, value(old)), " → ",
    element("ins", {}, now === undefined ? strings.difference.nothing : value(now)),
  ];
}
