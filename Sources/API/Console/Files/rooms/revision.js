/** One revision: its changes, its webhook deliveries, and how to undo it. */
import {
  deleteSet, findCandidate, findDraft, findSet, getApp, getRevision, listReleases, putDraft, restoreRevision,
} from "../api/apps.js";
import { path } from "../api/client.js";
import { noteOwn } from "../api/live.js";
import { all, page } from "../api/lists.js";
import { Problem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { runningNote } from "../editor/rollout-choice.js";
import { difference } from "../menus/difference.js";
import { releaseFor, rulingSet } from "../menus/shown.js";
import { alarm, announce, guarded } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button, field } from "../page/controls.js";
import { confirm, openDialog } from "../page/dialog.js";
import { element, replaceChildren } from "../page/element.js";
import { shortTime, timeElement } from "../page/format.js";
import { Room } from "../page/room.js";
import { address, go } from "../page/router.js";
import { beforeAfter } from "../phone/phone.js";
import { strings } from "../strings.js";
import { compareVersions } from "../values/version.js";
import { appFrame, setName } from "./app-frame.js";
import { draftGap } from "./draft-gap.js";
import { forgottenItems } from "./set-documents.js";

const MOST_ENDPOINTS = 20;
/** A pending delivery is read every two seconds for two minutes. */
const READ_EVERY = 2000;
const MOST_READS = 60;

class RevisionRoom extends Room {
  async open() {
    const { app, revision: number } = this.place;
    const options = { signal: this.signal };
    [this.app, this.revision, this.releases] = await Promise.all([
      getApp(app, options), getRevision(app, number, options), listReleases(app, options),
    ]);
    this.reason = await this.#reason();
    await this.#draw();
    this.#followTold(this.signal).catch(alarm);
  }

