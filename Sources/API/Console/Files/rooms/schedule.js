/** The schedule: the list of entries, a preview of each, and cancelling without losing the scheduled menu. */
import { deleteDraft, findDraft, findSet, putDraft } from "../api/apps.js";
import { get, path, remove } from "../api/client.js";
import { refusal } from "../api/session.js";
import { sameSet } from "../menus/document.js";
import { difference } from "../menus/difference.js";
import { releaseFor, rulingSet } from "../menus/shown.js";
import { announce, guarded } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button } from "../page/controls.js";
import { confirm, openDialog } from "../page/dialog.js";
import { element } from "../page/element.js";
import { longTime, shortTime, soon, zoneName } from "../page/format.js";
import { address } from "../page/router.js";
import { beforeAfter } from "../phone/phone.js";
import { strings } from "../strings.js";
import { setName } from "./app-frame.js";
import { messageLine } from "./revision.js";

/**
 * @typedef {{app: App, sets: SetSummary[], releases: Release[], schedule: ScheduleEntry[]}} Scheduled the data of a
 *   room of an app
 * @param {Scheduled} read @param {() => unknown} changed called after an entry was cancelled
 */
export function scheduleSection(read, changed) {
  if (read.schedule.length === 0) return null;
  const heading = element("h2", { tabindex: -1 }, strings.schedule.title);
  const done = async () => {
    await changed();
    /** @type {HTMLElement | null} */ (document.querySelector(".schedule h2, h1"))?.focus();
  };
  const rows = read.schedule.map((entry) => element("li", {},
    button(
      entryWords(entry), guarded(() => openEntry(read, entry, done)), { class: "linked", title: longTime(entry.at) },
    ),
    callOffButton(read.app, entry, done)));
  return element("section", { class: "schedule" }, heading, element("ul", { class: "rows" }, ...rows));
}

/** @param {ScheduleEntry} entry */
const entryWords = (entry) =>
  strings.schedule.entry(entry.kind, setName(entry.version, entry.audience), soon(entry.at), entry.by);

/** The sentence about an entry in the editor of its set. @param {ScheduleEntry} entry */
export const waitingWords = (entry) => strings.schedule.waits(entry.kind, soon(entry.at), entry.by);

/**
 * For the editor of a set: its scheduled changes, each with a button for a preview. @param {Scheduled} read
 * @param {() => unknown} changed
 */
export function waitingNotes(read, changed) {
  return read.schedule.map((entry) => element("p", { class: "warning" }, waitingWords(entry), " ",
    button(
      strings.schedule.see, guarded(() => openEntry(read, entry, changed)),
      { kind: "quiet", "aria-description": entryWords(entry) },
    )));
}

/** @param {App} app @param {ScheduleEntry} entry @param {() => unknown} done */
function callOffButton(app, entry, done) {
  return button(strings.schedule.callOff, guarded(() => callOff(app.app, entry, done)), {
    kind: "quiet", settles: true, refusal: refusal("publisher"),
    "aria-description": refusal("publisher") ?? entryWords(entry),
  });
}

/** Shows a preview of an entry. @param {Scheduled} read @param {ScheduleEntry} entry @param {() => unknown} changed */
async function openEntry({ app, sets, releases }, entry, changed) {
  const today = rulingSet(entry, sets);
  const rest = sets.filter((set) => set.version !== entry.version || set.audience !== entry.audience);
  const after = entry.kind === "delete" ? rulingSet(entry, rest) : null;
  const [now, then] = await Promise.all(
    [today, after].map((set) => set && findSet(app.app, set.version, set.audience))
  );
  const set = entry.kind === "delete" ? then?.set : entry.set;
  const isKnown = set !== null || entry.kind === "delete";
  const opened = openDialog(entryWords(entry), {
    wide: true, dismiss: strings.common.close,
    content: [
      element("p", {}, strings.schedule.at(shortTime(entry.at), zoneName(new Date(entry.at)))),
      messageLine(entry),
      isKnown ? beforeAfter(app, releaseFor(entry.version, releases), [
        { words: today ? strings.schedule.today(
          setName(today.version, today.audience), today.revision,
        ) : strings.schedule.now, set: now?.set },
        { words: strings.schedule.then, set },
      ]) : element("p", {}, strings.schedule.unknown),
      isKnown
        && changeWords(difference(
          now?.set, set,
          {
            successor: entry.kind === "publish"
              && today?.audience === entry.audience
              && today.version !== entry.version,
          },
        ), app),
      app.approvals > 0
        && element("p", { class: "hint" }, strings.schedule.approvals(app.approvals, entry.kind === "publish")),
    ],
    actions: [
      element(
        "a",
        {
          class: "button", href: address(["apps", app.app, "sets", entry.version, entry.audience]),
          on: { click: () => opened.close() },
        },
        strings.revision.edit,
      ),
      callOffButton(app, entry, async () => {
        opened.close();
        await changed();
      }),
    ],
  });
}

/**
 * Cancels an entry. A scheduled publish becomes a draft first, unless there is another draft.
 * @param {string} app @param {ScheduleEntry} entry @param {() => unknown} done
 */
async function callOff(app, entry, done) {
  /** @type {[string, string, string]} */
  const place = [app, entry.version, entry.audience];
  const entryPath = path`/apps/${app}/schedule/${entry.id}`;
  const end = async (/** @type {string} */ text, /** @type {string | null} */ made = null) => {
    try {
      await remove(entryPath);
    } catch (error) {
      // The entry ran in the meantime, so its draft is not needed.
      if (made) await deleteDraft(...place, made).catch(() => {});
      throw error;
    }
    await done();
    announce(text);
  };
  if (entry.kind !== "publish" || !entry.set) return end(strings.schedule.calledOff);
  const draft = await findDraft(...place);
  if (draft && sameSet(draft.set, entry.set)) return end(strings.schedule.isDraft);
  const giveUp = (/** @type {string} */ why) =>
    void confirm(
      strings.schedule.callOff, why, strings.schedule.callOff, () => end(strings.schedule.calledOff),
      { kind: "danger" },
    );
  if (draft) return giveUp(strings.schedule.otherDraft(setName(entry.version, entry.audience)));
  try {
    const base = (await get(entryPath)).fields.get("Longpress-Base") ?? (await findSet(...place))?.revision ?? 0;
    const { tag } = await putDraft(...place, entry.set, { tag: null, base: Number(base) });
    return await end(strings.schedule.isDraft, tag);
  } catch (error) {
    if (error.status !== 412 && error.status !== 422) throw error;
    const [first] = error.about(entry.set).violations;
    giveUp(strings.schedule.noDraft(first?.message ?? error.message));
  }
}
