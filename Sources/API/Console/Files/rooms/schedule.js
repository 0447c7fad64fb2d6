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
import { dayRange, longTime, shortDay, shortTime, soon, zoneName } from "../page/format.js";
import { address } from "../page/router.js";
import { beforeAfter } from "../phone/phone.js";
import { strings } from "../strings.js";
import { setName } from "./app-frame.js";
import { messageLine } from "./revision.js";

/**
 * What is planned: an entry, or a campaign with its end, which is the entry itself if the campaign is live.
 * @typedef {{entry: ScheduleEntry, end: ScheduleEntry | null, name: string, title: string, times: string}} Plan
 *   `title`: the campaign's name with its days; `times`: its times
 * @typedef {{app: App, sets: SetSummary[], releases: Release[], schedule: ScheduleEntry[], live?: Revision[]}}
 *   Scheduled the data of a room of an app; `live`: the revisions of campaigns that are live
 */

/**
 * A campaign's publish and its end are one plan.
 * @param {ScheduleEntry[]} schedule @param {Revision[]} live @returns {Plan[]}
 */
export function plansOf(schedule, live = []) {
  const starts = schedule.filter(({ follows }) => !schedule.some(({ id }) => id === follows));
  return starts.map((entry) => {
    const isEnd = entry.expectedRevision !== undefined;
    const end = isEnd ? entry : (schedule.find(({ follows }) => follows === entry.id) ?? null);
    const made = live.find(({ revision }) => revision === entry.expectedRevision);
    const from = isEnd ? made?.publishedAt : entry.at;
    const name = (isEnd ? made : entry)?.message ?? "";
    const days = end && (from ? dayRange(from, end.at) : strings.schedule.until(shortDay(end.at)));
    const times = strings.times.range(from ? shortTime(from) : "…", end ? shortTime(end.at) : "…");
    const title = days ? strings.schedule.named(name || strings.schedule.campaign, days) : "";
    return { entry, end, name, title, times };
  });
}

/**
 * @param {Scheduled} read @param {() => unknown} changed called after an entry was cancelled
 */
export function scheduleSection(read, changed) {
  if (read.schedule.length === 0) return null;
  const heading = element("h2", { tabindex: -1 }, strings.schedule.title);
  const done = async () => {
    await changed();
    /** @type {HTMLElement | null} */ (document.querySelector(".schedule h2, h1"))?.focus();
  };
  const end = read.schedule.find(({ kind }) => kind === "promote" || kind === "stop");
  const isLate = (/** @type {Plan} */ { entry: { kind, rollout, at } }) =>
    kind === "share" && rollout === end?.rollout && Date.parse(at) >= Date.parse(end?.at ?? "");
  const rows = plansOf(read.schedule, read.live).map((plan) => element("li", {},
    planLink(
      isLate(plan) ? strings.schedule.never(planWords(plan)) : planWords(plan), read, plan, done,
      { class: "linked", title: longTime(plan.entry.at) },
    ),
    callOffButton(read.app, plan, done)));
  return element("section", { class: "schedule" }, heading, element("ul", { class: "rows" }, ...rows));
}

/**
 * Leads to the page of the plan's roll-out, or opens a preview.
 * @param {string} text @param {Scheduled} read @param {Plan} plan @param {() => unknown} changed
 * @param {ButtonOptions} options
 */
function planLink(text, read, plan, changed, options) {
  const { rollout, version, audience } = plan.entry;
  if (!rollout) return button(text, guarded(() => openPlan(read, plan, changed)), options);
  const href = address(["apps", read.app.app, "rollouts", version, audience]);
  return location.hash === href ? element("span", {}, text) : element("a", { ...options, href }, text);
}

/** @param {ScheduleEntry} entry */
const entryWords = ({ kind, version, audience, at, by, share }) =>
  strings.schedule.entry(kind, setName(version, audience), soon(at), by, share);

/** @param {Plan} plan */
const planWords = (plan) => (plan.end
  ? strings.schedule.plan(plan.title, setName(plan.entry.version, plan.entry.audience), plan.entry.by)
  : entryWords(plan.entry));

/** The sentence about a plan in the editor of its set. @param {Plan} plan */
export const waitingWords = ({ entry, end, name }) => [
  entry !== end && (end
    ? strings.schedule.begins(name, entry.by, soon(entry.at))
    : strings.schedule.waits(entry.kind, soon(entry.at), entry.by, entry.share)),
  end && strings.schedule.ends(soon(end.at)),
].filter(Boolean).join(" ");

