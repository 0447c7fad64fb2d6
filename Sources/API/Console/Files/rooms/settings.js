/** The settings of an app, and its deletion. */
import { path, remove, send } from "../api/client.js";
import { deleteApp, listDrafts, listReleases, listSets, patchApp, readApp } from "../api/apps.js";
import { Problem, sentenceOf } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { announce, clearAlarms, guarded } from "../page/announcements.js";
import { button, field, forgive, refuse, sayViolations } from "../page/controls.js";
import { ask } from "../page/dialog.js";
import { element, replaceChildren } from "../page/element.js";
import { Room } from "../page/room.js";
import { go } from "../page/router.js";
import { strings } from "../strings.js";
import { same } from "../values/json.js";
import { languageName, listedTags, looksLikeTag } from "../values/language.js";
import { appFrame } from "./app-frame.js";
import { fileButton } from "./releases.js";

/** The service's limit for icons, in bytes. */
const LARGEST_ICON = 131_072;

class SettingsRoom extends Room {
  /** @type {{app: App, tag: string}} */
  read;
  /** @type {Record<string, ReturnType<typeof field>>} */
  fields;

  async open() {
    const { app } = this.place;
    const reason = refusal("owner");
    const read = await readApp(app, { signal: this.signal });
    if (this.fields) {
      // Unsaved text stays. Saving merges it with changes by others.
      if (Object.keys(this.#changes()).length > 0) return;
      this.read = read;
      return this.#fill();
    }
    this.read = read;
    this.fields = {
      name: field(strings.apps.name, { hint: strings.settings.nameHint }),
      defaultLanguage: field(strings.apps.defaultLanguage, { hint: strings.apps.defaultLanguageHint, required: true }),
      languages: field(strings.settings.languages, { hint: strings.settings.languagesHint }),
      fallbackURL: field(
        strings.apps.fallbackURL, { hint: strings.apps.fallbackURLHint, placeholder: "mail://home", inputmode: "url" },
      ),
      approvals: field(
        strings.settings.approvals,
        { type: "number", min: 0, max: 5, required: true, hint: strings.settings.approvalsHint },
      ),
    };
    for (const { input } of Object.values(this.fields).map(forgive)) {
      refuse(input, reason);
      input.readOnly = reason !== null;
    }
    const icon = element("div", { class: "icon-setting" });
    this.#drawIcon(icon);
    const save = button(strings.settings.save, null, { kind: "primary", type: "submit", refusal: reason });
    const form = element(
      "form", { class: "settings", novalidate: true }, ...Object.values(this.fields).map(({ row }) => row),
      element("div", { class: "room-actions" }, save, reason && element("p", { class: "hint" }, reason)));
    form.addEventListener("submit", guarded(async (event) => {
      event.preventDefault();
      if (!reason) await this.#save();
    }));
    this.show(strings.app.settings, appFrame(app, "settings"), form,
      element("section", {}, element("h2", {}, strings.settings.icon), icon),
      !reason && element(
        "section", {}, element("h2", {}, strings.settings.end),
        element("p", { class: "hint" }, strings.settings.endHint),
        button(strings.settings.delete, guarded(() => this.#delete()), { kind: "danger" }),
      ));
    this.#fill();
  }

  /** @param {HTMLElement} place */
  #drawIcon(place) {
    const { app: { app, icon } } = this.read;
    const address = path`/apps/${app}/icon`;
    const change = async (/** @type {string} */ said) => {
      // Without the room's signal: an event of this very change aborts it.
      this.read = await readApp(app);
      this.#drawIcon(place);
      place.querySelector("button")?.focus();
      announce(said);
    };
    const take = guarded(async (/** @type {File} */ file) => {
      clearAlarms();
      if (file.type !== "image/png" || file.size > LARGEST_ICON) {
        throw new Problem(0, { detail: strings.settings.badIcon(file.name) });
      }
      await send("PUT", address, { bytes: file, type: "image/png" });
      await change(strings.settings.iconSaved);
    });
    replaceChildren(place,
      icon && element("img", { src: `/admin/v1${address}?v=${icon}`, alt: strings.settings.icon }),
      element("p", { class: "hint" }, strings.settings.iconHint),
      fileButton(strings.settings.chooseIcon, take, {
        refusal: refusal("owner"), accept: "image/png", name: strings.settings.icon,
      }),
      icon && button(strings.settings.removeIcon, guarded(async () => {
        await remove(address);
        await change(strings.settings.iconRemoved);
      }), { kind: "quiet", refusal: refusal("owner") }));
  }

  #fill() {
    const { name, defaultLanguage, languages, fallbackURL, approvals } = this.read.app;
    const values = {
      name: name ?? "", defaultLanguage, languages: languages.map((tag) => languageName(tag)).join(", "),
      fallbackURL: fallbackURL ?? "", approvals: String(approvals),
    };
    for (const [member, value] of Object.entries(values)) this.fields[member].input.value = value;
    this.querySelector(".eyebrow")?.replaceWith(this.eyebrow(strings.app.settings));
  }

  /** The fields that differ from the stored settings. */
  #changes() {
    /** @type {Record<string, any>} */
    const now = Object.fromEntries(
      Object.entries(this.fields).map(([member, { input }]) => [member, input.value.trim() || null])
    );
    now.approvals = now.approvals === null ? null : Number(now.approvals);
    now.languages = listedTags(now.languages ?? "", this.read.app.languages);
    /** @type {Record<string, any>} */
    const standing = this.read.app;
    return Object.fromEntries(Object.entries(now).filter(([member, value]) => !same(value, standing[member])));
  }

  /** Sends only changed fields, so that two owners do not undo each other's changes. */
  async #save() {
    const changed = this.#changes();
    if (Object.keys(changed).length === 0) return announce(strings.settings.unchanged);
    clearAlarms();
    sayViolations(this.fields, []);
    const wrong = changed.languages?.find((/** @type {string} */ tag) => !looksLikeTag(tag));
    if (wrong !== undefined) {
      this.fields.languages.say([{ message: strings.editor.invalidLanguage(wrong), severity: "violation" }]);
      return this.fields.languages.input.focus();
    }
    const { approvals } = this.fields;
    if (!approvals.input.checkValidity()) {
      approvals.say([{ message: strings.settings.approvalsRange, severity: "violation" }]);
      return approvals.input.focus();
    }
    const standing = this.read.app.approvals;
    if (changed.approvals === undefined || changed.approvals === null || changed.approvals >= standing) {
      return this.#send(changed);
    }
    const reason = field(
      strings.settings.lowerReason, { required: true, maxlength: 200, hint: strings.publish.overrideHint },
    );
    ask(
      strings.settings.lower(standing, changed.approvals), { override: reason }, strings.settings.save,
      ({ override }) => this.#send(changed, override),
    );
  }

