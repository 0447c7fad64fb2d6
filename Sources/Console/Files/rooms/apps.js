/** All apps, each with a drawing of its menu, its last publish and what waits. */
import { findSet, listDrafts, listReleases, listSchedule, listSets } from "../api/apps.js";
import { path, put } from "../api/client.js";
import { page } from "../api/lists.js";
import { Problem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { compareVersions } from "../values/version.js";
import { menuOf, releaseFor } from "../menus/shown.js";
import { alarm, announce, guarded } from "../page/announcements.js";
import { button, emptyPlace, field } from "../page/controls.js";
import { ask } from "../page/dialog.js";
import { acceptsFiles } from "../page/dropping.js";
import { element } from "../page/element.js";
import { timeElement } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { address, go } from "../page/router.js";
import { menuPanel } from "../phone/menu-rows.js";
import { direction } from "../values/language.js";
import { strings } from "../strings.js";
import { setName } from "./app-frame.js";
import { importRelease } from "./releases.js";

class AppsRoom extends Room {
  async open() {
    const first = await page("/apps", { signal: this.signal });
    const add = button(strings.apps.add, addApp, { kind: "primary", refusal: refusal("owner", { everyApp: true }) });
    const list = pagedList(
      first,
      (cursor) => page("/apps", { cursor, signal: this.signal }),
      (app) => this.#card(app),
      { class: "cards", "aria-label": strings.apps.list },
    );
    this.show(
      strings.navigation.apps,
      element("div", { class: "room-actions" }, add),
      first.items.length === 0 ? emptyPlace(strings.apps.empty) : list,
    );
  }

  #card(app) {
    const details = element("div", { class: "card-details" });
    const card = element("li", { class: "card" },
      element(
        "h2",
        {},
        element("a", { href: address(["apps", app.app]) }, app.app),
      ), element("p", { class: "hint" }, app.name ?? ""), details);
    acceptsFiles(card, guarded((file) => importRelease(app.app, file)));
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) return;
      seen.disconnect();
      this.#fill(app, details).catch(alarm);
    });
    seen.observe(card);
    this.signal.addEventListener("abort", () => seen.disconnect());
    return card;
  }

  async #fill(app, details) {
    const options = { signal: this.signal };
    const [sets, drafts, schedule, releases] = await Promise.all([
      listSets(app.app, options), listDrafts(app.app, options), listSchedule(app.app, options), listReleases(app.app, options),
    ]);
    const newest = sets.filter(({ audience }) => audience === "default").sort(
      (a, b) => compareVersions(a.version, b.version),
    ).at(-1) ?? sets.at(-1);
    const last = sets.reduce((latest, set) => (!latest || set.revision > latest.revision ? set : latest), null);
    const waiting = [
      drafts.length > 0 && strings.apps.drafts(drafts.length),
      schedule.length > 0 && strings.apps.scheduled(schedule.length),
      app.approvals > 0 && drafts.length > 0 && strings.apps.approvals(
        drafts.filter((draft) => (draft.approvals?.length ?? 0) < app.approvals).length,
      ),
    ].filter(Boolean);
    const standing = newest && (await findSet(app.app, newest.version, newest.audience, options));
    const statics = newest ? (releaseFor(newest.version, releases)?.staticItems ?? []) : [];
    const { shown } = menuOf(standing?.set ?? { items: [] }, statics, app.defaultLanguage, app.defaultLanguage);
    details.replaceChildren(
      shown.length > 0 ? menuPanel(
        shown,
        { direction: direction(app.defaultLanguage) },
      ) : element("p", { class: "no-menu" }, strings.apps.noMenu),
      element(
        "p",
        {},
        ...(
          last ? [
            strings.apps.published(last.revision, setName(last.version, last.audience), last.by),
            " ",
            timeElement(last.publishedAt),
          ] : [strings.apps.neverPublished]
        ),
      ),
      waiting.length > 0 ? element("p", { class: "waiting" }, waiting.join(", ")) : "",
    );
  }
}

function addApp() {
  const fields = {
    app: field(strings.apps.id, { required: true, placeholder: "com.example.mail", hint: strings.apps.idHint }),
    name: field(strings.apps.name, {}),
    defaultLanguage: field(strings.apps.defaultLanguage, { required: true, value: "en", hint: strings.apps.defaultLanguageHint }),
    fallbackURL: field(strings.apps.fallbackURL, { hint: strings.apps.fallbackURLHint, placeholder: "mail://home", type: "url" }),
  };
  ask(strings.apps.add, fields, strings.common.add, async ({ app, name, defaultLanguage, fallbackURL }) => {
    const document = { defaultLanguage, name: name || null, fallbackURL: fallbackURL || null };
    try {
      await put(path`/apps/${app}`, document, { fields: { "If-None-Match": "*" } });
    } catch (error) {
      if (error.status === 412) throw new Problem(412, { detail: "", violations: [{ path: "app", message: strings.apps.exists(app) }] });
      throw error;
    }
    announce(strings.apps.added(app));
    go(["apps", app]);
  });
}

customElements.define("lp-apps", AppsRoom);
