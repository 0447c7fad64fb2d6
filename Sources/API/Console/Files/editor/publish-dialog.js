/** The dialog before a publish: changes, warnings, approvals, and times. */
import { DEFAULT_AUDIENCE, approveDraft, findSet, listDrafts } from "../api/apps.js";
import { withItem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { difference } from "../menus/difference.js";
import { rulingSet } from "../menus/shown.js";
import { announce } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button, field, refuse } from "../page/controls.js";
import { openDialog } from "../page/dialog.js";
import { element, replaceChildren } from "../page/element.js";
import { looksLikeTime, readTime, shortTime, writeTime, zoneName } from "../page/format.js";
import { beforeAfter } from "../phone/phone.js";
import { strings } from "../strings.js";
import { compareVersions } from "../values/version.js";

/** @typedef {{version: string, audience: string}} SetPlace */
/**
 * `sets` of the app; `waiting`: sentences about scheduled changes of the set.
 * @typedef {{session: DraftSession, app: App, sets: SetSummary[], waiting: string[], place: SetPlace, release: Release
 *   | undefined, language: string, published: (revision: number) => void, scheduled: (entry: ScheduleEntry) => void}}
 *   Publishing
 */

/** @param {Publishing} context */
export async function openPublishDialog(context) {
  const { session, app, place } = context;
  const before = await servedSet(context);
  const isSuccessor = before?.audience === place.audience && before.version !== place.version;
  const at = timeField(strings.publish.at, strings.publish.zone(zoneName()));
  const until = timeField(strings.publish.until, strings.publish.untilHint);
  const quick = strings.publish.quick(new Date()).map(([text, date]) => button(text, () => {
    at.set(date);
    announce(strings.publish.understood(shortTime(date.toISOString()), zoneName(date)), { quiet: true });
  }, { kind: "quiet" }));
  const message = field(strings.publish.message, { maxlength: 200, hint: strings.publish.messageHint });
  const reason = field(strings.publish.override, { maxlength: 200, hint: strings.publish.overrideHint });
  const approvals = element("div", { class: "approvals" });
  const refused = refusal("publisher");
  const now = button(strings.publish.now, () => run(false), { kind: "primary", refusal: refused });
  const later = button(strings.publish.schedule, () => run(true), { refusal: refused });
  const approve = button(
    strings.publish.approve, () => approveNow(),
    { refusal: refused ?? (session.isOnlyMerged ? strings.publish.unsaved : null) },
  );
  const { dialog, close, fail } = openDialog(strings.publish.title, {
    wide: true,
    content: [
      beforeAfter(app, context.release, [
        {
          words: before ? strings.publish.beforeFrom(before.version, before.revision) : strings.publish.before,
          set: before?.set,
        },
        { words: strings.publish.after, set: session.set },
      ], context.language),
      ...[...reachNotes(context), ...context.waiting].map((note) => element("p", { class: "hint" }, note)),
      element("h3", {}, strings.difference.list),
      changeWords(difference(before?.set, session.set, { successor: isSuccessor }), app, context.language),
      warnings(session, context.language),
      approvals,
      message.row,
      element("div", { class: "when" }, at.row, until.row, element("div", { class: "quick" }, ...quick)),
    ],
    actions: [approve, later, now],
  });
  showApprovals(app.approvals);
  at.input.addEventListener("input", () => sayWhen());
  let isRunning = false;
  for (const { input } of [at, until]) {
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      run(true);
    });
  }

  /** With a time in the field, Schedule is the main button, so that nobody publishes at once by mistake. */
  function sayWhen() {
    const isLater = at.input.value.trim() !== "";
    refuse(now, refused ?? (isLater ? strings.publish.hasTime : null));
    now.className = isLater ? "" : "primary";
    later.className = isLater ? "primary" : "";
  }

  /**
   * Shows the required approvals and who approved.
   * @param {number} needed
   */
  async function showApprovals(needed) {
    approve.hidden = approvals.hidden = !(needed > 0);
    if (!(needed > 0)) return;
    const drafts = await listDrafts(app.app).catch(() => []);
    const draft = drafts.find(({ version, audience }) => version === place.version && audience === place.audience);
    const names = draft?.approvals.map(({ owner }) => owner) ?? [];
    replaceChildren(
      approvals,
      element(
        "p", { class: names.length < needed ? "warning" : "hint" },
        strings.publish.approvals(names.length, needed, names),
      ),
      names.length < needed && !refusal("owner") && reason.row,
    );
  }

  /** @param {boolean} isLater */
  async function run(isLater) {
    if (refused || isRunning) return;
    dialog.querySelector(".dialog-errors")?.replaceChildren();
    /** @type {{at?: string, until?: string, message?: string}} */
    const when = message.input.value.trim() === "" ? {} : { message: message.input.value.trim() };
    if (isLater && !at.read(when, "at", strings.publish.noTime)) return;
    if (until.input.value.trim() !== "" && !until.read(when, "until", strings.publish.noTime)) return;
    for (const control of [now, later]) refuse(control, strings.publish.running);
    isRunning = true;
    try {
      const { answer, merged } = await session.publish(when, reason.input.value.trim() || undefined);
      close();
      if (merged) return announce(merged === "contested" ? strings.publish.contested : strings.publish.mergedFirst);
      if (answer.status === 202) return context.scheduled(answer.body);
      context.published(answer.body.revision);
    } catch (error) {
      isRunning = false;
      refuse(later, refused);
      sayWhen();
      if (error.code === "approval-missing") showApprovals(Math.max(1, app.approvals));
      say(error);
    }
  }

  /**
   * Shows errors of times at their fields.
   * @param {any} error
   */
  function say(error) {
    const left = (error.violations ?? []).filter((/** @type {Violation} */ violation) => {
      const place = { at, until, message }[violation.path];
      place?.say([{ message: violation.message, severity: "violation" }]);
      return !place;
    });
    if (left.length > 0 || !error.violations?.length) fail(error);
    /** @type {HTMLElement | null} */ (dialog.querySelector("[aria-invalid]"))?.focus();
  }

  async function approveNow() {
    try {
      await session.flush();
      const { body } = await approveDraft(app.app, place.version, place.audience, session.store.tag ?? "*");
      announce(strings.publish.approved(body.approvals, body.needed));
      close();
    } catch (error) {
      fail(error);
    }
  }
}

