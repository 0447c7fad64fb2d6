/** One revision: its changes, its webhook deliveries, and how to undo it. */
import { deleteSet, getApp, getRevision, listReleases, putDraft, restoreRevision } from "../api/apps.js";
import { path } from "../api/client.js";
import { noteOwn } from "../api/live.js";
import { all, page } from "../api/lists.js";
import { Problem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { difference } from "../menus/difference.js";
import { releaseFor, rulingSet } from "../menus/shown.js";
import { alarm, announce, guarded } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button, field } from "../page/controls.js";
import { ask, openDialog } from "../page/dialog.js";
import { element } from "../page/element.js";
import { shortTime, timeElement } from "../page/format.js";
import { Room } from "../page/room.js";
import { address, go } from "../page/router.js";
import { beforeAfter } from "../phone/phone.js";
import { strings } from "../strings.js";
import { compareVersions } from "../values/version.js";
import { appFrame, setName } from "./app-frame.js";

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
    await this.#draw();
    this.#followTold(this.signal).catch(alarm);
  }

  async #draw() {
    const { app, revision } = this;
    const { former, newest, stood } = await this.#history();
    const name = setName(revision.version, revision.audience);
    const before = ruling(revision, stood);
    const after = ruling(revision, new Map(stood).set(placeOf(revision), revision));
    const deletes = former?.kind !== "published" && revision.kind === "published";
    const overtaken = newest.revision === revision.revision ? null : strings.revision.overtaken(newest.revision);
    const unapproved = deletes && app.approvals > 0 && refusal("owner") ? strings.revision.needsOwner : null;
    const isDeleted = revision.kind === "deleted";
    const effect = deletes
      ? strings.revision.backDeletes(name, before && placeOf(before))
      : strings.revision.backRestores(former.revision);
    // Right after a restore, only the history has a button to undo it.
    const restored = overtaken ? null : this.place.query.get("restored");
    const text = deletes ? strings.revision.takeBack : strings.history.restoreTitle(former.revision);
    const act = () =>
      (deletes ? this.#delete() : askToRestore(app, this.releases, former, isDeleted ? null : revision));
    const back = !restored && button(text, guarded(act), {
      refusal: refusal("publisher") ?? overtaken ?? unapproved, "aria-description": overtaken ?? effect,
    });
    const sentence = revision.kind === "deleted" ? strings.revision.deleted : strings.revision.published;
    this.told ??= element("ul", { class: "rows" });
    this.show(strings.revision.title(revision.revision), appFrame(app.app, "history"),
      element(
        "p", {}, sentence(name, revision.by), " ", timeElement(revision.publishedAt),
        ` (${shortTime(revision.publishedAt)}).`,
      ),
      messageLine(revision),
      element("div", { class: "room-actions" }, back,
        element(
          "a", { class: "button", href: address(["apps", app.app, "sets", revision.version, revision.audience]) },
          strings.revision.edit,
        )),
      isDeleted && !overtaken && element("p", {}, strings.revision.nowServed(name, after && placeOf(after))),
      element("p", { class: "hint" }, restored ? strings.revision.liveAgain(restored) : overtaken ?? effect),
      beforeAfter(app, releaseFor(revision.version, this.releases), [
        { words: strings.revision.before(before?.revision, before && placeOf(before)), set: before?.set },
        { words: strings.revision.after(after?.revision, after && placeOf(after)), set: after?.set },
      ]),
      element("h2", {}, strings.history.difference),
      before && placeOf(before) !== placeOf(revision) && element("p", { class: "hint" },
        strings.revision.ruledBefore(setName(before.version, before.audience), revision.version)),
      changeWords(difference(before?.set, after?.set, { successor: follows(before, after) }), app),
      element("section", {}, element("h2", {}, strings.revision.told), this.told));
  }

  /**
   * Reads the history back to the previous set of this revision's place.
   * @returns {Promise<{former: object | null, newest: object, stood: Map<string, object>}>} `former` and `newest`: the
   *   previous and the last revision of the place; `stood`: the published revisions at the time of this one, by place
   */
  async #history() {
    const { revision } = this;
    const here = placeOf(revision);
    const stood = new Map();
    let [newest, cursor] = [null, undefined];
    do {
      const answer = await page(path`/apps/${this.place.app}/revisions`, { cursor, limit: 200, signal: this.signal });
      for (const each of answer.items) {
        if (placeOf(each) === here) newest ??= each;
        if (each.revision < revision.revision && !stood.has(placeOf(each))) stood.set(placeOf(each), each);
      }
      cursor = answer.next;
    } while (cursor && stood.get(here)?.kind !== "published");
    return { former: stood.get(here) ?? null, newest: newest ?? revision, stood };
  }

  /**
   * Undoes a first publish: deletes the set and keeps its content as a draft. If the app requires approvals, an owner
   * needs a reason.
   */
  async #delete() {
    const { version, audience, revision, set } = this.revision;
    const { app } = this.place;
    const remove = async (override) => {
      const made = await deleteSet(app, version, audience, revision, override);
      await putDraft(app, version, audience, set, { tag: null, base: 0 }).catch((error) => {
        // An existing draft stays.
        if (error.status !== 412) throw error;
      });
      this.#tookBack(made.revision);
    };
    if (this.app.approvals === 0) return remove();
    const reason = field(
      strings.publish.override, { required: true, maxlength: 200, hint: strings.publish.overrideHint },
    );
    ask(strings.revision.takeBack, { override: reason }, strings.revision.takeBack, ({ override }) => remove(override));
  }

  #tookBack(made) {
    const { app } = this.place;
    noteOwn(app, made);
    announce(strings.revision.takenBack(this.revision.revision));
    go(made ? ["apps", app, "revisions", String(made)] : ["apps", app, "history"]);
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
  const name = setName(revision.version, revision.audience);
  const message = field(strings.history.message, { maxlength: 200, hint: strings.history.messageHint });
  const restore = async () => {
    try {
      const made = (
        await restoreRevision(app.app, revision.revision, standing?.revision ?? null, message.input.value.trim())
      ).revision;
      noteOwn(app.app, made);
      opened.close();
      announce(strings.history.restored(revision.revision, made));
      go(["apps", app.app, "revisions", String(made)], { restored: revision.revision });
    } catch (error) {
      opened.fail(error instanceof Problem ? error.about(revision.set) : error);
    }
  };
  const opened = openDialog(strings.history.restoreTitle(revision.revision), {
    wide: true,
    content: [
      element("p", {}, strings.history.restoreText(revision.revision, name)),
      beforeAfter(app, releaseFor(revision.version, releases), [
        { words: strings.publish.before, set: standing?.set }, { words: strings.publish.after, set: revision.set },
      ]),
      message.row,
    ],
    actions: [button(strings.history.restore, null, { kind: "primary", type: "submit" })],
    submit: restore,
  });
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
  rulingSet(revision, [...stood.values()].filter(({ kind }) => kind === "published")) ?? null;

customElements.define("lp-revision", RevisionRoom);
