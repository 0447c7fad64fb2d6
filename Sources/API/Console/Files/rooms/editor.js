/** The editor of a set: items and languages on one side, the phone on the other. */
import { DEFAULT_AUDIENCE, findSet, getApp, listReleases, listSchedule, listSets } from "../api/apps.js";
import { isOwn } from "../api/live.js";
import { Problem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { askForItem, askForLanguage } from "../editor/add-dialogs.js";
import { askForChoices, conflictPanel } from "../editor/conflict.js";
import { DraftSession, hasUnsavedWork } from "../editor/draft-session.js";
import { ItemList } from "../editor/item-list.js";
import { Preview } from "../editor/preview.js";
import { openPublishDialog } from "../editor/publish-dialog.js";
import { RetiredEditor } from "../editor/retired-editor.js";
import { difference } from "../menus/difference.js";
import { EMPTY_SET, addItem, itemOf, languagesOf, setText } from "../menus/document.js";
import { effectiveSet, releaseFor } from "../menus/shown.js";
import { alarm, announce, guarded } from "../page/announcements.js";
import { memberName } from "../page/change-words.js";
import { button, refuse } from "../page/controls.js";
import { confirm } from "../page/dialog.js";
import { element, replaceChildren } from "../page/element.js";
import { letterOf } from "../page/keys.js";
import { shortTime } from "../page/format.js";
import { Room } from "../page/room.js";
import { go, note } from "../page/router.js";
import { canonicalVersion, compareVersions, versionParts } from "../values/version.js";
import { strings } from "../strings.js";
import { appFrame, setName } from "./app-frame.js";
import { waitingNotes, waitingWords } from "./schedule.js";

addEventListener("beforeunload", (event) => hasUnsavedWork() && event.preventDefault());

class EditorRoom extends Room {
  #session;
  #known = [];
  /** The last announced state; null before the first announcement. */
  #announced = null;
  #shownConflict = null;
  /** The choices in the conflict panel. */
  #choices;
  /** Matches if the phone does not fit beside the items. */
  #narrow = matchMedia("(max-width: 62rem)");

  async open() {
    const { app, version } = this.place;
    const canonical = canonicalVersion(version);
    if (versionParts(version) === null) throw new Problem(404, { detail: strings.app.noVersion(version) });
    if (canonical !== version) return go(["apps", app, "sets", canonical, this.place.audience]);
    const session = (this.#session = new DraftSession(this.place, this.signal, (contests, cause) => {
      document.querySelectorAll("dialog:modal").forEach((dialog) => dialog.close());
      return askForChoices(contests, cause, (id) => this.#nameOf(id));
    }));
    session.mayWrite = refusal("editor") === null;
    session.addEventListener("merged", ({ detail }) => announce(detail.hasEdits ? strings.editor.merged : strings.editor.changed));
    session.addEventListener("restored", () => announce(strings.editor.restored));
    const [found, sets, releases, schedule] = await Promise.all([
      getApp(app), listSets(app), listReleases(app), listSchedule(app), session.load(),
    ]);
    if (this.signal.aborted) return;
    this.app = found;
    this.sets = sets;
    this.releases = releases;
    this.schedule = schedule;
    this.release = releaseFor(version, releases);
    this.#build();
    session.addEventListener("change", () => this.#refresh());
    this.#refresh();
    this.#openFromAddress();
    this.#readKnown();
    addEventListener("online", () => session.flush().catch(() => {}), { signal: this.signal });
  }

  async leave() {
    if (!this.#session?.isLoaded) return;
    await this.#session.flush().catch(() => {});
    if (!this.#session.isSaved) announce(strings.editor.kept);
  }

  discard() {
    super.discard();
    this.#session?.leave();
  }

  #build() {
    const { app, version, audience } = this.place;
    const session = this.#session;
    const writing = refusal("editor");
    const context = {
      edit: (edit, step) => session.edit(edit(session.set), step),
      set: () => session.set,
      refusal: writing,
      candidates: () => this.#candidates(),
      nameOf: (id) => this.#nameOf(id),
      folded: () => this.#sayFold(),
      touched: () => this.#refresh(),
    };
    this.add = button(strings.editor.addItem, () => this.#addItem(), { refusal: writing });
    this.items = new ItemList(context, this.add);
    this.retired = new RetiredEditor(context);
    this.preview = new Preview(this.app);
    this.undo = button(strings.editor.undo, () => this.#step(strings.editor.undone, () => session.undo()));
    this.redo = button(strings.editor.redo, () => this.#step(strings.editor.redone, () => session.redo()));
    this.publish = button(strings.editor.publish, guarded(() => this.#openPublish()), { kind: "primary" });
    this.drop = button(strings.editor.drop, () => this.#drop(), { kind: "quiet", refusal: writing });
    this.saving = element("span", { class: "saving" });
    this.conflict = element("div", {});
    this.waiting = element("div", { class: "messages" });
    this.general = element("div", { class: "messages" });
    this.first = element("div", {});
    this.fold = button("", () => this.items.expandAll(!this.items.isAnyOpen), { kind: "quiet" });
    this.pin = button(strings.editor.pin, () => this.#placePhone(this.pin.getAttribute("aria-pressed") !== "true"), { class: "pin" });
    const language = button(strings.editor.addLanguage, () => this.#addLanguage(), { refusal: writing });
    this.save = button(strings.common.save, () => session.save().catch(() => {}), { refusal: writing });
    const tools = [this.undo, this.redo, this.pin, this.saving, this.save, this.drop, this.publish];
    this.bar = element("div", { class: "bar" }, element("div", { class: "toolbar", role: "group", "aria-label": strings.editor.toolbar }, tools));
    this.editing = element("div", { class: "editing" }, this.conflict, this.general, this.first, this.items.element,
      element("div", { class: "item-buttons" }, this.add, language, this.fold), this.retired.element);
    this.columns = element("div", { class: "editor" }, this.editing);
    this.show(setName(version, audience), appFrame(app, null), this.bar, this.waiting, this.columns);
    this.#narrow.addEventListener("change", () => this.#placePhone(false), { signal: this.signal });
    this.#placePhone(false);
    this.#showWaiting();
    installEditorKeys(this, session);
    this.preview.phone.addEventListener("click", (event) => this.#openFromPhone(event));
  }

  /**
   * Undoes or redoes a step and announces the change, which may be out of sight.
   * @param {(words: string) => string} say @param {() => void} step
   */
  #step(say, step) {
    const before = this.#session.set;
    const nameBefore = (id) => this.#nameOf(id, before);
    step();
    announce(say(strings.editor.step(difference(before, this.#session.set), nameBefore, memberName)));
  }

  /** Opens the item that the address names, once. */
  #openFromAddress() {
    const id = this.place.query.get("item");
    if (id === null) return;
    note({ item: null });
    // The focus is not in a field, so that keys such as `g` work.
    this.items.reveal(id, null);
  }

  /**
   * Opens the item of a row on the phone, in the phone's language.
   * @param {Event} event
   */
  #openFromPhone({ target }) {
    const row = /** @type {Element} */ (target).closest(".menu-row");
    const id = row && this.preview.idOf(row);
    if (id) this.items.reveal(id, this.preview.language);
  }

  /** Places the phone beside the items, above them on narrow screens, or pinned below the toolbar. */
  #placePhone(pinned) {
    this.pin.setAttribute("aria-pressed", String(pinned));
    if (pinned) this.bar.append(this.preview.element);
    else if (this.#narrow.matches) this.columns.prepend(this.preview.element);
    else this.columns.append(this.preview.element);
  }

  #refresh() {
    const session = this.#session;
    const { set, findings, standing, tag } = session;
    const all = [
      ...findings.violations.map((found) => ({ ...found, severity: "violation" })),
      ...findings.warnings.map((found) => ({ ...found, severity: "warning" })),
    ];
    const { defaultLanguage } = this.app;
    const languages = [...new Set([defaultLanguage, ...[...session.languages, ...this.#offered()].toSorted()])];
    const cut = this.preview.draw(set, this.release);
    this.items.refresh({ set, languages, defaultLanguage, findings: all, cut });
    this.retired.refresh(set, all, this.#dropped());
    const general = all.filter(({ path }) => !/^(items\[|retired|fallbackURL)/.test(path));
    replaceChildren(this.general, general.map(({ message, severity }) => element("p", { class: severity }, message)));
    replaceChildren(this.first, set.items.length === 0 && this.#firstSteps());
    refuse(this.undo, session.canUndo ? null : strings.editor.nothingToUndo);
    refuse(this.redo, session.canRedo ? null : strings.editor.nothingToRedo);
    refuse(this.publish, session.differs ? null : strings.editor.nothingToPublish(standing.revision));
    this.drop.hidden = tag === null;
    this.#sayFold();
    this.#showConflict();
    this.#say();
  }

  #sayFold() {
    this.fold.hidden = this.#session.set.items.length < 2;
    this.fold.textContent = this.items.isAnyOpen ? strings.editor.foldAll : strings.editor.unfoldAll;
  }

  #showConflict() {
    const { conflict } = this.#session;
    if (conflict === this.#shownConflict) return;
    this.#shownConflict = conflict;
    const hadFocus = this.conflict.contains(document.activeElement);
    const former = this.#choices;
    const panel = conflict && conflictPanel(conflict, former, (id) => this.#nameOf(id), guarded((choices) => this.#merge(conflict, choices)), () => {
      this.#goOn(conflict);
      announce(strings.editor.putOff);
    });
    this.#choices = panel?.choices;
    replaceChildren(this.conflict, panel?.dialog);
    if (panel && hadFocus) panel.heading.focus();
    if (conflict) announce(strings.editor.collides(conflict.contests.length));
  }

  /** The title of an item of this menu or of an earlier one. */
  #nameOf(id, before = EMPTY_SET) {
    const { title = {} } = this.#session.itemOf(id) ?? itemOf(before, id) ?? this.#known.map(({ set }) => itemOf(set, id)).findLast(Boolean) ?? {};
    return title[this.app?.defaultLanguage] ?? Object.values(title)[0] ?? id;
  }

  /** The panel closes, so the focus moves to the merged item. */
  async #merge(conflict, choices) {
    await this.#session.refresh({ choices });
    if (!this.#session.conflict) this.#goOn(conflict);
  }

  #goOn({ contests }) {
    if (!this.items.focus(contests[0].item)) this.add.focus();
  }

  /** Shows the draft's state in the toolbar, and announces final states. */
  #say() {
    const { state, findings, tag, standing, problem, base, isOnlyMerged } = this.#session;
    const count = findings.violations.length - this.items.held;
    const isHeld = state === "refused" && count === 0;
    this.save.hidden = !isOnlyMerged;
    const text = {
      saved: isOnlyMerged ? strings.editor.onlyMerged(base) : tag ? strings.editor.saved : standing ? strings.editor.isPublished(standing.revision) : "",
      editing: strings.editor.editing,
      saving: strings.editor.savingNow,
      refused: isHeld ? strings.editor.needsTitle : strings.editor.refused(count),
      contested: strings.editor.contested,
      unsaved: problem?.status === 401 ? strings.editor.signedOut : problem?.isPassing ? strings.editor.retrying(problem.message) : strings.editor.unsaved(problem?.message ?? ""),
    }[state];
    this.saving.textContent = text;
    this.saving.className = `saving ${isHeld ? "editing" : state}`;
    const resting = `${state} ${tag ?? ""} ${state === "refused" ? count : ""}`;
    const isNews = (state === "saved" && tag !== null && !isOnlyMerged) || (["refused", "unsaved"].includes(state) && !isHeld);
    if (isNews && this.#announced !== null && resting !== this.#announced) announce(text, { quiet: true });
    this.#announced = resting;
  }

  #firstSteps() {
    const before = this.#ruling();
    const copy = before && button(strings.editor.copy(before.version), guarded(async () => {
      const { set } = await findSet(this.place.app, before.version, before.audience);
      this.#session.edit({ items: set.items.map((item) => ({ ...item, replaces: undefined })) });
    }), { refusal: refusal("editor") });
    return element("div", { class: "empty" }, element("p", {}, strings.editor.empty), copy);
  }

  #addItem() {
    const session = this.#session;
    askForItem(session.set, (id, title) => {
      const longer = addItem(session.set, id, this.#lastType());
      session.edit(title ? setText(longer, id, "title", this.app.defaultLanguage, title) : longer);
      // After the dialog has closed and returned the focus.
      setTimeout(() => this.items.begin(id));
    });
  }

  #lastType() {
    return this.#session.set.items.at(-1)?.type ?? this.#known.at(-1)?.set.items.at(-1)?.type ?? this.place.app;
  }

  #addLanguage() {
    askForLanguage((tag) => {
      this.#session.addLanguage(tag);
      setTimeout(() => this.items.revealLanguage(tag));
    });
  }

  async #openPublish() {
    const session = this.#session;
    await session.flush();
    if (session.state === "contested" && (await session.refresh({ ask: true })) !== "merged") return;
    const [app, sets, schedule] = await Promise.all([getApp(this.place.app), listSets(this.place.app), listSchedule(this.place.app), session.judge()]);
    Object.assign(this, { app, sets, schedule });
    const before = await this.#served();
    const wrong = session.findings.violations.length;
    if (wrong > 0) {
      announce(strings.editor.refused(wrong));
      return this.items.revealWrong() || this.querySelector("[aria-invalid]")?.focus();
    }
    const { version, audience } = this.place;
    openPublishDialog({
      session, app, before, place: this.place, release: this.release, language: this.preview.language, notes: this.#notes(),
      isSuccessor: before !== null && before.audience === audience && before.version !== version,
      published: (revision) => {
        announce(strings.publish.done(revision));
        go(["apps", app.app, "revisions", String(revision)]);
      },
      scheduled: (entry) => {
        announce(strings.publish.scheduled(shortTime(entry.at)));
        go(["apps", app.app]);
      },
    });
  }

  /** The set that the version is served now. */
  async #served() {
    const { standing } = this.#session;
    const { version, audience } = this.place;
    if (standing) return { ...standing, version, audience };
    const ruling = this.#ruling();
    const found = ruling && (await findSet(this.place.app, ruling.version, ruling.audience));
    return found ? { ...found, version: ruling.version, audience: ruling.audience } : null;
  }

  /** Notes for the publish: who gets the menu, the effect of an audience's first menu, and scheduled changes. */
  #notes() {
    const { version, audience } = this.place;
    const own = this.sets.filter((set) => set.audience === audience);
    const next = own.filter((set) => compareVersions(set.version, version) > 0).sort((left, right) => compareVersions(left.version, right.version))[0];
    const isFirst = own.length === 0 && this.sets.some((set) => set.audience === DEFAULT_AUDIENCE);
    return [
      strings.publish.reach(version, next?.version, audience),
      isFirst && strings.publish.firstOf(audience, version),
      ...this.#waiting().map(waitingWords),
    ].filter(Boolean);
  }

  #showWaiting() {
    const { app, sets, releases } = this;
    replaceChildren(this.waiting, waitingNotes({ app, sets, releases, schedule: this.#waiting() }, async () => {
      await this.#session.refresh({ isOwn: true });
      await this.#readSchedule();
      this.add.focus();
    }));
  }

  async #readSchedule() {
    this.schedule = await listSchedule(this.place.app, { signal: this.signal });
    this.#showWaiting();
  }

  /** The scheduled changes of this set, in order. */
  #waiting() {
    const { version, audience } = this.place;
    return this.schedule.filter((entry) => entry.version === version && entry.audience === audience);
  }

  #drop() {
    confirm(strings.editor.drop, strings.editor.dropText, strings.editor.drop, async () => {
      await this.#session.drop();
      announce(strings.editor.dropped);
      if (!this.#session.standing) go(["apps", this.place.app]);
    }, { kind: "danger" });
  }

  /** The set in effect without this one: of the audience's timeline, or of the default timeline. */
  #ruling() {
    const { version, audience } = this.place;
    const own = this.sets.filter((set) => set.audience === audience);
    const timeline = own.length > 0 ? own : this.sets.filter((set) => set.audience === DEFAULT_AUDIENCE);
    return effectiveSet(version, timeline.filter((set) => set.version !== version || set.audience !== audience));
  }

  /** Reads earlier sets and the published one, for ids to replace or retire and for the type of new items. */
  async #readKnown() {
    const { version: here, audience: own } = this.place;
    const below = this.sets.filter(({ version, audience }) => audience === own && compareVersions(version, here) <= 0).slice(-20);
    const found = await Promise.all(
      below.map(({ version, audience }) => findSet(this.place.app, version, audience, { signal: this.signal })),
    ).catch(() => []);
    this.#known = below.flatMap(({ version }, place) => (found[place] ? [{ version, set: found[place].set }] : []));
    if (!this.signal.aborted) this.#refresh();
  }

  #candidates() {
    const ids = new Set(this.#known.flatMap(({ set }) => set.items.map(({ id }) => id)));
    for (const id of this.#decided()) ids.delete(id);
    return [...ids].sort();
  }

  /** Ids with a rule or an item in this set. */
  #decided() {
    const { items, retired = [] } = this.#session.set;
    return [...items.flatMap(({ id, replaces = [] }) => [id, ...replaces]), ...retired.map(({ id }) => id)];
  }

  /** Items of the previous set and of the published one that have no rule here. */
  #dropped() {
    const decided = this.#decided();
    const before = [this.#known.findLast(({ version }) => version !== this.place.version)?.set, this.#session.standing?.set];
    const items = new Map(before.flatMap((set) => set?.items ?? []).map((item) => [item.id, item]));
    const dropped = [...items.values()].filter(({ id }) => !decided.includes(id));
    return dropped.map(({ id, title }) => ({ id, title: title[this.app.defaultLanguage] ?? id }));
  }

  /** The languages of the previous set, so that a new set does not miss translations. */
  #offered() {
    return this.#session.standing ? [] : languagesOf(this.#known.at(-1)?.set ?? EMPTY_SET, this.app.defaultLanguage);
  }

  /** Merges a publish of this set by somebody else. Other changes are only announced. */
  async changed(changes) {
    const { app, version, audience } = this.place;
    if (changes.some(({ deleted }) => deleted)) return alarm(new Problem(404, { detail: strings.editor.appDeleted(app) }));
    await this.#session.settled();
    await this.tell(changes);
    const here = changes.some(({ revision, from, audience: of = DEFAULT_AUDIENCE }) =>
      (from === undefined || (from === version && of === audience)) && !isOwn(app, revision));
    if (this.preview) this.#readSchedule().catch(alarm);
    if (!here || !this.preview) return;
    const stood = this.#session.standing !== null;
    await this.#session.refresh();
    if (stood && this.#session.standing === null) announce(strings.editor.setDeleted);
  }

  /** Merges changes by others and saves unsaved edits. */
  async resume() {
    if (!this.preview) return this.refresh();
    await this.#session.refresh();
    await this.#session.flush();
  }
}

/**
 * Keys press their buttons, or announce why a button is disabled. Undo works everywhere, so that it also restores a removed item.
 * @param {import("../page/room.js").Room & {undo: HTMLElement, redo: HTMLElement, publish: HTMLElement}} room @param {DraftSession} session
 */
function installEditorKeys(room, session) {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector("dialog:modal")) return;
    const key = letterOf(event);
    if (key === "z" && !event.shiftKey) press(room.undo);
    else if (key === "y" || (key === "z" && event.shiftKey)) press(room.redo);
    else if (key === "s") session.save().catch(() => {});
    else if (key === "enter") press(room.publish);
    else return;
    event.preventDefault();
  }, { signal: room.signal });
}

/** @param {HTMLElement} control */
function press(control) {
  const reason = control.getAttribute("aria-disabled") === "true" && control.getAttribute("aria-description");
  if (reason) announce(reason);
  else control.click();
}

customElements.define("lp-editor", EditorRoom);
