/** The dialogs before a publish: phones, update gap, changes, warnings, approvals and times. */
import { DEFAULT_AUDIENCE, approveDraft, findCandidate, findSet, reviewDraft } from "../api/apps.js";
import { withItem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { difference } from "../menus/difference.js";
import { EMPTY_SET, languagesOf } from "../menus/document.js";
import { rulingSet } from "../menus/shown.js";
import { alarm, announce } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button, field, refuse, sayViolations } from "../page/controls.js";
import { openDialog } from "../page/dialog.js";
import { element, replaceChildren } from "../page/element.js";
import { shortTime, zoneName } from "../page/format.js";
import { strings } from "../strings.js";
import { member } from "../values/json.js";
import { languageName } from "../values/language.js";
import { pathSteps } from "../values/paths.js";
import { compareVersions } from "../values/version.js";
import { among, mayAnswer, missingApprovals, newsWords, otherApprovers, reviewWords, textOf } from "./review.js";
import { RolloutChoice } from "./rollout-choice.js";
import { timeField } from "./time-field.js";

/** The earlier menus whose taps are judged. */
const MOST_EARLIER = 10;

/** @typedef {import("../api/apps.js").SetName} SetName */
/** @typedef {import("../rooms/draft-gap.js").draftGap} DrawGap */
/**
 * `sets` of the app; `waiting`: sentences about scheduled changes of the set; `rollout`: the running one; `gap` draws
 * the update gap; `decide` shows where rules for removed items are made; `nameOf`: the title of an item, also of a
 * removed one; `published`: `share` if it began a roll-out.
 * @typedef {{session: DraftSession, review: import("./review.js").Review, app: App, sets: SetSummary[],
 *   waiting: string[], rollout: Candidate | null, place: SetName, release: Release | undefined, language: string,
 *   gap: DrawGap, nameOf: (id: string) => string, decide: () => void,
 *   published: (revision: number, share?: number) => void, scheduled: (entry: ScheduleEntry) => void}} Publishing
 */

