/** The editor of a set: items and languages on one side, the phone on the other. */
import {
  DEFAULT_AUDIENCE, findCandidate, findSet, getApp, latestRevisions, listReleases, listSchedule, listSets, patchApp,
  rankTaps, readApp,
} from "../api/apps.js";
import { isOwn } from "../api/live.js";
import { Problem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { ConflictPanel, askForChoices } from "../editor/conflict.js";
import { DraftSession } from "../editor/draft-session.js";
import { ItemList } from "../editor/item-list.js";
import { askForLanguage } from "../editor/language-dialog.js";
import { PhonePreview } from "../editor/phone-preview.js";
import { Preview } from "../editor/preview.js";
import { openPublishDialog, openReviewDialog } from "../editor/publish-dialog.js";
import { RemovedItems } from "../editor/removed-items.js";
import { runningNote } from "../editor/rollout-choice.js";
import { Review, newsWords, textOf, watch } from "../editor/review.js";
import { Toolbar } from "../editor/toolbar.js";
import { Translations } from "../editor/translations.js";
import { EMPTY_SET, addItem, itemOf, renameItem, titledIn } from "../menus/document.js";
import { EarlierSets } from "../menus/earlier-sets.js";
import { idFor, isProvisional, provisionalID, typeFor } from "../menus/new-item.js";
import { releaseFor, rulingSet } from "../menus/shown.js";
import { alarm, announce, guarded } from "../page/announcements.js";
import { button } from "../page/controls.js";
import { element, replaceChildren } from "../page/element.js";
import { shortTime } from "../page/format.js";
import { Room } from "../page/room.js";
import { go, note } from "../page/router.js";
import { same } from "../values/json.js";
import { languageName } from "../values/language.js";
import { canonicalVersion, compareVersions, versionParts } from "../values/version.js";
import { strings } from "../strings.js";
import { appFrame, setName } from "./app-frame.js";
import { draftGap } from "./draft-gap.js";
import { plansOf, waitingNotes, waitingWords } from "./schedule.js";
import { withDocuments } from "./set-documents.js";

class EditorRoom extends Room {
  /**
   * The removed item that the address names, until it is listed. The service may still judge the draft.
   * @type {string | null}
   */
  #wanted = null;
  #session;
  #earlier;
  /** Settled when the earlier menus were read. */
  #earlierRead;
  /** Taps of the last 30 days, by item. */
  #taps = new Map();
  /** Languages that this page added to the app. Undo removes them again. */
  #added = new Set();
  #patched = Promise.resolve();
  /** Matches if the phone does not fit beside the items. */
  #narrow = matchMedia("(max-width: 62rem)");

  async open() {
    const { app, version, audience } = this.place;
    const canonical = canonicalVersion(version);
    if (versionParts(version) === null) throw new Problem(404, { detail: strings.app.noVersion(version) });
    if (canonical !== version) return go(["apps", app, "sets", canonical, audience]);
    const session = (this.#session = new DraftSession(this.openSessions, this.place, {
      signal: this.signal,
      mayWrite: refusal("editor") === null,
      choose: (conflict) => askForChoices(conflict, (id) => this.#nameOf(id)),
    }));
    session.addEventListener("merged", ({ detail }) => announce(textOf([
      newsWords(session.news), strings.conflict.now(session.news.cause, detail.hasBoth),
    ])));
    session.addEventListener("restored", () => announce(strings.editor.restored));
    this.#earlier ??= new EarlierSets(version);
    const [found, sets, releases, schedule, rollout] = await Promise.all([
      getApp(app), listSets(app), listReleases(app), listSchedule(app), findCandidate(app, version, audience),
      session.load(),
    ]);
    if (this.signal.aborted) return;
    Object.assign(this, { app: found, sets, releases, schedule, rollout, release: releaseFor(version, releases) });
    this.#build();
    session.addEventListener("change", () => this.#refresh());
    this.#refresh();
    this.#openFromAddress();
    this.#earlierRead = this.#readEarlier();
    this.#readTaps();
    // The live stream does not report scheduled changes.
    watch(this.signal, () => this.#readSchedule().catch(() => {}));
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
      isPublished: (id) => this.#isPublished(id),
      identify: (id, step) => this.#identify(id, step),
      rename: (id, now) => this.#rename(id, now),
      focused: (id, tag) => this.preview.follow({ item: id, language: tag ?? this.chosenLanguage }),
      nameOf: (id) => this.#nameOf(id),
      folded: () => this.#sayFold(),
      touched: () => this.#refresh(),
    };
    this.add = button(strings.editor.addItem, () => this.#addItem(), { refusal: writing });
    this.items = new ItemList(context, this.add);
    this.translations = new Translations(context);
    this.removed = new RemovedItems(context);
    const phonePreview = new PhonePreview(this.place);
    const onPhone = button(strings.onPhone.button, guarded(async () => {
      await session.flush();
      await phonePreview.open();
    }), { refusal: writing });
    this.preview = new Preview(this.app, onPhone);
    // The phone shows another language only while a field of that language has the focus.
    this.chosenLanguage = this.app.defaultLanguage;
    const { input } = this.preview.languages;
    input.addEventListener("change", () => (this.chosenLanguage = input.value));
    this.review = new Review(session, this.place, guarded(async () => {
      // The picture is of what is approved.
      await session.refresh();
      await openReviewDialog(await this.#publishing());
    }), this.signal);
    this.toolbar = new Toolbar({
      session,
      review: this.review,
      refusal: writing,
      nameOf: (id, before) => this.#nameOf(id, before),
      pin: (isPinned) => this.#placePhone(isPinned),
      publish: () => this.#openPublish(),
      dropped: () => session.store.standing ?? go(["apps", app]),
    }, this.signal);
    const merge = guarded((conflict, choices) => this.#merge(conflict, choices));
    this.conflict = new ConflictPanel((id) => this.#nameOf(id), merge, (conflict) => {
      this.#goOn(conflict);
      announce(strings.editor.putOff);
    });
    this.waiting = element("div", { class: "messages" });
    this.general = element("div", { class: "messages" });
    this.first = element("div", {});
    this.fold = button("", () => this.items.expandAll(!this.items.isAnyOpen), { kind: "quiet" });
    const language = button(strings.editor.addLanguage, () => this.#addLanguage(), { refusal: writing });
    this.view = button(strings.translations.title, () => this.#showTranslations(this.translations.element.hidden));
    this.missing = element("span", { class: "hint" });
    this.views = element("div", { class: "item-buttons" }, this.view, this.missing, this.fold);
    const buttons = element("div", { class: "item-buttons" }, this.add, language);
    this.columns = element("div", { class: "editor" }, element("div", { class: "editing" },
      this.conflict.element, this.general, this.first, this.views, this.items.element, this.translations.element,
      buttons, this.removed.element));
    this.#showTranslations(this.place.query.get("view") === "translations");
    this.show(setName(version, audience), appFrame(app, null), this.toolbar.element, this.review.words,
      this.review.earlier,
      this.waiting, this.columns);
    this.#narrow.addEventListener("change", () => this.toolbar.setPinned(false), { signal: this.signal });
    this.toolbar.setPinned(false);
    this.#showWaiting();
    this.preview.phone.addEventListener("click", (event) => this.#openFromPhone(event));
  }

  /** @param {boolean} isShown instead of the items */
  #showTranslations(isShown) {
    this.translations.element.hidden = !isShown;
    this.items.element.hidden = isShown;
    this.view.setAttribute("aria-pressed", String(isShown));
    note({ view: isShown ? "translations" : null });
    if (this.isConnected && this.#session) this.#refresh();
  }

  /** Opens the item that the address names, once. */
  #openFromAddress() {
    const id = this.place.query.get("item");
    if (id === null) return;
    note({ item: null });
    this.#showTranslations(false);
    // The focus is not in a field, so that keys such as `g` work.
    this.items.reveal(id, null);
  }

  /** Opens the item of a row on the phone, in the phone's language. */
  #openFromPhone({ target }) {
    const row = target.closest(".menu-row");
    const id = row && this.preview.idOf(row);
    if (!id) return;
    this.#showTranslations(false);
    this.items.reveal(id, this.preview.language);
  }

  /** Places the phone beside the items, below them on narrow screens, or pinned below the toolbar. */
  #placePhone(isPinned) {
    (isPinned ? this.toolbar.element : this.columns).append(this.preview.element);
  }

  #refresh() {
    this.#syncLanguages();
    const { set, findings, conflict, document: edited, store: { standing } } = this.#session;
    const { defaultLanguage, fallbackURL } = this.app;
    const all = [
      ...findings.violations.map((found) => ({ ...found, severity: "violation" })),
      ...findings.warnings.map((found) => ({ ...found, severity: "warning" })),
    ];
    const offered = standing ? [] : this.#earlier.languages(defaultLanguage);
    const languages = [
      ...new Set([defaultLanguage, ...this.app.languages, ...[...edited.languages, ...offered].toSorted()]),
    ];
    const cut = this.preview.draw(set, this.release);
    const state = { set, languages, defaultLanguage, findings: all, cut, taps: this.#taps };
    this.items.refresh(state);
    this.translations.refresh(state);
    const dropped = all.filter(({ code }) => code === "id-dropped");
    const removed = this.#earlier.removed(set, dropped.map(({ name }) => name));
    this.removed.refresh(set, all, removed, { fallback: fallbackURL, taps: this.#taps });
    if (this.#wanted !== null && this.removed.reveal(this.#wanted)) this.#wanted = null;
    const general = all.filter(
      (found) => !/^(items\[|retired\[|fallbackURL)/.test(found.path) && !dropped.includes(found)
    );
    replaceChildren(this.general, general.map(({ message, severity }) => element("p", { class: severity }, message)));
    replaceChildren(this.first, set.items.length === 0 && this.#firstSteps());
    this.add.className = set.items.length === 0 && !this.first.querySelector("button") ? "primary" : "";
    this.missing.textContent = languages.flatMap((tag) => {
      const count = titledIn(set, tag);
      return count < set.items.length ? strings.translations.of(languageName(tag), count, set.items.length) : [];
    }).join(" · ");
    this.#sayFold();
    this.conflict.refresh(conflict);
    this.toolbar.refresh(this.items.held);
  }

  #sayFold() {
    const count = this.#session.set.items.length;
    this.views.hidden = count === 0;
    this.fold.hidden = count < 2 || this.items.element.hidden;
    this.fold.textContent = this.items.isAnyOpen ? strings.editor.foldAll : strings.editor.unfoldAll;
  }

  /** The title of an item of this menu or of an earlier one. */
  #nameOf(id, before = EMPTY_SET) {
    const item = this.#session.itemOf(id) ?? itemOf(before, id) ?? this.#earlier.itemOf(id);
    if (!item) return id;
    return item.title[this.app?.defaultLanguage] ?? Object.values(item.title)[0] ?? strings.editor.newItem;
  }

  /** The panel closes, so the focus moves to the merged item. */
  async #merge(conflict, choices) {
    await this.#session.refresh({ choices });
    if (!this.#session.conflict) this.#goOn(conflict);
  }

  #goOn({ contests }) {
    if (!this.items.focus(contests[0].item ?? "")) this.add.focus();
  }

  #firstSteps() {
    const others = this.sets.filter(
      ({ version, audience }) => version !== this.place.version || audience !== this.place.audience
    );
    const before = rulingSet(this.place, others);
    const copy = before && button(strings.editor.copy(before.version), guarded(async () => {
      const { set } = await findSet(this.place.app, before.version, before.audience);
      this.#session.edit({ items: set.items.map((item) => ({ ...item, replaces: undefined })) });
    }), { refusal: refusal("editor"), kind: "primary" });
    return element("div", { class: "empty" }, element("p", {}, strings.editor.empty), copy);
  }

  #addItem() {
    const { set } = this.#session;
    const id = provisionalID();
    const types = [...this.#earlier.types, ...set.items.map(({ type }) => type)];
    this.#showTranslations(false);
    this.#session.edit(addItem(set, id, typeFor(id, types, this.place.app)));
    this.items.begin(id);
  }

  /** Ids of this menu, and ids that earlier menus used or retired. */
  get #takenIDs() {
    return new Set([...this.#session.set.items.map(({ id }) => id), ...this.#earlier.ids]);
  }

  /** @param {string} id */
  #isPublished(id) {
    const standing = this.#session.store.standing?.set ?? EMPTY_SET;
    return (this.#earlier.itemOf(id) ?? itemOf(standing, id)) !== undefined;
  }

  /** A new item gets an id from its title. The ids of earlier menus may still be on their way. */
  async #identify(id, step) {
    if (!isProvisional(id)) return;
    await this.#earlierRead;
    const { title = {} } = itemOf(this.#session.set, id) ?? {};
    const text = title[this.app.defaultLanguage] ?? Object.values(title)[0];
    if (!text || this.#isPublished(id)) return;
    this.#session.edit(renameItem(this.#session.set, id, idFor(text, this.#takenIDs)), step);
  }

  /** @returns {string} why the id cannot be used; empty if it can */
  #rename(id, now) {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(now)) return strings.editor.invalidID;
    if (now !== id && itemOf(this.#session.set, now)) return strings.editor.takenID(now);
    if (now !== id) this.#session.edit(renameItem(this.#session.set, id, now));
    return "";
  }

  /** Owners add the language to the app, others to this menu. */
  #addLanguage() {
    askForLanguage((tag) => {
      if (refusal("owner") === null && !this.app.languages.includes(tag)) this.#added.add(tag);
      this.#session.addLanguage(tag);
      // After the dialog has closed and returned the focus.
      setTimeout(() => (this.items.element.hidden ? this.translations.begin(tag) : this.items.revealLanguage(tag)));
    });
  }

  /** Keeps the app's languages in step with the rows that were added here, also after undo. */
  #syncLanguages() {
    const { languages } = this.#session.document;
    const before = this.app.languages;
    const isWanted = (tag) => !this.#added.has(tag) || languages.includes(tag);
    const isAdded = [...this.#added].some((tag) => languages.includes(tag) && !before.includes(tag));
    const now = [...new Set([...before.filter(isWanted), ...(isAdded ? languages : [])])];
    if (same(now, before)) return;
    this.app.languages = now;
    const name = this.place.app;
    this.#patched = this.#patched.then(guarded(async () => {
      const { tag } = await readApp(name);
      await patchApp(name, { languages: now }, tag);
    }));
  }

  async #openPublish() {
    const session = this.#session;
    for (const { id } of session.set.items) await this.#identify(id, null);
    await session.flush();
    if (session.state === "contested" && (await session.refresh({ ask: true })) !== "merged") return;
    const context = await this.#publishing();
    const wrong = session.findings.violations.length;
    if (wrong > 0) {
      announce(strings.editor.incomplete(wrong));
      this.#showTranslations(false);
      return this.items.revealWrong() || this.querySelector("[aria-invalid]")?.focus();
    }
    await openPublishDialog(context);
  }

  /** What the dialogs need that publish and review the draft. */
  async #publishing() {
    const { app: name, version, audience } = this.place;
    const [app, sets, schedule, rollout] = await Promise.all([
      getApp(name), listSets(name), listSchedule(name), findCandidate(name, version, audience), this.#session.judge(),
    ]);
    Object.assign(this, { app, sets, schedule, rollout });
    this.#showWaiting();
    return {
      session: this.#session, review: this.review, app, sets, waiting: plansOf(this.#entries()).map(waitingWords),
      rollout, place: this.place, release: this.release, language: this.preview.language, gap: draftGap,
      nameOf: (id) => this.#nameOf(id),
      decide: () => this.removed.reveal(),
      published: (revision, share) => {
        const isRollout = share !== undefined;
        announce(isRollout ? strings.rollout.done(share, revision) : strings.publish.done(revision));
        go(["apps", name, ...(isRollout ? ["rollouts", version, audience] : ["revisions", String(revision)])]);
      },
      scheduled: (entry) => {
        announce(strings.publish.scheduled(shortTime(entry.at)));
        go(["apps", name]);
      },
    };
  }

  #showWaiting() {
    const { app, sets, releases, rollout } = this;
    const read = { app, sets, releases, schedule: this.#entries() };
    replaceChildren(this.waiting, rollout && runningNote(this.place, rollout), waitingNotes(read, async () => {
      await this.#session.refresh({ isOwn: true });
      await this.#readSchedule();
      this.add.focus();
    }));
  }

  async #readSchedule() {
    const schedule = await listSchedule(this.place.app, { signal: this.signal });
    if (same(schedule, this.schedule)) return;
    this.schedule = schedule;
    this.#showWaiting();
  }

  /** The scheduled changes of this set, in order. */
  #entries() {
    return this.schedule.filter(
      ({ version, audience }) => version === this.place.version && audience === this.place.audience
    );
  }

  /** Reads earlier sets and the published one, for removed items and for the ids and types of new ones. */
  async #readEarlier() {
    const { app, version: here, audience: own, query } = this.place;
    const below = this.sets.filter(
      ({ version, audience }) => audience === own && compareVersions(version, here) <= 0
    ).slice(-20);
    const options = { signal: this.signal };
    const [found, former] = await Promise.all([
      withDocuments(app, below, options).catch(() => []), latestRevisions(app, here, own, options).catch(() => []),
    ]);
    this.#earlier = new EarlierSets(here, found.filter(({ set }) => set !== null), former);
    if (this.signal.aborted) return;
    this.#wanted = query.get("removed");
    if (this.#wanted !== null) note({ removed: null });
    this.#refresh();
  }

  /** Shows how often items were tapped. The editor works without. */
  async #readTaps() {
    const { items } = await rankTaps(this.place.app, { signal: this.signal }).catch(() => ({ items: [] }));
    this.#taps = new Map(items.map(({ item, count }) => [item, count]));
    if (!this.signal.aborted) this.#refresh();
  }

  /** Merges a publish of this set by somebody else. Other changes are only announced. */
  async changed(changes) {
    const { app, version, audience } = this.place;
    if (changes.some(({ deleted }) => deleted)) {
      return alarm(new Problem(404, { detail: strings.editor.appDeleted(app) }));
    }
    await this.#session.store.settled();
    await this.tell(changes);
    const here = changes.some(({ revision, from, audience: of = DEFAULT_AUDIENCE }) =>
      (from === undefined || (from === version && of === audience)) && !isOwn(app, revision));
    if (this.preview) this.#readSchedule().catch(alarm);
    if (!here || !this.preview) return;
    const stood = this.#session.store.standing !== null;
    await this.#session.refresh();
    if (stood && this.#session.store.standing === null) announce(strings.editor.setDeleted);
  }

  /** Merges changes by others and saves unsaved edits. */
  async resume() {
    if (!this.preview) return this.refresh();
    await this.#session.refresh();
    await this.#session.flush();
  }
}

customElements.define("lp-editor", EditorRoom);
