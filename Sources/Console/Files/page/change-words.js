/** A difference in words: a list of sentences, each with what was and what is. */
import { isEmpty } from "../menus/difference.js";
import { strings } from "../strings.js";
import { element } from "./element.js";
import { written } from "./format.js";

/** @param {ReturnType<import("../menus/difference.js").difference>} change */
export function changeWords(change) {
  if (isEmpty(change)) return element("p", { class: "hint" }, strings.difference.none);
  const entries = [
    ...change.added.map((item) => itemLine("added", strings.difference.added(item.id), item.title)),
    ...change.removed.map((item) => itemLine("removed", strings.difference.removed(item.id), item.title)),
    ...change.changed.flatMap(({ id, members }) => members.map((member) => memberLine(id, member))),
    ...change.moved.map((id) => itemLine("moved", strings.difference.moved(id), {})),
    ...change.set.map((member) => memberLine(strings.difference.set, member)),
  ];
  return element("ul", { class: "changes" }, ...entries);
}

/**
 * An item with its titles, a line each: texts of several directions in one line would reorder it.
 * @param {string} kind @param {string} text @param {Record<string, string>} [titles] by language
 */
function itemLine(kind, text, titles = {}) {
  const rows = Object.entries(titles).map(([tag, title]) =>
    element("span", { class: "titled" }, element("code", {}, tag), " ", element("bdi", { lang: tag }, title)));
  return element("li", { class: kind }, element("strong", {}, text), ...rows.flatMap((row) => [" ", row]));
}

/** @param {string} owner @param {import("../menus/difference.js").MemberChange} change */
function memberLine(owner, { member, old, new: now }) {
  const values = [
    old === undefined ? null : element("del", {}, element("bdi", {}, written(old))),
    now === undefined ? null : element("ins", {}, element("bdi", {}, written(now))),
  ];
  return element(
    "li",
    { class: "changed" },
    element("strong", {}, `${owner} `),
    element("code", {}, member),
    " ",
    ...values.filter(Boolean).flatMap((value) => [value, " "]),
  );
}