/**
 * For the editor of a set: its scheduled changes, each with a way to see it. @param {Scheduled} read
 * @param {() => unknown} changed
 */
export function waitingNotes(read, changed) {
  return plansOf(read.schedule).map((plan) => element("p", { class: "warning" }, waitingWords(plan), " ",
    planLink(strings.schedule.see, read, plan, changed, { kind: "quiet", "aria-description": planWords(plan) })));
}

/** @param {Plan} plan */
const callOffWords = ({ entry, end }) => (entry === end
  ? strings.schedule.endNow
  : end ? strings.schedule.callOffCampaign : strings.schedule.callOff(entry.kind));

/**
 * A button that cancels a plan. What does not become a draft again is asked first.
 * @param {App} app @param {Plan} plan @param {() => unknown} done
 */
function callOffButton(app, plan, done) {
  return button(callOffWords(plan), guarded(() => callOff(app.app, plan, done)), {
    kind: "quiet", settles: true, refusal: refusal("publisher"),
    "aria-description": refusal("publisher") ?? planWords(plan),
  });
}

/** Shows a preview of a plan. @param {Scheduled} read @param {Plan} plan @param {() => unknown} changed */
export async function openPlan({ app, sets, releases }, plan, changed) {
  const { entry, end } = plan;
  const today = rulingSet(entry, sets);
  const rest = sets.filter((set) => set.version !== entry.version || set.audience !== entry.audience);
  const after = entry.kind === "delete" ? rulingSet(entry, rest) : null;
  const [now, then] = await Promise.all(
    [today, after].map((set) => set && findSet(app.app, set.version, set.audience))
  );
  const set = entry.kind === "delete" ? then?.set : entry.set;
  const isKnown = set !== null || entry.kind === "delete";
  const opened = openDialog(planWords(plan), {
    wide: true, dismiss: strings.common.close,
    content: [
      entry !== end && element("p", {}, strings.schedule.at(shortTime(entry.at), zoneName(new Date(entry.at)))),
      end && element("p", {}, strings.schedule.ends(soon(end.at))),
      !end && messageLine(entry),
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
      callOffButton(app, plan, async () => {
        opened.close();
        await changed();
      }),
    ],
  });
}

/**
 * Cancels an entry, after a question if that loses something. A scheduled publish becomes a draft first, unless there
 * is another draft.
 * @param {string} app @param {Plan} plan @param {() => unknown} done
 */
async function callOff(app, plan, done) {
  const { entry, end, title } = plan;
  /** @type {[string, string, string]} */
  const place = [app, entry.version, entry.audience];
  const entryPath = path`/apps/${app}/schedule/${entry.id}`;
  const cancel = async (/** @type {string} */ text, /** @type {string | null} */ made = null) => {
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
  const words = callOffWords(plan);
  const question = (/** @type {string} */ why, act = () => cancel(strings.schedule.calledOff)) =>
    void confirm(words, why, words, act, { kind: "danger", dismiss: strings.schedule.keep });
  if (entry.rollout) return question(strings.schedule.callOffStep(planWords(plan)));
  if (entry === end) return question(strings.schedule.endNowText(title));
  const { set } = entry;
  if (entry.kind !== "publish" || !set) return cancel(strings.schedule.calledOff);
  const draft = await findDraft(...place);
  if (draft && !sameSet(draft.set, set)) {
    return question(strings.schedule.otherDraft(setName(entry.version, entry.audience)));
  }
  const turnIntoDraft = async () => {
    if (draft) return cancel(strings.schedule.isDraft);
    try {
      const base = (await get(entryPath)).fields.get("Longpress-Base") ?? (await findSet(...place))?.revision ?? 0;
      const { tag } = await putDraft(...place, set, { tag: null, base: Number(base) });
      await cancel(strings.schedule.isDraft, tag);
    } catch (error) {
      if (error.status !== 412 && error.status !== 422) throw error;
      const [first] = error.about(set).violations;
      question(strings.schedule.noDraft(first?.message ?? error.message));
    }
  };
  return end ? question(strings.schedule.callOffText(title), turnIntoDraft) : turnIntoDraft();
}