  /** @param {Record<string, any>} changed @param {string} [override] reason for fewer approvals */
  async #send(changed, override) {
    try {
      this.read = await patchApp(this.place.app, changed, this.read.tag, override);
    } catch (error) {
      if (error.status === 412) return this.#meet(changed);
      const left = sayViolations(this.fields, error.violations ?? []);
      if (error.violations?.length > 0) {
        Object.values(this.fields).find(({ input }) => input.getAttribute("aria-invalid"))?.input.focus();
      }
      if (left.length > 0 || !error.violations?.length) {
        throw new Problem(error.status, { detail: sentenceOf(error), violations: left });
      }
      return;
    }
    this.#fill();
    announce(strings.settings.saved);
  }

  /**
   * Somebody else changed the settings: shows the stored values with this person's changes, and an error.
   * @param {Record<string, any>} changed
   */
  async #meet(changed) {
    this.read = await readApp(this.place.app);
    this.#fill();
    for (const [member, value] of Object.entries(changed)) this.fields[member].input.value = value ?? "";
    throw new Problem(412, { detail: strings.settings.changedMeanwhile });
  }

  async #delete() {
    const { app } = this.place;
    const [sets, drafts, releases] = await Promise.all([listSets(app), listDrafts(app), listReleases(app)]);
    const id = field(
      strings.apps.id,
      { required: true, hint: strings.settings.deleteText(app, sets.length, drafts.length, releases.length) },
    );
    ask(strings.settings.deleteTitle(app), { app: id }, strings.settings.deleteNow, async (given) => {
      if (given.app !== app) {
        throw new Problem(400, { detail: "", violations: [{ path: "app", message: strings.settings.otherID(app) }] });
      }
      await deleteApp(app);
      announce(strings.settings.deleted(app));
      go(["apps"]);
    }, { kind: "danger" });
  }
}

customElements.define("lp-settings", SettingsRoom);
