/** The editor of a set: items and languages on one side, the phone on the other. */
import { findSet, getApp, listReleases, listSets } from "../api/apps.js";
import { follow, isOwn } from "../api/live.js";
import { refusal } from "../api/session.js";
import { addItem, itemOf, languagesOf } from "../menus/document.js";
import { effectiveSet, releaseFor } from "../menus/shown.js";
import { announce, guarded } from "../page/announcements.js";
import { button, field, refuse } from "../page/controls.js";
import { ask, confirm } from "../page/dialog.js";
import { element, replaceChildren } from "../page/element.js";
import { longTime } from "../page/format.js";
import { Room } from "../page/room.js";
import { go } from "../page/router.js";
import { Problem } from "../api/problem.js";
import { askForChoices, conflictPanel } from "../editor/conflict.js";
import { DraftSession } from "../editor/draft-session.js";
import { installEditorKeys } from "../editor/editor-keys.js";
import { ItemList } from "../editor/item-list.js";
import { Preview } from "../editor/preview.js";
import { openPublishDialog } from "../editor/publish-dialog.js";
import { RetiredEditor } from "../editor/retired-editor.js";
import { canonicalTag, looksLikeTag } from "../values/language.js";
import { compareVersions } from "../values/version.js";
import { strings } from "../strings.js";
import { appFrame, setName } from "./app-frame.js";

class EditorRoom extends Room {
  #session;
  #known = [];
  #extraLanguages = new Set();
  /** The state that was announced last; null before the first. */
  #announced = null;
  #shownConflict = null;