/** @param {Publishing} context */
export async function openPublishDialog(context) {
  const { session, app, review } = context;
  const look = await lookAt(context);
  const at = timeField(strings.publish.at, strings.publish.zone(zoneName()));
  const until = timeField(strings.publish.until, strings.publish.untilHint, at.written);
  at.input.addEventListener("input", () => until.input.dispatchEvent(new Event("input")));
  const quick = strings.publish.quick(new Date()).map(([text, date]) => button(text, () => {
    at.set(date);
    announce(strings.publish.understood(shortTime(date.toISOString()), zoneName(date)), { quiet: true });
  }, { kind: "quiet" }));
  const ends = element("p", { class: "warning" }, strings.rollout.thisEnds);
  at.row.append(element("div", { class: "quick" }, ...quick), ends);
  const message = field(strings.publish.message, { maxlength: 200, hint: strings.publish.messageHint });
  const messageHint = /** @type {HTMLElement} */ (message.row.querySelector(".hint"));
  const reason = field(strings.publish.override, { maxlength: 200, hint: strings.publish.overrideHint });
  const refused = refusal("publisher");
  const why = element("p", { class: "why" });
  const decide = button("", () => {
    close();
    context.decide();
  });
  const now = button(strings.publish.now, () => run(false));
  const later = button(strings.publish.schedule, () => run(true));
  const approve = button(strings.publish.approve, () => approveNow(context, { close, fail }));
  const request = button(strings.review.request, () => {
    close();
    review.ask();
  });
  const opened = new AbortController();
  const isPossible = session.store.standing !== null;
  const to = new RolloutChoice(context.place, { isPossible, changed: () => arrange() });
  const times = element("div", { class: "when" }, at.row, until.row);
  const { dialog, close, fail } = openDialog(strings.publish.title, {
    wide: true,
    content: [look.element, reason.row, to.element, times, message.row, look.end],
    actions: [why, approve, request, later, now, decide],
    onClose: () => opened.abort(),
  });
  /** Whether approvals were missing although the app required none when the dialog was opened. */
  let isStricter = false;
  let isRunning = false;
  look.element.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest(".tap.lost") && !decide.hidden) decide.click();
  });
  follow(context, opened, close, () => {
    look.draw();
    arrange();
  });
  to.show(context.rollout);
  for (const { input } of [at, until, reason]) input.addEventListener("input", arrange);
  for (const { input } of [at, until]) {
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      run(true);
    });
  }

  /** Enables what is possible, makes one button the main one, and says in the footer why not to publish. */
  function arrange() {
    const { found } = review;
    const missing = missingApprovals(found, isStricter ? Math.max(1, app.approvals) : app.approvals);
    const { isRollout } = to;
    times.hidden = later.hidden = isRollout;
    now.textContent = to.action;
    const isLater = !isRollout && at.input.value.trim() !== "";
    ends.hidden = !isLater || !to.stops;
    const isCampaign = !isRollout && until.input.value.trim() !== "";
    if (isCampaign !== look.isCampaign) look.draw(isCampaign);
    const [start, end] = [at.written(), until.written()];
    const isEarly = start && end && end <= start;
    until.say(isEarly ? [{ message: strings.publish.endsEarly, severity: "violation" }] : []);
    const isOverridden = reason.input.value.trim() !== "";
    const names = among(otherApprovers(found), strings.review.or);
    const unapproved = missing > 0 && !isOverridden ? strings.publish.missing(missing, names, mayAnswer(found)) : null;
    const blocked = isLater ? strings.publish.hasTime : to.refusal;
    replaceChildren(why, refused ?? unapproved ?? blocked);
    const running = isRunning ? strings.publish.running : null;
    refuse(now, running ?? (why.textContent || null));
    refuse(later, running ?? (refused || unapproved ? why.textContent : null));
    reason.row.hidden = missing === 0 || refusal("owner") !== null;
    approve.hidden = missing === 0 || refused !== null;
    refuse(approve, session.isOnlyMerged ? strings.publish.unsaved : mayAnswer(found) ? null : strings.publish.ownWork);
    request.hidden = review.request.hidden;
    decide.hidden = look.lost === 0 || refusal("editor") !== null;
    decide.textContent = strings.publish.decide(look.lost);
    messageHint.textContent = isCampaign ? strings.publish.campaignHint : strings.publish.messageHint;
    const main = !decide.hidden ? decide
      : unapproved && mayAnswer(found) ? approve
      : !request.hidden && (unapproved || refused) ? request
      : isLater ? later
      : now;
    for (const each of [approve, request, later, now, decide]) each.className = each === main ? "primary" : "";
  }

  /** @param {boolean} isLater */
  async function run(isLater) {
    // A conflict aborts `opened`, and its dialog replaces this one as soon as it is read.
    if (isRunning || opened.signal.aborted || (isLater ? later : now).getAttribute("aria-disabled") === "true") return;
    dialog.querySelector(".dialog-errors")?.replaceChildren();
    const rollout = to.read();
    if (!rollout) return;
    /** @type {import("../api/apps.js").PublishRequest} */
    const when = { ...rollout, message: message.input.value.trim() || undefined };
    if (isLater && !(when.at = at.read() ?? undefined)) return;
    if (look.isCampaign && !(when.until = until.read() ?? undefined)) return;
    isRunning = true;
    arrange();
    try {
      const override = reason.input.value.trim() || undefined;
      const { answer, merged } = await session.publish(when, { override, stop: isLater ? undefined : to.stops });
      close();
      if (merged) {
        const words = merged === "contested" ? strings.publish.contested : strings.publish.mergedFirst;
        return announce(textOf([session.news && newsWords(session.news), words]));
      }
      if (answer.status === 202) return context.scheduled(answer.body);
      context.published(answer.body.revision, when.share);
    } catch (error) {
      isRunning = false;
      if (error.code === "approval-missing") {
        isStricter = true;
        await review.read();
      }
      if (error.code === "candidate-running") {
        const { app: name, version, audience } = context.place;
        to.show(await findCandidate(name, version, audience).catch(() => null));
      }
      arrange();
      say(error);
    }
  }

  /**
   * Shows errors of times and of the roll-out at their fields.
   * @param {any} error
   */
  function say(error) {
    const found = error.violations ?? [];
    const left = sayViolations({ at, until, message }, to.isRollout ? to.say(found) : found);
    if (left.length > 0 || found.length === 0) fail(error);
    /** @type {HTMLElement | null} */ (dialog.querySelector("[aria-invalid]"))?.focus();
  }
}

/**
 * Shows the draft to somebody who may approve it.
 * @param {Publishing} context
 */
export async function openReviewDialog(context) {
  const { session, review, place } = context;
  const look = await lookAt(context);
  const comment = field(strings.review.comment, { maxlength: 200, hint: strings.review.changesHint });
  const opened = new AbortController();
  const change = button(strings.review.requestChanges, async () => {
    if (comment.input.value.trim() === "") {
      comment.say([{ message: strings.review.sayWhat, severity: "violation" }]);
      return comment.input.focus();
    }
    try {
      await reviewDraft(place.app, place.version, place.audience, "changes", comment.input.value.trim());
      await review.read();
      close();
      announce(strings.review.areRequested);
    } catch (error) {
      fail(error);
    }
  });
  const approve = button(strings.publish.approve, () => approveNow(context, { close, fail }), {
    kind: "primary", refusal: session.isOnlyMerged ? strings.publish.unsaved : null,
  });
  const { close, fail } = openDialog(strings.review.review, {
    wide: true, content: [look.element, comment.row], actions: [change, approve], onClose: () => opened.abort(),
  });
  follow(context, opened, close, look.draw);
}

