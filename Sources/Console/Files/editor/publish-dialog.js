/** What a publish would change, what it would be warned of, and when it should happen. */
import { approveDraft } from "../api/apps.js";
import { noteOwn } from "../api/live.js";
import { refusal } from "../api/session.js";
import { difference } from "../menus/difference.js";
import { menuOf } from "../menus/shown.js";
import { announce } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button, field, refuse } from "../page/controls.js";
import { openDialog } from "../page/dialog.js";
import { element } from "../page/element.js";
import { readTime, writeTime, zoneName } from "../page/format.js";
import { phoneOf } from "../phone/phone.js";
import { strings } from "../strings.js";

/**
 * @param {{session: DraftSession, app: App, place: {version: string, audience: string}, release: Release | undefined,
 *   published: (revision: number) => void, scheduled: (entry: ScheduleEntry) => void}} context
 */
export function openPublishDialog(context) {
  const { session, app } = context;
  const at = field(strings.publish.at, { placeholder: "2026-12-24 18:00", hint: strings.publish.zone(zoneName()) });
  const quick = strings.publish.quick(new Date()).map(
    ([text, date]) => button(text, () => (at.input.value = writeTime(date)), { kind: "quiet" }),
  );
  const reason = app.approvals > 0 ? field(strings.publish.override, { hint: strings.publish.overrideHint }) : null;
  const missing = missingApprovals(session, app);
  const refused = refusal("publisher");
  const now = button(strings.publish.now, () => run({}), { kind: "primary", refusal: refused, type: "submit" });
  const later = button(strings.publish.schedule, () => schedule(), { refusal: refused });
  const approve = app.approvals > 0 && button(strings.publish.approve, () => approveNow(), { refusal: refused });
  const opened = openDialog(strings.publish.title, {
    wide: true,
    content: [
      ...pictures(context),
      changeWords(difference(session.standing?.set, session.set)),
      element("h3", {}, strings.publish.warnings),
      warnings(session.findings.warnings),
      missing && element("p", { class: "warning" }, strings.publish.approvals(session.approvals ?? `0/${app.approvals}`)),
      reason && !refusal("owner") && reason.row,
      element("div", { class: "when" }, at.row, element("div", { class: "quick" }, ...quick)),
    ].filter(Boolean),
    actions: [approve, later, now],
    submit: () => {},
  });
  opened.dialog.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === at.input) {
      event.preventDefault();
      schedule();
    }
  });

  async function schedule() {
    const time = readTime(at.input.value);
    if (!time) {
      at.say([{ message: strings.publish.noTime, severity: "violation" }]);
      return at.input.focus();
    }
    await run({ at: time.toISOString().replace(".000Z", "Z") });
  }

  /** @param {{at?: string}} when */
  async function run(when) {
    for (const control of [now, later]) refuse(control, strings.publish.running);
    at.say([]);
    try {
      const { answer, merged } = await session.publish(when, reason?.input.value.trim() || undefined);
      opened.close();
      if (merged) return announce(merged === "contested" ? strings.publish.contested : strings.publish.mergedFirst);
      if (answer.status === 202) return context.scheduled(answer.body);
      noteOwn(app.app, answer.body.revision);
      context.published(answer.body.revision);
    } catch (error) {
      for (const control of [now, later]) refuse(control, refused);
      opened.fail(error);
    }
  }

  async function approveNow() {
    try {
      await session.flush();
      const { body } = await approveDraft(app.app, context.place.version, context.place.audience, session.tag ?? "*");
      session.approvals = `${body.approvals}/${body.needed}`;
      announce(strings.publish.approved(body.approvals, body.needed));
      opened.close();
    } catch (error) {
      opened.fail(error);
    }
  }
}

/**
 * The menu before and after, in the app's default language.
 * @param {{session: DraftSession, app: App, release: Release | undefined}} context
 */
function pictures({ session, app, release }) {
  const draw = (/** @type {ShortcutSet | undefined} */ set, /** @type {string} */ caption) => {
    const { shown } = menuOf(set ?? { items: [] }, release?.staticItems ?? [], app.defaultLanguage, app.defaultLanguage);
    return phoneOf({ name: app.name ?? app.app, rows: shown, language: app.defaultLanguage, caption });
  };
  return [
    element(
      "div",
      { class: "before-after" },
      draw(session.standing?.set, strings.publish.before),
      draw(session.set, strings.publish.after),
    ),
  ];
}

/** @param {Warning[]} found */
function warnings(found) {
  const list = element("ul", { "aria-label": strings.publish.warnings, class: "warnings" },
    ...found.map(
      ({ message, new: isNew }) => element("li", { class: "warning" }, message, isNew === false ? ` ${strings.publish.standing}` : ""),
    ));
  return element("div", {}, list, found.length === 0 && element("p", { class: "hint" }, strings.publish.noWarnings));
}

/** @param {DraftSession} session @param {App} app */
function missingApprovals(session, app) {
  if (!(app.approvals > 0)) return false;
  const [given, needed] = (session.approvals ?? `0/${app.approvals}`).split("/").map(Number);
  return given < needed;
}