/**
 * The set that the version is served now.
 * @param {Publishing} context @returns {Promise<(Standing & SetPlace) | null>}
 */
async function servedSet({ session: { store: { standing } }, app, sets, place: { version, audience } }) {
  if (standing) return { ...standing, version, audience };
  const ruling = rulingSet({ version, audience }, sets);
  const found = ruling && (await findSet(app.app, ruling.version, ruling.audience));
  return found ? { ...found, version: ruling.version, audience: ruling.audience } : null;
}

/**
 * Who gets the menu, and the effect of an audience's first menu.
 * @param {Publishing} context
 */
function reachNotes({ sets, place: { version, audience } }) {
  const own = sets.filter((set) => set.audience === audience);
  const [next] = own
    .map((set) => set.version)
    .filter((other) => compareVersions(other, version) > 0)
    .sort(compareVersions);
  const isFirst = own.length === 0 && sets.some((set) => set.audience === DEFAULT_AUDIENCE);
  return [
    strings.publish.reach(version, next, audience), ...(isFirst ? [strings.publish.firstOf(audience, version)] : []),
  ];
}

/**
 * A field for a time in the editor's zone. Its hint shows how the time is understood.
 * @param {string} label @param {string} hint
 */
function timeField(label, hint) {
  const made = field(label, { placeholder: "2026-12-24 18:00", hint });
  const said = made.row.querySelector(".hint");
  const understood = () => {
    const time = readTime(made.input.value);
    if (said) {
      said.textContent = time ? strings.publish.understood(shortTime(time.toISOString()), zoneName(time)) : hint;
    }
    made.say([]);
  };
  made.input.addEventListener("input", understood);
  return {
    ...made,
    /** @param {Date} date */
    set(date) {
      made.input.value = writeTime(date);
      made.input.dispatchEvent(new Event("input"));
    },
    /**
     * Stores the time under a name, or shows an error at the field.
     * @param {{at?: string, until?: string}} times @param {"at" | "until"} name @param {string} wrong
     */
    read(times, name, wrong) {
      const time = readTime(made.input.value);
      if (time) times[name] = time.toISOString().replace(".000Z", "Z");
      else {
        made.say([
          {
            message: looksLikeTime(made.input.value) ? strings.publish.noSuchTime(zoneName()) : wrong,
            severity: "violation",
          },
        ]);
        made.input.focus();
      }
      return time !== null;
    },
  };
}

/** @param {DraftSession} session @param {string} language of the titles of items */
function warnings({ findings: { warnings: found }, set }, language) {
  const lines = found.map((each) =>
    element(
      "li", { class: "warning" }, withItem(each, set, language),
      each.new === false ? ` ${strings.publish.standing}` : "",
    ));
  const none = found.length === 0 && element("p", { class: "hint" }, strings.publish.noWarnings);
  const list = element("ul", { "aria-label": strings.publish.warnings, class: "warnings" }, ...lines);
  return element("section", {}, element("h3", {}, strings.publish.warnings), list, none);
}
