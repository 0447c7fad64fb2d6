/** A roll-out: its result, its plan, its taps and both menus, and how to promote or stop it. */
import {
  endRollout, findCandidate, findResult, getApp, getRevision, latestRevisions, listReleases, listSchedule,
  patchCandidate,
} from "../api/apps.js";
import { noteOwn } from "../api/live.js";
import { refusal } from "../api/session.js";
import { RolloutFields } from "../editor/rollout-fields.js";
import { watch } from "../editor/review.js";
import { timeField } from "../editor/time-field.js";
import { difference } from "../menus/difference.js";
import { itemOf } from "../menus/document.js";
import { releaseFor } from "../menus/shown.js";
import { announce } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button, emptyPlace } from "../page/controls.js";
import { openDialog } from "../page/dialog.js";
import { element } from "../page/element.js";
import { soon, timeElement, zoneName } from "../page/format.js";
import { Room } from "../page/room.js";
import { address } from "../page/router.js";
import { row, table } from "../page/table.js";
import { beforeAfter } from "../phone/phone.js";
import { strings } from "../strings.js";
import { same } from "../values/json.js";
import { appFrame, setName } from "./app-frame.js";
import { outcomeWord } from "./gap-list.js";
import { asDraft } from "./revision.js";
import { ratioPlot } from "./rollout-plot.js";
import { scheduleSection } from "./schedule.js";
import { forgottenItems } from "./set-documents.js";

const { rollout: words } = strings;