/**
 * Keeps an open dialog true: a change by somebody else is drawn, and a conflict replaces the dialog.
 * @param {Publishing} context @param {AbortController} opened @param {() => void} close @param {() => void} draw
 */
function follow({ session, review }, opened, close, draw) {
  const { signal } = opened;
  session.addEventListener("merged", draw, { signal });
  review.addEventListener("change", draw, { signal });
  session.addEventListener("change", () => {
    if (!session.conflict) return;
    opened.abort();
    session.refresh({ ask: true }).catch((error) => {
      close();
      alarm(error);
    });
  }, { signal });
}

/**
 * @param {Publishing} context @param {{close: () => void, fail: (error: any) => void}} dialog
 */
async function approveNow({ session, review, place }, { close, fail }) {
  try {
    await session.flush();
    const { body } = await approveDraft(place.app, place.version, place.audience, session.store.tag ?? "*");
    announce(strings.publish.approved(body.approvals, body.needed));
    await review.read();
    close();
  } catch (error) {
    fail(error);
  }
}

/**
 * What a publish would do: pictures, changes, warnings and languages. `end`: what the end of a campaign would do.
 * @param {Publishing} context
 */
async function lookAt(context) {
  const { session, app, place, release, review } = context;
  const pictures = field(strings.publish.pictures, { tag: "select" });
  const tags = tagsOf(app, session.set);
  pictures.input.append(...tags.map(
    (tag) => element("option", { value: tag, selected: tag === context.language }, languageName(tag)),
  ));
  let isChosen = false;
  pictures.input.addEventListener("change", () => {
    isChosen = true;
    look.draw();
  });
  const body = element("div", { class: "dialog-content" });
  const before = await servedSet(context);
  const [earlier] = await Promise.all([earlierSets(context, before), review.read()]);
  const isSuccessor = before?.audience === place.audience && before.version !== place.version;
  const news = session.news;
  const look = {
    element: element("div", { class: "dialog-content" }, tags.length > 1 && pictures.row, body),
    end: element("div", { class: "dialog-content" }),
    lost: 0,
    isCampaign: false,
    draw,
  };
  draw();
  return look;

  function draw(isCampaign = look.isCampaign) {
    look.isCampaign = isCampaign;
    const isNew = session.news !== news && session.news;
    const { found } = review;
    const language = pictures.input.value;
    const gap = context.gap(app, release, [
      {
        words: before ? strings.publish.beforeFrom(before.version, before.revision) : strings.publish.before,
        set: before?.set,
      },
      { words: strings.publish.after, set: session.set },
    ], { earlier, forgotten: forgotten(context), language, isChosen });
    look.lost = gap.lost;
    if (tags.includes(gap.tag)) pictures.input.value = gap.tag;
    const covered = coverage(app, session.set);
    replaceChildren(
      body,
      isNew && element("p", { class: "caution" }, newsWords(isNew), strings.conflict.now(isNew.cause, true)),
      found && (found.state !== "editing" || found.approvals.length > 0)
        && element("p", { class: `review ${found.state}` }, reviewWords(found)),
      review.comments(),
      gap.element,
      [...reachNotes(context), ...context.waiting].map((note) => element("p", { class: "hint" }, note)),
      element("h3", {}, strings.difference.list),
      changeWords(difference(before?.set, session.set, { successor: isSuccessor }), app, language),
      warnings(context, covered),
      covered,
    );
    const end = isCampaign && before && context.gap(app, release, [
      { words: strings.publish.campaign, set: session.set }, { words: strings.publish.afterEnd, set: before.set },
    ], { earlier, language, isChosen });
    replaceChildren(look.end, end && [
      element("h3", {}, strings.publish.end), end.element,
      end.lost > 0 && !(before.set.fallbackURL ?? app.fallbackURL)
        && element("p", { class: "hint" }, strings.publish.endHint),
    ]);
  }
}

/**
 * The set that the version is served now.
 * @param {Publishing} context @returns {Promise<(Standing & {version: string, audience: string}) | null>}
 */
async function servedSet({ session: { store: { standing } }, app, sets, place: { version, audience } }) {
  if (standing) return { ...standing, version, audience };
  const ruling = rulingSet({ version, audience }, sets);
  const found = ruling && (await findSet(app.app, ruling.version, ruling.audience));
  return found ? { ...found, version: ruling.version, audience: ruling.audience } : null;
}