  async #draw() {
    const { app, revision } = this;
    const { former, newest, stood, restored, origin } = await this.#history();
    const name = setName(revision.version, revision.audience);
    const before = ruling(revision, stood);
    const after = ruling(revision, new Map(stood).set(placeOf(revision), revision));
    const isDeleted = revision.kind === "deleted";
    const isCandidate = revision.kind === "candidate";
    const deletes = former?.kind !== "published" && !isDeleted;
    const overtaken = newest.revision === revision.revision ? null : strings.revision.overtaken(newest.revision);
    const unapproved = deletes && app.approvals > 0 && refusal("owner") ? strings.revision.needsOwner : null;
    const isUndone = !overtaken && restored !== null;
    // After a redo, the next step goes back again.
    const isRedo = isUndone && origin > restored;
    // The revision that phones get again.
    const back = deletes ? before : former;
    const effect = deletes
      ? strings.revision.backDeletes(name, before && placeOf(before))
      : isRedo ? strings.revision.redoes(former.revision)
      : strings.revision.backRestores(former.revision);
    const text = isRedo ? strings.revision.redo
      : back ? strings.history.restoreTitle(back.revision)
      : strings.revision.takeBack;
    const act = () => (deletes
      ? this.#askToDelete(before, effect)
      : askToRestore(app, this.releases, former, isDeleted ? null : revision));
    const undo = button(text, guarded(act), {
      settles: true, refusal: refusal("publisher") ?? overtaken ?? unapproved, "aria-description": overtaken ?? effect,
    });
    const sentence = isDeleted ? strings.revision.deleted : strings.revision.published;
    this.told ??= element("ul", { class: "rows" });
    this.show(strings.revision.title(revision.revision), appFrame(app.app, "history"),
      isUndone && element("p", { class: "verdict taken" }, strings.revision.liveAgain(restored, revision.revision)),
      element(
        "p", {},
        isCandidate
          ? changeOf(revision, null)
          : restored === null || isDeleted ? sentence(name, revision.by) : changeOf(revision, restored),
        " ", timeElement(revision.publishedAt), ` (${shortTime(revision.publishedAt)}).`,
      ),
      messageLine(revision),
      this.reason && element("p", {}, strings.publish.override, ": ", element("bdi", {}, this.reason)),
      element("div", { class: "room-actions", role: "group", "aria-label": strings.revision.toolbar },
        isCandidate ? element(
          "a",
          {
            class: "button",
            href: address(
              ["apps", app.app, "rollouts", revision.version, revision.audience],
              { revision: String(revision.revision) },
            ),
          },
          strings.rollout.see,
        ) : undo,
        element(
          "a", { class: "button", href: address(["apps", app.app, "sets", revision.version, revision.audience]) },
          strings.revision.edit,
        ), isCandidate && asDraft(app, revision)),
      isDeleted && !overtaken && element("p", {}, strings.revision.nowServed(name, after && placeOf(after))),
      !isCandidate && element("p", { class: "hint" }, overtaken ?? unapproved ?? effect),
      element("div", { class: "halves" }, beforeAfter(app, releaseFor(revision.version, this.releases), [
        { words: strings.revision.before(before?.revision, before && placeOf(before)), set: before?.set },
        { words: strings.revision.after(after?.revision, after && placeOf(after)), set: after?.set },
      ]), element("div", {},
      element("h2", {}, strings.history.difference),
      before && placeOf(before) !== placeOf(revision) && element("p", { class: "hint" },
        strings.revision.ruledBefore(setName(before.version, before.audience), revision.version)),
      changeWords(difference(before?.set, after?.set, { successor: follows(before, after) }), app),
      element("section", {}, element("h2", {}, strings.revision.told), this.told))));
  }

  /** An owner's reason for a publish without approvals, from the audit. */
  async #reason() {
    if (refusal("owner", { everyApp: true })) return null;
    const { version, audience, publishedAt: from, revision } = this.revision;
    const { items } = await page("/audit", {
      signal: this.signal, query: {
        target: [this.place.app, version, audience].join("/"), from,
        to: new Date(Date.parse(from) + 1000).toISOString(),
      },
    });
    return items.find((entry) => entry.revision === revision)?.reason;
  }

  /**
   * Reads the history back to the previous set of this revision's place.
   * @returns {Promise<{former: object | null, newest: object, stood: Map<string, object>, restored: number | null,
   *   origin: number | null}>}
   *   `former` and `newest`: the previous and the last revision of the place; `stood`: the published revisions at the
   *   time of this one, by place; `restored`: the earlier revision that is live again; `origin`: the revision whose
   *   content the previous one has
   */
  async #history() {
    const { revision } = this;
    const here = placeOf(revision);
    const stood = new Map();
    const seen = [];
    let [newest, cursor] = [null, undefined];
    do {
      const answer = await page(path`/apps/${this.place.app}/revisions`, { cursor, limit: 200, signal: this.signal });
      seen.push(...answer.items);
      for (const each of answer.items) {
        // A candidate leaves the set as it is.
        if (each.kind === "candidate") continue;
        if (placeOf(each) === here) newest ??= each;
        if (each.revision < revision.revision && !stood.has(placeOf(each))) stood.set(placeOf(each), each);
      }
      cursor = answer.next;
    } while (cursor && stood.get(here)?.kind !== "published");
    const restored = Number(this.place.query.get("restored")) || restoredBy(revision, seen);
    const former = stood.get(here) ?? null;
    const origin = former && (restoredBy(former, seen) ?? former.revision);
    return { former, newest: newest ?? revision, stood, restored, origin };
  }

  /**
   * Undoes a first publish: deletes the set and keeps its content as a draft. If the app requires approvals, an owner
   * needs a reason.
   */
  #askToDelete(before, text) {
    const { version, audience, revision, set } = this.revision;
    const { app } = this.place;
    const title = before ? strings.history.restoreTitle(before.revision) : strings.revision.takeBack;
    askWithPhones(this.app, releaseFor(version, this.releases), {
      title, text, place: this.revision, before: set, after: before?.set,
      action: before ? strings.history.restore : strings.revision.takeBack,
      input: this.app.approvals > 0 && field(
        strings.publish.override, { required: true, maxlength: 200, hint: strings.publish.overrideHint },
      ),
      act: async (override) => {
        const made = await deleteSet(app, version, audience, revision, override);
        await putDraft(app, version, audience, set, { tag: null, base: 0 }).catch((error) => {
          // An existing draft stays.
          if (error.status !== 412) throw error;
        });
        noteOwn(app, made.revision);
        announce(strings.revision.takenBack(revision));
        const query = { restored: before?.revision };
        go(made.revision ? ["apps", app, "revisions", String(made.revision)] : ["apps", app, "history"], query);
      },
    });
  }

  /** @param {AbortSignal} signal */
  async #followTold(signal) {
    for (let reads = 0; reads < MOST_READS && !signal.aborted && (await this.#readTold()); reads++) {
      await new Promise((done) => setTimeout(done, READ_EVERY));
    }
  }

  /**
   * Shows the webhooks that got this revision's event. Only the bodies of deliveries name the revision.
   * @returns {Promise<boolean>} whether a delivery is pending
   */
  async #readTold() {
    if (refusal("owner")) {
      this.told.replaceChildren(element("li", { class: "hint" }, strings.revision.toldOwners));
      return false;
    }
    let isPending = false;
    const endpoints = await all("/webhooks", { signal: this.signal });
    const lines = [];
    for (const endpoint of endpoints.slice(0, MOST_ENDPOINTS)) {
      const { items } = await page(
        path`/webhooks/${endpoint.id}/deliveries`, { limit: 50, signal: this.signal, query: { body: true } },
      );
      const delivery = items.find(
        (each) => each.app === this.place.app && JSON.parse(
          each.body ?? "{}"
        ).data?.revision === this.revision.revision,
      );
      if (!delivery) continue;
      isPending ||= delivery.state === "pending";
      lines.push(element("li", {},
        element("a", { href: address(["webhooks", endpoint.id]) }, endpoint.url),
        element("span", { class: `badge ${delivery.state}` }, strings.webhooks.states[delivery.state])));
    }
    const nobody = endpoints.length > 0 ? strings.revision.toldNobody : strings.revision.noEndpoints;
    this.told.replaceChildren(...(lines.length > 0 ? lines : [element("li", { class: "hint" }, nobody)]));
    return isPending;
  }
}

