/** All apps, those that need attention first, each with its menu, its last publish, drafts and schedule. */
import { findCandidate, listDrafts, listSchedule, noteApp } from "../api/apps.js";
import { get, path, put } from "../api/client.js";
import { page } from "../api/lists.js";
import { Problem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { watch } from "../editor/review.js";
import { announce, guarded } from "../page/announcements.js";
import { acceptsFiles, button, emptyPlace, field } from "../page/controls.js";
import { ask } from "../page/dialog.js";
import { element, replaceChildren, whenSeen } from "../page/element.js";
import { timeElement } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { address, go, note } from "../page/router.js";
import { menuPanel } from "../phone/menu-rows.js";
import { same } from "../values/json.js";
import { direction, listedTags, looksLikeTag } from "../values/language.js";
import { strings } from "../strings.js";
import { setName } from "./app-frame.js";
import { firstRun } from "./first-run.js";
import { fileButton, importRelease } from "./releases.js";
import { messageLine } from "./revision.js";
import { plansOf } from "./schedule.js";

/** Apps a page. */
const PAGE = 48;
/** Milliseconds from the last key to the request. */
const PAUSE = 200;
/** Above every version, so that the newest menu is shown. */
const NEWEST = "999999999.0.0";
const ORDERS = /** @type {const} */ (["attention", "name", "publishedAt"]);

/**
 * Where the reasons of `attention` lead.
 * @type {Record<string, (app: string) => string[]>}
 */
const CAUSES = {
  lostTaps: (app) => ["apps", app, "gap"], drafts: (app) => ["apps", app], campaigns: (app) => ["apps", app],
  webhooks: () => ["webhooks"],
};

class AppsRoom extends Room {
  #list = element("div", {});
  /** @type {Record<string, string | null>} */
  #asked = {};
  /** @type {Page<AppSummary> | null} */
  #first = null;

  async open() {
    const { query } = this.place;
    this.#asked = {
      sort: query.get("sort") ?? "attention", q: query.get("q"), attention: query.get("attention") ?? "false",
    };
    const first = await this.#page();
    const refused = refusal("owner", { everyApp: true });
    const isEmpty = first.items.length === 0 && !this.#isFiltered;
    const add = button(strings.apps.add, addApp, { kind: isEmpty ? undefined : "primary", refusal: refused });
    this.show(
      strings.navigation.apps,
      element("div", { class: "room-actions" }, !isEmpty && this.#choices(), add),
      isEmpty ? firstRun(refused) : this.#list,
    );
    this.#draw(first);
    watch(this.signal, () => this.#look().catch(() => {}));
  }

  /** Draws again if an app needs attention that did not need it before. */
  async #look() {
    const asked = this.#asked;
    const found = await this.#page();
    if (asked === this.#asked && !same(found, this.#first)) this.#draw(found);
  }

  get #isFiltered() {
    return Boolean(this.#asked.q) || this.#asked.attention === "true";
  }

  /** @param {string | null} [cursor] @returns {Promise<Page<AppSummary>>} */
  #page(cursor) {
    return page("/apps", { cursor, limit: PAGE, query: this.#asked, signal: this.signal });
  }

  #choices() {
    const { q, sort, attention } = this.#asked;
    const filter = field(strings.apps.filter, { type: "search", value: q ?? "" });
    const order = field(strings.apps.sort, { tag: "select" });
    order.input.append(...ORDERS.map(
      (value) => element("option", { value, selected: value === sort }, strings.apps.orders[value])
    ));
    const only = button(strings.apps.onlyAttention, () => {
      const isOn = only.getAttribute("aria-pressed") === "true";
      only.setAttribute("aria-pressed", String(!isOn));
      return change({ attention: isOn ? "false" : "true" });
    }, { "aria-pressed": String(attention === "true") });
    const change = guarded(async (/** @type {Record<string, string | null>} */ chosen) => {
      const asked = (this.#asked = { ...this.#asked, ...chosen });
      note({ ...asked, attention: asked.attention === "true" ? "true" : null });
      const found = await this.#page();
      // A slower answer to an earlier choice is ignored.
      if (asked !== this.#asked) return;
      this.#draw(found);
      announce(strings.apps.found(found.items.length, found.next !== null), { quiet: true });
    });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    filter.input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => change({ q: filter.input.value.trim() || null }), PAUSE);
    });
    order.input.addEventListener("change", () => change({ sort: order.input.value }));
    return element("div", { class: "app-choice" }, filter.row, order.row, only);
  }

  /** @param {Page<AppSummary>} first */
  #draw(first) {
    this.#first = first;
    const waiting = first.items.filter(needsAttention).length;
    const isMore = waiting === first.items.length && first.next !== null;
    replaceChildren(this.#list,
      this.#asked.sort === "attention" && !this.#isFiltered
        && element("p", {}, strings.apps.attention(waiting, isMore)),
      first.items.length === 0 ? emptyPlace(strings.apps.noneFound) : pagedList(
        first, (cursor) => this.#page(cursor), (app) => this.#card(app),
        { class: "cards", "aria-label": strings.apps.list },
      ));
  }

  /**
   * The whole card is a link. Its text is the app's id.
   * @param {AppSummary} app
   */
  #card(app) {
    noteApp(app);
    const menu = element("div", { class: "card-details" });
    const facts = element("div", { class: "app-facts" });
    const fill = guarded(() => this.#fill(app, menu, facts));
    const bring = guarded(async (file) => {
      await importRelease(app.app, file);
      await fill();
    });
    const file = fileButton(strings.apps.bring, bring, { kind: "quiet", label: strings.apps.bringTo(app.app) });
    const link = element("a", { href: address(["apps", app.app]) }, app.app);
    const causes = /** @type {(keyof typeof strings.apps.causes)[]} */ (Object.keys(CAUSES)).filter(
      (cause) => app.attention[cause] > 0,
    );
    const card = element("li", { class: `card app-card${causes.length > 0 ? " needs-attention" : ""}` },
      element(
        "div", { class: "app-name" }, appTile(app),
        app.name ? [element("h2", {}, element("bdi", {}, app.name)), element("p", {}, link)] : element("h2", {}, link),
      ),
      menu,
      element("ul", { class: "causes" }, ...causes.map((cause) => element(
        "li", {},
        element("a", { href: address(CAUSES[cause](app.app)) }, strings.apps.causes[cause](app.attention[cause])),
      ))),
      facts, file);
    if (!refusal("editor")) acceptsFiles(card, bring);
    whenSeen(card, fill, this.signal);
    return card;
  }

  /** @param {AppSummary} app @param {HTMLElement} menu @param {HTMLElement} facts */
  async #fill({ app, taps }, menu, facts) {
    const options = { signal: this.signal };
    const { body: { language, menu: rows, answer } } = await get(
      path`/apps/${app}/preview`, { ...options, query: { version: NEWEST } },
    );
    replaceChildren(menu, rows.length > 0
      ? menuPanel(rows, { name: strings.apps.menuOf(app), direction: direction(language) })
      : element("p", { class: "no-menu" }, answer ? strings.phone.noMenu : strings.apps.noMenu));
    const [drafts, schedule, { items: [last] }] = await Promise.all([
      listDrafts(app, options), listSchedule(app, options),
      page(path`/apps/${app}/revisions`, { ...options, limit: 1 }),
    ]);
    const asked = drafts.filter(({ review }) => review.state === "requested").length;
    const sentBack = drafts.filter(({ review }) => review.state === "changes").length;
    const planned = plansOf(schedule).length;
    const hasEnded = last?.kind === "candidate"
      && (await findCandidate(app, last.version, last.audience, options)) === null;
    const waiting = [
      drafts.length > 0 && strings.apps.drafts(drafts.length),
      asked > 0 && strings.apps.approvals(asked),
      sentBack > 0 && strings.apps.sentBack(sentBack),
      planned > 0 && strings.apps.scheduled(planned),
    ].filter(Boolean);
    replaceChildren(facts,
      element("p", { class: "hint" }, ...(last
        ? [
          strings.apps.published(setName(last.version, last.audience), last.by, last.kind), " ",
          timeElement(last.publishedAt), ".", hasEnded && strings.apps.rolloutEnded,
        ]
        : [strings.apps.neverPublished])),
      last && messageLine(last),
      element("p", { class: "hint" }, strings.apps.taps(taps)),
      waiting.length > 0 && element("p", { class: "waiting" }, waiting.join(", ")));
  }
}

