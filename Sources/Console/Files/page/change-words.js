/** A difference in words: a list of sentences, each with what was and what is. */
import { isEmpty } from "../menus/difference.js";
import { strings } from "../strings.js";
import { element } from "./element.js";
import { written } from "./format.js";

/** @param {ReturnType<import("../menus/difference.js").difference>} change */
export function changeWords(change) {
  if (isEmpty(change)) return element("p", { class: "hint" }, strings.difference.none);
  const entries = [
    ...change.added.map((item) => line("added", strings.difference.added(item.id), Object.values(item.title ?? {}).join(", "))),
    ...change.removed.map((item) => line("removed", strings.difference.removed(item.id), Object.values(item.title ?? {}).join(", "))),
    ...change.changed.flatMap(({ id, members }) => members.map((member) => memberLine(id, member))),
    ...change.moved.map((id) => line("moved", strings.difference.moved(id))),
    ...change.set.map((member) => memberLine(strings.difference.set, member)),
  ];
  return element("ul", { class: "changes" }, ...entries);
}

/** @param {string} kind @param {string} text @param {string} [more] */
function line(kind, text, more) {
  return element("li", { class: kind }, element("strong", {}, text), more ? [" ", element("span", { dir: "auto" }, more)] : null);
}

/** @param {string} owner @param {import("../menus/difference.js").MemberChange} change */
function memberLine(owner, { member, old, new: now }) {
  const values = [
    old === undefined ? null : element("del", { dir: "auto" }, written(old)),
    now === undefined ? null : element("ins", { dir: "auto" }, written(now)),
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