  async open() {
    const { app, version, audience } = this.place;
    this.#session = new DraftSession(this.place, this.signal, (contests, cause) => {
      document.querySelectorAll("dialog:modal").forEach((dialog) => dialog.close());
      return askForChoices(contests, cause);
    });
    this.#session.mayWrite = refusal("editor") === null;
    const [found, sets, releases] = await Promise.all([getApp(app), listSets(app), listReleases(app)]);
    this.app = found;
    this.sets = sets.filter((set) => set.audience === audience);
    this.release = releaseFor(version, releases);
    this.#session.addEventListener("merged", () => announce(strings.editor.merged));
    await this.#session.load();
    if (this.signal.aborted) return;
    this.#build();
    this.#session.addEventListener("change", () => this.#refresh());
    this.#refresh();
    this.#readKnown();
    follow(app, this.signal, (change) => this.#heard(change));
    addEventListener("beforeunload", (event) => !this.#session.isSaved && event.preventDefault(), { signal: this.signal });
  }

  leave() {
    return this.#session?.standing === undefined ? undefined : this.#session.flush().catch(() => {});
  }

  #build() {
    const { app, version, audience } = this.place;
    const writing = refusal("editor");
    const context = {
      edit: (edit, step) => this.#session.edit(edit(this.#session.set), step),
      set: () => this.#session.set,
      refusal: writing,
      candidates: () => this.#candidates(),
    };
    this.items = new ItemList(context);
    this.retired = new RetiredEditor(context);
    this.preview = new Preview(this.app);
    this.undo = button(strings.editor.undo, () => this.#session.undo());
    this.redo = button(strings.editor.redo, () => this.#session.redo());
    this.publish = button(strings.editor.publish, guarded(() => this.#openPublish()), { kind: "primary" });
    this.drop = button(strings.editor.drop, () => this.#drop(), { kind: "quiet" });
    this.saving = element("span", { class: "saving" });
    this.conflict = element("div", {});
    this.empty = element("div", {});
    const add = button(strings.editor.addItem, () => this.#addItem(), { refusal: writing });
    const language = button(strings.editor.addLanguage, () => this.#addLanguage(), { refusal: writing });
    this.fold = button("", () => {
      this.items.expandAll(!this.items.isAnyOpen);
      this.#refresh();
    }, { kind: "quiet" });
    const toolbar = element(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": strings.editor.toolbar },
      this.undo,
      this.redo,
      this.saving,
      this.drop,
      this.publish,
    );
    this.show(setName(version, audience), appFrame(app, null), toolbar,
      element("div", { class: "editor" },
        element(
          "div",
          { class: "editing" },
          this.conflict,
          this.empty,
          this.items.element,
          element("div", { class: "item-buttons" }, add, language, this.fold),
          this.retired.element,
        ), this.preview.element));
    installEditorKeys(this, this.#session, () => this.publish.click());
  }

  #refresh() {
    const { set, findings, standing } = this.#session;
    const all = [
      ...findings.violations.map((found) => ({ ...found, severity: "violation" })),
      ...findings.warnings.map((found) => ({ ...found, severity: "warning" })),
    ];
    const { defaultLanguage } = this.app;
    const languages = [...new Set([...languagesOf(set, defaultLanguage), ...this.#extraLanguages])];
    this.items.refresh({ set, languages, defaultLanguage, findings: all });
    this.retired.refresh(set, all);
    this.preview.draw(set, this.release, all);
    const general = all.filter(({ path }) => !/^(items\[|retired|fallbackURL)/.test(path));
    replaceChildren(
      this.empty,
      general.map(({ message, severity }) => element("p", { class: severity }, message)),
      set.items.length === 0 && this.#firstSteps(),
    );
    refuse(this.undo, this.#session.canUndo ? null : strings.editor.nothingToUndo);
    refuse(this.redo, this.#session.canRedo ? null : strings.editor.nothingToRedo);
    refuse(this.publish, this.#session.differs ? null : strings.editor.nothingToPublish(standing.revision));
    refuse(this.drop, refusal("editor") ?? (this.#session.tag ? null : strings.editor.noDraft));
    this.fold.textContent = this.items.isAnyOpen ? strings.editor.foldAll : strings.editor.unfoldAll;
    this.#showConflict();
    this.#say();
  }

  #showConflict() {
    const { conflict } = this.#session;
    if (conflict === this.#shownConflict) return;
    this.#shownConflict = conflict;
    replaceChildren(this.conflict, conflict && conflictPanel(conflict, guarded((choices) => this.#session.refresh({ choices }))));
    if (conflict) announce(strings.editor.collides);
  }

  /** The state of the draft, in the toolbar always and to screen readers where it comes to a rest. */
  #say() {
    const { state, findings, tag, standing, problem } = this.#session;
    const count = findings.violations.length;
    const text = {
      saved: tag ? strings.editor.saved : standing ? strings.editor.isPublished(standing.revision) : "",
      editing: strings.editor.editing,
      saving: strings.editor.savingNow,
      refused: strings.editor.refused(count),
      contested: strings.editor.contested,
      unsaved: strings.editor.unsaved(problem?.message ?? ""),
    }[state];
    this.saving.textContent = text;
    this.saving.className = `saving ${state}`;
    const resting = `${state} ${tag ?? ""} ${state === "refused" ? count : ""}`;
    const isNews = (state === "saved" && tag !== null) || ["refused", "contested", "unsaved"].includes(state);
    if (isNews && this.#announced !== null && resting !== this.#announced) announce(text);
    this.#announced = resting;
  }

  #firstSteps() {
    const before = effectiveSet(this.place.version, this.sets.filter(({ version }) => version !== this.place.version));
    const copy = before && button(strings.editor.copy(before.version), guarded(async () => {
      const { set } = await findSet(this.place.app, before.version, before.audience);
      this.#session.edit({ items: set.items.map((item) => ({ ...item, replaces: undefined })) });
    }), { refusal: refusal("editor") });
    return element("div", { class: "empty" }, element("p", {}, strings.editor.empty), copy);
  }

  #addItem() {
    const fields = { id: field(strings.editor.id, { required: true, placeholder: "compose", hint: strings.editor.idHint }) };
    ask(strings.editor.addItem, fields, strings.common.add, async ({ id }) => {
      const wrong = !/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id) ? strings.editor.invalidID(id) : itemOf(this.#session.set, id) ? strings.editor.takenID(id) : null;
      if (wrong) throw new Problem(422, { detail: wrong, violations: [{ path: "id", message: wrong }] });
      this.#session.edit(addItem(this.#session.set, id, this.#lastType()));
      queueMicrotask(() => setTimeout(() => this.items.reveal(id)));
    });
  }

  #lastType() {
    return this.#session.set.items.at(-1)?.type ?? this.#known.at(-1)?.items.at(-1)?.type ?? this.place.app;
  }

  #addLanguage() {
    const fields = { tag: field(strings.editor.language, { required: true, placeholder: "ko", hint: strings.editor.languageHint }) };
    ask(strings.editor.addLanguage, fields, strings.common.add, async ({ tag }) => {
      if (!looksLikeTag(tag)) throw new Problem(
        422,
        { detail: "", violations: [{ path: "tag", message: strings.editor.invalidLanguage(tag) }] },
      );
      this.#extraLanguages.add(canonicalTag(tag));
      this.#refresh();
    });
  }

  async #openPublish() {
    await this.#session.flush();
    if (this.#session.state === "contested" && (await this.#session.refresh({ ask: true })) !== "merged") return;
    await this.#session.judge();
    const wrong = this.#session.findings.violations.length;
    if (wrong > 0) {
      announce(strings.editor.refused(wrong));
      return this.querySelector("[aria-invalid]")?.focus();
    }
    const { app } = this.place;
    openPublishDialog({
      session: this.#session, app: this.app, place: this.place, release: this.release,
      published: (revision) => {
        announce(strings.publish.done(revision));
        go(["apps", app, "revisions", String(revision)]);
      },
      scheduled: (entry) => {
        announce(strings.publish.scheduled(longTime(entry.at)));
        go(["apps", app]);
      },
    });
  }

  #drop() {
    confirm(strings.editor.drop, strings.editor.dropText, strings.editor.drop, async () => {
      await this.#session.drop();
      announce(strings.editor.dropped);
      if (!this.#session.standing) go(["apps", this.place.app]);
    }, { kind: "danger" });
  }

  /** The sets below this one and what stands here, for the ids that can be replaced or retired and for the last type. */
  async #readKnown() {
    const below = this.sets.filter(({ version }) => compareVersions(version, this.place.version) <= 0).slice(-20);
    const found = await Promise.all(
      below.map(({ version, audience }) => findSet(this.place.app, version, audience, { signal: this.signal })),
    ).catch(() => []);
    this.#known = found.filter(Boolean).map(({ set }) => set);
    if (!this.signal.aborted) this.#refresh();
  }

  #candidates() {
    const ids = new Set(this.#known.flatMap((set) => set.items.map(({ id }) => id)));
    for (const { id } of this.#session.set.items) ids.delete(id);
    return [...ids].sort();
  }

  async #heard(change) {
    const here = change.from === undefined || (
      change.from === this.place.version && (change.audience ?? "default") === this.place.audience
    );
    if (!here || isOwn(change.app, change.revision)) return;
    announce(strings.timeline.changed(change.revision ?? ""));
    await guarded(() => this.#session.refresh())();
  }
}

customElements.define("lp-editor", EditorRoom);
