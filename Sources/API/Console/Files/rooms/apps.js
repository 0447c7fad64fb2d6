/** All apps, each with its menu, its last publish, drafts and schedule. */
import { listDrafts, listReleases, listSchedule, listSets, noteApp } from "../api/apps.js";
import { path, put } from "../api/client.js";
import { page } from "../api/lists.js";
import { Problem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { compareVersions } from "../values/version.js";
import { menuOf, releaseFor } from "../menus/shown.js";
import { alarm, announce, guarded } from "../page/announcements.js";
import { acceptsFiles, button, emptyPlace, field } from "../page/controls.js";
import { ask } from "../page/dialog.js";
import { element } from "../page/element.js";
import { timeElement } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { address, go } from "../page/router.js";
import { menuPanel } from "../phone/menu-rows.js";
import { direction } from "../values/language.js";
import { strings } from "../strings.js";
import { setName } from "./app-frame.js";
import { fileButton, importRelease } from "./releases.js";
import { messageLine } from "./revision.js";
import { documentOf } from "./set-documents.js";

class AppsRoom extends Room {
  async open() {
    const first = await page("/apps", { signal: this.signal });
    const add = button(strings.apps.add, addApp, { kind: "primary", refusal: refusal("owner", { everyApp: true }) });
    const list = pagedList(
      first,
      (cursor) => page("/apps", { cursor, signal: this.signal }),
      (app) => this.#card(noteApp(app)),
      { class: "cards", "aria-label": strings.apps.list },
    );
    this.show(
      strings.navigation.apps,
      element(
        "div", { class: "room-actions" }, add,
        first.items.length > 0 && element("p", { class: "hint" }, strings.apps.drop),
      ),
      first.items.length === 0 ? emptyPlace(strings.apps.empty) : list,
    );
  }

  /**
   * The whole card is a link. Its text is the app's id.
   * @param {App} app
   */
  #card(app) {
    const details = element("div", { class: "card-details" });
    const bring = guarded(async (file) => {
      await importRelease(app.app, file);
      await this.#fill(app, details);
    });
    const file = fileButton(strings.apps.bring, bring, { kind: "quiet", label: strings.apps.bringTo(app.app) });
    const link = element("a", { href: address(["apps", app.app]) }, app.app);
    const card = element("li", { class: "card app-card" },
      app.name ? [element("h2", {}, element("bdi", {}, app.name)), element("p", {}, link)] : element("h2", {}, link),
      details, file);
    acceptsFiles(card, bring);
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) return;
      seen.disconnect();
      this.#fill(app, details).catch(alarm);
    });
    seen.observe(card);
    this.signal.addEventListener("abort", () => seen.disconnect());
    return card;
  }

  /** @param {App} app @param {HTMLElement} details */
  async #fill(app, details) {
    const options = { signal: this.signal };
    const [sets, drafts, schedule, releases, { items: [last] }] = await Promise.all([
      listSets(app.app, options), listDrafts(app.app, options), listSchedule(app.app, options),
      listReleases(app.app, options),
      page(path`/apps/${app.app}/revisions`, { ...options, limit: 1 }),
    ]);
    const newest = (/** @type {any[]} */ list) =>
      list.sort((left, right) => compareVersions(left.version, right.version)).at(-1);
    const set = newest(sets.filter(({ audience }) => audience === "default")) ?? newest(sets);
    const document = set && (await documentOf(app.app, set, options));
    const statics = (set ? releaseFor(set.version, releases) : newest(releases))?.staticItems ?? [];
    const { shown } = menuOf(document ?? { items: [] }, statics, app.defaultLanguage, app.defaultLanguage);
    const approved = drafts.filter((draft) => draft.approvals.length >= app.approvals).length;
    const waiting = [
      drafts.length > 0 && strings.apps.drafts(drafts.length),
      app.approvals > 0 && approved < drafts.length && strings.apps.approvals(drafts.length - approved),
      schedule.length > 0 && strings.apps.scheduled(schedule.length),
    ].filter(Boolean);
    const published = last && [
      strings.apps.published(last.revision, setName(last.version, last.audience), last.by, last.kind === "deleted"),
      " ",
      timeElement(last.publishedAt), ".",
    ];
    details.replaceChildren(
      shown.length > 0
        ? menuPanel(shown, { name: strings.apps.menuOf(app.app), direction: direction(app.defaultLanguage) })
        : element("p", { class: "no-menu" }, strings.apps.noMenu),
      element("p", { class: "hint" }, ...(published ?? [strings.apps.neverPublished])),
      (last && messageLine(last)) ?? "",
      waiting.length > 0 ? element("p", { class: "waiting" }, waiting.join(", ")) : "",
    );
  }
}

function addApp() {
  const fields = {
    app: field(strings.apps.id, { required: true, placeholder: "com.example.mail", hint: strings.apps.idHint }),
    name: field(strings.apps.name, {}),
    defaultLanguage: field(
      strings.apps.defaultLanguage, { required: true, value: "en", hint: strings.apps.defaultLanguageHint },
    ),
    fallbackURL: field(
      strings.apps.fallbackURL, { hint: strings.apps.fallbackURLHint, placeholder: "mail://home", type: "url" },
    ),
  };
  fields.app.input.addEventListener("change", () => {
    const { value } = fields.app.input;
    fields.app.say(
      value === "" || value.includes(".") ? [] : [{ message: strings.apps.noBundleID(value), severity: "warning" }]
    );
  });
  ask(strings.apps.add, fields, strings.common.add, async ({ app, name, defaultLanguage, fallbackURL }) => {
    const document = { defaultLanguage, name: name || null, fallbackURL: fallbackURL || null };
    try {
      await put(path`/apps/${app}`, document, { fields: { "If-None-Match": "*" } });
    } catch (error) {
      // The path has no valid id, or the app exists.
      const message = error.status === 412
        ? strings.apps.exists(app)
        : [400, 404].includes(error.status) && strings.apps.noBundleID(app);
      throw message ? new Problem(error.status, { detail: "", violations: [{ path: "app", message }] }) : error;
    }
    announce(strings.apps.added(app));
    go(["apps", app]);
  });
}

customElements.define("lp-apps", AppsRoom);