/** @param {AppSummary} app */
const needsAttention = ({ attention }) => Object.values(attention).some((count) => count > 0);

/**
 * The app's icon, or a tile with a letter.
 * @param {App} app
 */
const appTile = ({ app, name, icon }) => element(
  "span", { class: "app-tile", "aria-hidden": "true" },
  icon
    ? element("img", { src: `/admin/v1${path`/apps/${app}/icon`}?v=${icon}`, alt: "" })
    : [...(name ?? app.split(".").at(-1) ?? "?")][0]?.toUpperCase(),
);

function addApp() {
  const fields = {
    app: field(strings.apps.id, { required: true, placeholder: "com.example.mail", hint: strings.apps.idHint }),
    name: field(strings.apps.name, {}),
    defaultLanguage: field(
      strings.apps.defaultLanguage, { required: true, value: "en", hint: strings.apps.defaultLanguageHint },
    ),
    languages: field(strings.apps.languages, { hint: strings.apps.languagesHint, placeholder: "English, German" }),
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
  ask(strings.apps.add, fields, strings.common.add, async ({
    app, name, defaultLanguage: first, languages: listed, fallbackURL,
  }) => {
    const tags = listedTags(`${first},${listed}`);
    const wrong = tags.find((tag) => !looksLikeTag(tag));
    if (wrong !== undefined) {
      const path = wrong === tags[0] ? "defaultLanguage" : "languages";
      throw new Problem(422, { detail: "", violations: [{ path, message: strings.editor.invalidLanguage(wrong) }] });
    }
    const document = {
      defaultLanguage: tags[0], languages: [...new Set(tags)], name: name || null, fallbackURL: fallbackURL || null,
    };
    try {
      await put(path`/apps/${app}`, document, { fields: { "If-None-Match": "*" } });
    } catch (error) {
      // The path has no valid id, or the app exists.
      const message = error.status === 412
        ? strings.apps.exists(app)
        : [400, 404].includes(error.status) && strings.apps.noBundleID(app);
      throw message ? new Problem(error.status, { detail: "", violations: [{ path: "app", message }] }) : error;
    }
    announce(strings.apps.added(name || app));
    go(["apps", app]);
  });
}

customElements.define("lp-apps", AppsRoom);