/**
 * Asks before a revision is restored, then opens the new revision.
 * @param {App} app @param {Release[]} releases @param {Revision} revision the one to restore
 * @param {Revision | null} standing the published revision of the place; the restore fails if it changed
 */
export function askToRestore(app, releases, revision, standing) {
  askWithPhones(app, releaseFor(revision.version, releases), {
    title: strings.history.restoreTitle(revision.revision),
    text: strings.history.restoreText(
      revision.revision, setName(revision.version, revision.audience), revision.kind === "candidate",
    ),
    place: revision, before: standing?.set, after: revision.set, action: strings.history.restore,
    consequence: strings.rollout.restoreStops,
    input: field(strings.history.message, { maxlength: 200, hint: strings.history.messageHint }),
    act: async (message) => {
      const made = (
        await restoreRevision(app.app, revision.revision, standing?.revision ?? null, message)
      ).revision;
      noteOwn(app.app, made);
      announce(strings.revision.liveAgain(revision.revision, made));
      go(["apps", app.app, "revisions", String(made)], { restored: revision.revision });
    },
  });
}

/**
 * Asks before the live menu changes, and shows both phones. `act` gets the text of the field; `consequence`: what it
 * does to a running roll-out.
 */
function askWithPhones(app, release, { title, text, place, before, after, action, consequence = "", input, act }) {
  const { version, audience } = place;
  const running = element("div", {});
  findCandidate(app.app, version, audience).then((rollout) => replaceChildren(
    running, rollout && runningNote({ app: app.app, version, audience }, rollout, consequence),
  )).catch(() => {});
  const run = async () => {
    const written = input ? input.input.value.trim() : "";
    if (input && input.input.required && written === "") {
      input.say([{ message: strings.errors.missing, severity: "violation" }]);
      return input.input.focus();
    }
    try {
      await act(written);
      opened.close();
    } catch (error) {
      opened.fail(error instanceof Problem ? error.about(after ?? null) : error);
    }
  };
  const sides = [{ words: strings.publish.before, set: before }, { words: strings.publish.after, set: after }];
  // Without the verdict, until it is known which items are forgotten.
  const gap = element("div", {}, beforeAfter(app, release, sides));
  if (after) {
    forgottenItems(app, place, after)
      .then((forgotten) => replaceChildren(gap, draftGap(app, release, sides, { forgotten }).element))
      .catch(() => {});
  }
  const opened = openDialog(title, {
    wide: true,
    content: [
      element("p", {}, text), running,
      gap,
      element("h3", {}, strings.difference.list),
      changeWords(difference(before, after), app),
      input && input.row,
    ],
    actions: [button(action, null, { kind: "primary", type: "submit" })],
    submit: run,
  });
}