class RolloutRoom extends Room {
  /** @type {import("../api/apps.js").Where} */
  get #where() {
    const { app, version, audience } = this.place;
    return [app, version, audience];
  }

  get name() {
    return setName(this.place.version, this.place.audience);
  }

  async open() {
    const { app: id, version, audience } = this.place;
    const options = { signal: this.signal };
    const [app, releases, state] = await Promise.all([getApp(id, options), listReleases(id, options), this.#read()]);
    watch(this.signal, () => this.#follow(state).catch(() => {}));
    const { running, result, schedule } = state;
    this.app = app;
    const title = words.title(this.name);
    const frame = appFrame(id, "");
    const edit = element(
      "a", { class: "button", href: address(["apps", id, "sets", version, audience]) }, strings.revision.edit,
    );
    if (!result) {
      return this.show(title, frame, emptyPlace(this.place.query.has("revision") ? words.noResult : words.never, edit));
    }
    const { summary, share, revision, startedAt, firstTaps, lost, history, items, guard } = result;
    const { end, endedAt = "", endedBy } = result;
    const arms = words.arms(end === "promoted");
    const first = share === 0 && !end && schedule.find(({ kind }) => kind === "share");
    const isOpen = end && result.ratio.lower === undefined && result.ratio.upper === undefined;
    const hasEnd = schedule.some(({ kind }) => kind === "promote" || kind === "stop");
    const [candidate, revisions] = await Promise.all([
      getRevision(id, revision, options), latestRevisions(id, version, audience, options),
    ]);
    const control = revisions.find((each) => each.kind === "published" && each.revision < revision);
    this.show(title, frame,
      end && element("p", { class: "summary" }, words.ends(end, guard ?? {}, endedBy)),
      element("p", { class: end ? null : "summary" },
        first ? words.starts(first.share ?? 0, soon(first.at))
          : share === 0 && !end ? words.noStart
          : isOpen ? words.tooEarly : summary),
      element(
        "p", { class: "hint" }, ...words.started(share, revision, element("bdi", {}, candidate.by), end), " ",
        timeElement(startedAt), ".", end && [words.endedAt, timeElement(endedAt), "."],
      ),
      element("div", { class: "room-actions", role: "group", "aria-label": words.toolbar },
        running && this.#ends(running, candidate, control), edit, end && asDraft(app, candidate)),
      element("div", { class: "halves" }, element("div", {}, running && [
        element("h2", {}, words.plan), element("p", {}, words.get(share, revision), ". ", words.guard(guard ?? {})),
        !hasEnd && element("p", { class: "hint" }, words.toAll),
        button(words.change, () => this.#change(running), { refusal: refusal("publisher") }),
        scheduleSection({ app, releases, schedule, sets: control ? [control] : [] }, () => this.refresh()),
      ],
      element("h2", {}, words.firstTaps), element("p", { class: "hint" }, words.firstTapsHint),
      element("dl", {},
        element("dt", {}, words.armOf(arms[0], share, end)),
        element("dd", {}, words.taps(firstTaps.candidate, firstTaps.lost, lost)),
        element("dt", {}, words.armOf(arms[1], 100 - share, end)),
        element("dd", {}, words.taps(firstTaps.control, 0, {}))),
      history.length > 0 && ratioPlot(history, guard?.worse),
      element("h2", {}, words.items),
      items.length > 0
        ? tapTable(items, arms, (item) => titleIn([candidate, control], item, app.defaultLanguage))
        : element("p", { class: "hint" }, words.noTaps)), element("div", {},
      element("h2", {}, words.menus),
      beforeAfter(app, releaseFor(version, releases), [
        { words: words.menu(arms[1], control?.revision), set: control?.set },
        { words: words.menu(arms[0], revision), set: candidate.set },
      ]),
      element("h3", {}, strings.difference.list),
      changeWords(difference(control?.set, candidate.set ?? undefined), app))));
  }

  /**
   * The result of the roll-out in the query, of the running or the last one. If it runs: the roll-out, and scheduled
   * changes of it and of its menu.
   */
  async #read() {
    const options = { signal: this.signal };
    const query = { revision: this.place.query.get("revision") };
    const [candidate, result, schedule] = await Promise.all([
      findCandidate(...this.#where, options), findResult(...this.#where, { ...options, query }),
      listSchedule(this.place.app, options),
    ]);
    const running = candidate?.id === result?.id ? candidate : null;
    const { version, audience } = this.place;
    const isHere = (/** @type {ScheduleEntry} */ entry) => running
      && (entry.rollout ? entry.rollout === running.id : entry.version === version && entry.audience === audience);
    return { running, result, schedule: schedule.filter(isHere) };
  }

  /**
   * Draws again if something changed. The live stream does not report taps.
   * @param {object} known
   */
  async #follow(known) {
    if (!same(await this.#read(), known)) await this.refresh();
  }

  /**
   * The buttons that end it, each with a confirmation.
   * @param {Candidate} running @param {Revision} candidate @param {Revision | undefined} control
   */
  #ends({ revision, share, scheduled = [] }, candidate, control) {
    /** @type {(end: "promote" | "stop", text: string, kind: "primary" | "danger") => HTMLElement} */
    const made = (end, text, kind) => button(
      words[end],
      () => this.#askToEnd(end, text + plan, revision, (end === "promote" ? candidate : control)?.set, kind),
      { kind, settles: true, refusal: refusal("publisher") },
    );
    const plan = scheduled.length > 0 ? words.endsPlan : "";
    return [
      made("promote", words.promoteText(this.name, revision), "primary"),
      made("stop", words.stopText(revision, control?.revision, share), "danger"),
    ];
  }

  /**
   * Ends it now or at a time.
   * @param {"promote" | "stop"} end @param {string} text @param {number} candidate its revision
   * @param {ShortcutSet | null | undefined} menu that everyone gets
   * @param {"primary" | "danger"} kind
   */
  #askToEnd(end, text, candidate, menu, kind) {
    const at = timeField(words.stepAt, words.endHint(zoneName()));
    const lost = element("p", { class: "warning" });
    if (menu) {
      forgottenItems(this.app, this.place, menu)
        .then((items) => items.length > 0 && lost.append(strings.gap.forgotten(items.map(({ title }) => title))))
        .catch(() => {});
    }
    const opened = openDialog(words[end], {
      content: [element("p", {}, text), lost, at.row],
      actions: [button(words[end], null, { kind, type: "submit" })],
      submit: async () => {
        const time = at.input.value.trim() === "" ? undefined : at.read();
        if (time === null) return;
        if (time && Date.parse(time) <= Date.now()) {
          at.say([{ message: words.noOrder(true), severity: "violation" }]);
          return at.input.focus();
        }
        try {
          const { revision: now } = await endRollout(...this.#where, end, candidate, time);
          if (!time) noteOwn(this.place.app, now);
          opened.close();
          await this.refresh();
          announce(time ? words.endPlanned : words.ended(end, now));
        } catch (error) {
          opened.fail(error);
        }
      },
    });
  }

  /**
   * Changes the share, the steps and the guard. Only what was edited is sent.
   * @param {Candidate} running
   */
  #change({ share, guard, scheduled = [] }) {
    const steps = scheduled.filter(({ kind }) => kind === "share")
      .map(({ at, share: next = 0 }) => ({ at, share: next }));
    const fields = new RolloutFields({ share, steps, guard }, true);
    const written = () => {
      const plan = fields.read();
      // The request is a merge patch, so each limit without a value is removed.
      const { lost = null, worse = null } = plan?.guard ?? {};
      return plan && { share: plan.share, steps: plan.steps ?? null, guard: plan.guard ? { lost, worse } : null };
    };
    const before = Object.entries(written() ?? {});
    const opened = openDialog(words.changeTitle, {
      content: [fields.element], actions: [button(strings.common.save, null, { kind: "primary", type: "submit" })],
      submit: async () => {
        const now = written();
        if (!now) return;
        try {
          const edited = Object.entries(now).filter((entry) => !before.some((each) => same(each, entry)));
          if (edited.length > 0) await patchCandidate(...this.#where, Object.fromEntries(edited));
          opened.close();
          await this.refresh();
          announce(words.changed);
        } catch (error) {
          const violations = fields.say(error.violations ?? []);
          if (violations.length > 0 || !error.violations?.length) opened.fail(Object.assign(error, { violations }));
        }
      },
    });
    fields.share.input.focus();
  }
}

/**
 * The taps of both arms by item and outcome, the most frequent first.
 * @param {RolloutResult["items"]} items @param {string[]} arms @param {(item: string) => Child} titleOf
 */
function tapTable(items, arms, titleOf) {
  /** @type {Map<string, {item: string | null, outcome: Outcome, candidate: number, control: number}>} */
  const lines = new Map();
  for (const { item, outcome, arm, count } of items) {
    const line = lines.get(`${outcome} ${item}`) ?? { item, outcome, candidate: 0, control: 0 };
    line[arm] += count;
    lines.set(`${outcome} ${item}`, line);
  }
  const sorted = [...lines.values()].sort((a, b) => b.candidate + b.control - a.candidate - a.control);
  const columns = [...words.itemColumns, ...arms.map((arm) => `#${arm}`)];
  return table(words.items, columns, element("tbody", {}, ...sorted.map(({ item, outcome, candidate, control }) =>
    row(columns, [
      item === null ? words.otherItems : titleOf(item), outcomeWord(outcome),
      ...[candidate, control].map((count) => count.toLocaleString("en")),
    ]))));
}

/**
 * The title of an item in the first menu that has it, or its id.
 * @param {(Revision | undefined)[]} menus @param {string} id @param {string} language
 */
function titleIn(menus, id, language) {
  const found = menus.map((menu) => menu?.set && itemOf(menu.set, id)).find(Boolean);
  return found ? element("bdi", { title: id }, found.title[language] ?? id) : element("code", {}, id);
}

customElements.define("lp-rollout", RolloutRoom);
