/** Decides in the update gap what a tap on a removed item does, and saves the decision in the menu's draft. */
import { findDraft, findSet, judgeDraft, putDraft } from "../api/apps.js";
import { refusal } from "../api/session.js";
import { DecisionChoice } from "../editor/decision-choice.js";
import { EMPTY_SET, decide, decisionOf, itemOf } from "../menus/document.js";
import { announce, guarded } from "../page/announcements.js";
import { button } from "../page/controls.js";
import { element, replaceChildren } from "../page/element.js";
import { shortTime } from "../page/format.js";
import { address } from "../page/router.js";
import { strings } from "../strings.js";

/**
 * @param {App} app @param {SetSummary} menu in effect after the update
 * @param {SimulatedItem} item that is removed without a rule
 * @param {ShortcutSet | null} drafted the menu's draft
 */
export function gapDecision(app, { version, audience }, { id, title }, drafted) {
  const place = /** @type {const} */ ([app.app, version, audience]);
  const removed = /** @type {string} */ (id);
  const link = element(
    "a", { href: address(["apps", app.app, "sets", version, audience]) },
    refusal("publisher") ? strings.removed.open : strings.removed.publish,
  );
  const decidedIn = (/** @type {ShortcutSet} */ set) =>
    [decisionWords(app, set, removed), strings.removed.draft(version), " ", link];
  const open = button(strings.removed.decide, guarded(async () => {
    const [draft, standing] = await Promise.all([findDraft(...place), findSet(...place)]);
    const before = draft?.set ?? standing?.set ?? EMPTY_SET;
    let set = before;
    const items = set.items.map((each) => ({ id: each.id, title: titleOf(app, each) }));
    const menu = { items, fallback: set.fallbackURL ?? app.fallbackURL };
    const refresh = () => choice.refresh(decisionOf(set, removed), null, menu);
    const choice = new DecisionChoice(title, (decision) => {
      set = decide(set, removed, decision);
      choice.say([]);
      refresh();
    }, null);
    refresh();
    const save = button(strings.common.save, guarded(async () => {
      const decided = set;
      const rule = `retired[${(decided.retired ?? []).findIndex((each) => each.id === removed)}]`;
      // Checked before it is saved: a draft with an invalid rule would look like a decision.
      const wrong = decided === before ? [strings.removed.choose]
        : (await judgeDraft(...place, decided)).violations.filter(({ path }) => path.startsWith(rule))
          .map(({ message }) => message);
      if (wrong.length > 0) {
        choice.say(wrong.map((message) => ({ message, severity: "violation" })));
        return (decided === before ? choice.select : choice.url).focus();
      }
      const base = draft?.base ?? standing?.revision ?? 0;
      await putDraft(...place, decided, { tag: draft?.tag ?? null, base });
      announce(strings.removed.draft(version), { quiet: true });
      replaceChildren(shown, decidedIn(decided));
      link.focus();
    }), { kind: "primary" });
    replaceChildren(shown, choice.element, save);
    choice.select.focus();
  }), { refusal: refusal("editor") });
  const isDecided = drafted && (itemOf(drafted, removed) || decisionOf(drafted, removed));
  const shown = element("div", { class: "gap-decision" }, drafted && isDecided ? decidedIn(drafted) : open);
  return shown;
}

/** @param {App} app @param {SimulatedItem} item that is removed @param {ScheduleEntry} plan decides what a tap does */
export const gapPlan = (app, { id }, { set, version, at }) => element(
  "div", { class: "gap-decision" },
  element("span", {}, decisionWords(app, set ?? EMPTY_SET, id ?? ""), strings.gap.planned(version, shortTime(at))),
);

/** @param {App} app @param {ShortcutItem} item */
const titleOf = ({ defaultLanguage }, { title }) =>
  title[defaultLanguage] ?? Object.values(title)[0] ?? strings.editor.newItem;

/** @param {App} app @param {ShortcutSet} set @param {string} id of the removed item */
function decisionWords(app, set, id) {
  const decision = decisionOf(set, id);
  const heir = itemOf(set, decision?.item ?? "");
  const fallback = set.fallbackURL ?? app.fallbackURL;
  return decision && `${strings.removed.does(heir && titleOf(app, heir), decision.url, fallback)}. `;
}