/**
 * A button that makes the menu of a revision the draft of its place.
 * @param {App} app @param {Revision} revision
 */
export const asDraft = ({ app }, { version, audience, set }) => button(strings.revision.asDraft, guarded(async () => {
  const [live, draft] = await Promise.all([findSet(app, version, audience), findDraft(app, version, audience)]);
  const save = async () => {
    const base = live?.revision ?? 0;
    await putDraft(app, version, audience, set ?? { items: [] }, { tag: draft?.tag ?? null, base });
    go(["apps", app, "sets", version, audience]);
  };
  const title = strings.revision.asDraft;
  if (draft) confirm(title, strings.revision.hasDraft, title, save, { kind: "danger" });
  else await save();
}), { refusal: refusal("editor") });

/**
 * The earlier revision of the place whose menu a revision published again; null for a new menu.
 * @param {Revision} revision @param {Iterable<Revision>} seen
 */
export function restoredBy(revision, seen) {
  if (revision.kind === "deleted") return null;
  const earlier = [...seen].filter(
    (each) => each.revision < revision.revision && placeOf(each) === placeOf(revision)
  ).sort((left, right) => right.revision - left.revision);
  const wanted = JSON.stringify(revision.set);
  const place = earlier.findIndex(({ set }) => JSON.stringify(set) === wanted);
  return place > 0 ? earlier[place].revision : null;
}

/**
 * What a revision did, and who did it.
 * @param {Revision} revision @param {number | null} restored
 */
export function changeOf({ kind, by }, restored) {
  const name = element("bdi", {}, by);
  if (kind === "deleted") return strings.history.deletedBy(name);
  if (kind === "candidate") return strings.history.candidateBy(name);
  return restored === null ? strings.history.publishedBy(name) : strings.history.restoredBy(restored, name);
}

/**
 * The author's message; null without one.
 * @param {{message?: string}} revision
 */
export const messageLine = ({ message }) =>
  (message ? element("p", { class: "hint" }, element("bdi", {}, message)) : null);

const placeOf = ({ version, audience }) => setName(version, audience);

/** Whether the second set is the first one's successor at a later version. */
const follows = (before, after) =>
  before?.audience === after?.audience && compareVersions(before?.version ?? "", after?.version ?? "") < 0;

/** The revision that a client of this version and audience is served. */
const ruling = (revision, stood) =>
  rulingSet(revision, [...stood.values()].filter(({ kind }) => kind !== "deleted")) ?? null;

customElements.define("lp-revision", RevisionRoom);