/**
 * The menus of earlier versions, the newest first. Phones that update have their items.
 * @param {Publishing} context @param {{version: string, audience: string} | null} before is not one of them
 */
async function earlierSets({ app, sets, place: { version, audience } }, before) {
  const below = sets
    .filter((set) => set.audience === audience && compareVersions(set.version, version) < 0)
    .sort((left, right) => compareVersions(left.version, right.version))
    .slice(-MOST_EARLIER);
  const found = await Promise.all(below.map((set) => findSet(app.app, set.version, audience)));
  const documents = found.map((each) => each?.set ?? EMPTY_SET);
  return below
    .map((set, place) => ({ version: set.version, set: documents[place], between: documents.slice(place + 1) }))
    .filter((each) => each.version !== before?.version || audience !== before.audience)
    .reverse();
}

/**
 * Published items that the draft neither has nor decides. Phones may still show them.
 * @param {Publishing} context
 */
const forgotten = ({ session: { findings: { warnings: found } }, nameOf }) =>
  found.filter(({ code }) => code === "id-dropped").map(({ name = "" }) => ({ id: name, title: nameOf(name) }));

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
 * Warnings of the same kind are one sentence that names their items.
 * @param {Publishing} context @param {HTMLElement | null} covered
 */
function warnings({ session: { findings: { warnings: found }, set }, language, nameOf }, covered) {
  /** @type {Map<string, Warning[]>} */
  const kinds = new Map();
  for (const each of found) {
    const kind = `${each.code} ${each.new === false}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), each]);
  }
  /** @type {Record<string, ((names: string) => string) | undefined>} */
  const together = strings.publish.together;
  const lines = [...kinds.values()].flatMap((alike) => {
    const words = together[alike[0].code ?? ""];
    const texts = words && (alike.length > 1 || alike[0].code === "id-dropped")
      ? [words(alike.map((each) => subjectOf(each, set, language, nameOf)).join(", "))]
      : alike.map((each) => withItem(each, set, language));
    return texts.map((text) =>
      element("li", { class: "warning" }, text, alike[0].new === false ? ` ${strings.publish.standing}` : ""));
  });
  const isFine = found.length === 0 && !covered?.querySelector(".warning");
  const none = isFine && element("p", { class: "hint" }, strings.publish.noWarnings);
  const list = element("ul", { "aria-label": strings.publish.warnings, class: "warnings" }, ...lines);
  return (lines.length > 0 || none) && element("section", {}, element("h3", {}, strings.publish.warnings), list, none);
}

/**
 * The item of a warning, and the language if the warning is about a text.
 * @param {Warning} warning @param {ShortcutSet} set @param {string} language @param {(id: string) => string} nameOf
 */
function subjectOf({ path, message }, set, language, nameOf) {
  const [list, place, , tag] = pathSteps(path);
  const item = list === "items" ? set.items[Number(place)] : undefined;
  // A warning about a removed item names its id.
  const id = message.match(/\u2068(.*?)\u2069/)?.[1] ?? "";
  const name = item ? (item.title[language] ?? Object.values(item.title)[0]) : nameOf(id);
  return strings.publish.subject(name, typeof tag === "string" ? languageName(tag) : null);
}

/**
 * The languages of the app and of the menu.
 * @param {App} app @param {ShortcutSet} set
 */
const tagsOf = (app, set) => [...new Set([...(app.languages ?? []), ...languagesOf(set, app.defaultLanguage)])];

/**
 * How many items have a title in each language.
 * @param {App} app @param {ShortcutSet} set
 */
function coverage(app, set) {
  const tags = tagsOf(app, set);
  if (tags.length < 2 || set.items.length === 0) return null;
  const lines = tags.map((tag) => {
    const missing = set.items.filter((item) => !member(item.title, tag));
    const titles = missing.map((item, place) => [
      place > 0 && ", ", element("bdi", {}, member(item.title, app.defaultLanguage) ?? item.id),
    ]);
    const count = strings.publish.translated(languageName(tag), set.items.length - missing.length, set.items.length);
    return element(
      "li", { class: missing.length > 0 ? "warning" : "" }, count,
      missing.length > 0 && [
        strings.publish.untranslated, titles, ".",
        tag !== app.defaultLanguage && strings.publish.instead(languageName(app.defaultLanguage)),
      ],
    );
  });
  return element("section", {}, element("h3", {}, strings.publish.languages),
    element("ul", { "aria-label": strings.publish.languages, class: "coverage" }, ...lines));
}
