/** Versions from left to right: releases are marks, audiences are tracks, sets are bars, and drafts are dashed bars. */
import {
  findReview, getApp, getRevision, listDrafts, listReleases, listSchedule, listSets, nameOfApp, simulate,
} from "../api/apps.js";
import { refusal } from "../api/session.js";
import { mayAnswer, reviewWords, watch } from "../editor/review.js";
import { runningNote } from "../editor/rollout-choice.js";
import { effectiveSet, menuOf, releaseFor, servedLanguages } from "../menus/shown.js";
import { announce, guarded } from "../page/announcements.js";
import { button, emptyPlace, field, refuse } from "../page/controls.js";
import { element } from "../page/element.js";
import { shortTime, soon, timeElement } from "../page/format.js";
import { Room } from "../page/room.js";
import { address, go, note } from "../page/router.js";
import { phoneOf } from "../phone/phone.js";
import { strings } from "../strings.js";
import { same } from "../values/json.js";
import { languageName } from "../values/language.js";
import { canonicalVersion, compareVersions, versionParts } from "../values/version.js";
import { appFrame, audiencesOf, newSetButton, setName } from "./app-frame.js";
import { iconsOf } from "./gap-icons.js";
import { editorOf, notePlans, onScreen } from "./gap-list.js";
import { openPlan, plansOf, scheduleSection } from "./schedule.js";
import { documentOf } from "./set-documents.js";

/** With more audiences, all but the first are folded. */
const MOST_OPEN = 3;

class TimelineRoom extends Room {
  /**
   * The version whose menus are shown.
   * @type {string | null}
   */
  selected = null;
  /** @type {App} */
  app;
  /** @type {SetSummary[]} */
  sets;
  /** @type {DraftSummary[]} */
  drafts;
  /** @type {Release[]} */
  releases;
  /** @type {ScheduleEntry[]} */
  schedule;
  /**
   * The revisions of campaigns that are live.
   * @type {Revision[]}
   */
  live;
  /** The language, audience and scheme of the phones; empty for the default. */
  look = { language: "", audience: "", dark: matchMedia("(prefers-color-scheme: dark)").matches };
  /** @type {string[]} */
  versions;
  /**
   * Versions that phones may have: the versions of sets and releases.
   * @type {string[]}
   */
  installed;
  /**
   * The buttons of the versions.
   * @type {HTMLElement[]}
   */
  marks = [];
  /**
   * The menus of the version.
   * @type {HTMLElement}
   */
  menus;
  /** @type {Field} */
  question;

  async open() {
    const { app } = this.place;
    this.selected = this.place.query.get("version");
    const options = { signal: this.signal };
    [this.app, this.sets, this.drafts, this.releases, this.schedule] = await Promise.all([
      getApp(app, options), listSets(app, options), listDrafts(app, options), listReleases(app, options),
      listSchedule(app, options),
    ]);
    const ascending = (/** @type {{version: string}[][]} */ ...lists) =>
      [...new Set(lists.flat().map(({ version }) => version))].sort(compareVersions);
    this.versions = ascending(this.sets, this.drafts, this.releases, this.schedule);
    this.installed = ascending(this.sets, this.releases);
    const ends = this.schedule.filter(({ expectedRevision }) => expectedRevision !== undefined);
    const [reviews] = await Promise.all([
      this.#reviews(),
      Promise.all(ends.map(({ expectedRevision = 0 }) => getRevision(app, expectedRevision, options))).then(
        (live) => (this.live = live),
      ),
    ]);
    const first = this.sets.length + this.drafts.length === 0 && emptyPlace(
      this.releases.length > 0 ? strings.timeline.emptyBut : strings.timeline.empty,
      element("div", { class: "room-actions" }, newSetButton(
        app, strings.timeline.first, "primary",
      ), this.releases.length === 0 && button(
        strings.releases.bring, () => go(["apps", app, "releases"]), { refusal: refusal("editor") },
      )),
    );
    watch(this.signal, () => this.#readPlans().catch(() => {}));
    if (this.versions.length === 0) return this.show(app, appFrame(app, "timeline"), first);
    this.menus = element("div");
    const panel = element(
      "section", { class: "version-panel", "aria-label": strings.timeline.panel }, this.#controls(), this.menus,
    );
    this.show(
      app, appFrame(app, "timeline"), first,
      this.sets.map(({ version, audience, rollout }) => rollout
        && runningNote({ app, version, audience }, rollout, `(${setName(version, audience)})`)),
      this.#track(), reviews, scheduleSection(this, () => this.refresh()), panel,
    );
    const selected = canonicalVersion(this.selected ?? "");
    await this.#select(
      versionParts(selected) ? selected : (this.installed.at(-1) ?? this.versions[this.versions.length - 1]),
    );
  }

  /**
   * The app's name is the heading, with its id beside it.
   * @param {string} title @param {...Child} content
   */
  show(title, ...content) {
    super.show(title, ...content);
    const name = nameOfApp(this.place.app);
    if (!name || title !== this.place.app) return;
    this.querySelector(".eyebrow")?.remove();
    this.querySelector("h1")?.replaceChildren(
      element("bdi", {}, name), " ", element("code", { class: "hint" }, this.place.app),
    );
  }

  /** Draws again if drafts, their states or the schedule changed. The live stream does not report them. */
  async #readPlans() {
    const options = { signal: this.signal };
    const [drafts, schedule] = await Promise.all([
      listDrafts(this.place.app, options), listSchedule(this.place.app, options),
    ]);
    if (!same(drafts, this.drafts) || !same(schedule, this.schedule)) await this.refresh();
  }

  /** The drafts, each with its state and a link to the editor. */
  async #reviews() {
    const { app } = this.place;
    const reviews = await Promise.all(this.drafts.map(({ version, audience, review, by, ...draft }) => (
      // Only the review itself names who may approve.
      review.state === "requested" ? findReview(app, version, audience, { signal: this.signal })
        : { ...draft, savedBy: by, ...review, mayApprove: [] }
    )));
    const rows = this.drafts.map(({ version, audience }, place) => {
      const review = reviews[place];
      const name = setName(version, audience);
      const word = review?.state === "requested" && mayAnswer(review)
        ? strings.review.review
        : refusal("editor") ? strings.review.see : strings.timeline.edit;
      return review && element("li", {},
        element("span", { class: `review ${review.state}` }, element("strong", {}, name), " ", reviewWords(review)),
        element("a", {
          class: "button quiet", href: address(["apps", app, "sets", version, audience]),
          "aria-label": strings.review.openDraft(word, name),
        }, word));
    });
    return rows.some(Boolean) && element(
      "section", {}, element("h2", {}, strings.review.drafts), element("ul", { class: "rows" }, ...rows),
    );
  }

  /** The version, language, audience and scheme of the phones below. */
  #controls() {
    const { look } = this;
    const redraw = guarded(() => this.#select(/** @type {string} */ (this.selected), true));
    this.question = field(strings.timeline.question, { inputmode: "decimal", placeholder: "2.5.1" });
    this.question.row.classList.add("question");
    this.question.input.addEventListener("input", () => {
      const text = this.question.input.value.trim();
      const isVersion = versionParts(text) !== null;
      const wrong = text !== "" && !isVersion;
      this.question.say(wrong ? [{ message: strings.app.noVersion(text), severity: "violation" }] : []);
      if (isVersion && canonicalVersion(text) !== this.selected) {
        guarded(() => this.#select(canonicalVersion(text), true))();
      }
    });
    /** @type {(label: string, name: "language" | "audience", options: [string, string][]) => Field | null} */
    const choice = (label, name, options) => {
      if (options.length < 2) return null;
      const made = field(label, { tag: "select" });
      made.input.append(...options.map(
        ([value, text]) => element("option", { value, selected: value === look[name] }, text),
      ));
      made.input.addEventListener("change", () => {
        look[name] = made.input.value;
        redraw();
      });
      return made;
    };
    const audiences = audiencesOf(this.sets);
    const tags = this.app.languages ?? [this.app.defaultLanguage];
    const dark = button(strings.preview.dark, () => {
      look.dark = !look.dark;
      dark.setAttribute("aria-pressed", String(look.dark));
      redraw();
    }, { class: "toggle", "aria-pressed": String(look.dark) });
    return element("div", { class: "gap-choice" }, this.question.row,
      choice(strings.preview.language, "language", tags.map((tag) => [tag, languageName(tag)]))?.row,
      choice(strings.app.audience, "audience", [
        ["", strings.timeline.everyAudience], ...audiences.map(
          (audience) => /** @type {[string, string]} */ ([audience, strings.common.audience(audience)]),
        ),
      ])?.row,
      dark);
  }

  /** The grid, with buttons to scroll if it is wider than the page. */
  #track() {
    const scroller = element(
      "div", { class: "scroller", tabindex: 0, role: "region", "aria-label": strings.timeline.region }, this.#grid(),
    );
    const by = (/** @type {number} */ way) =>
      scroller.scrollBy({ left: way * scroller.clientWidth * 0.8, behavior: "smooth" });
    const earlier = button(strings.timeline.earlier, () => by(-1), { kind: "quiet" });
    const later = button(strings.timeline.later, () => by(1), { kind: "quiet" });
    const head = element("div", { class: "track-head" },
      element(
        "p", { class: "hint" }, strings.timeline.extent(this.versions.length, this.versions[0], this.versions.at(-1)),
      ),
      element("span", {}, earlier, later));
    const look = () => {
      const rest = scroller.scrollWidth - scroller.clientWidth;
      head.hidden = rest <= 1;
      refuse(earlier, scroller.scrollLeft <= 1 ? strings.timeline.isEarliest : null);
      refuse(later, scroller.scrollLeft >= rest - 1 ? strings.timeline.isLatest : null);
    };
    scroller.addEventListener("scroll", look, { passive: true });
    new ResizeObserver(look).observe(scroller);
    return element("div", {}, head, scroller);
  }

  #grid() {
    const column = (/** @type {string | undefined} */ version) => columns.get(version ?? "") ?? end;
    const columns = new Map(this.versions.map((version, index) => [version, index + 2]));
    const end = this.versions.length + 2;
    /** @type {(node: HTMLElement, row: number, from: number, to?: number) => HTMLElement} */
    const place = (node, row, from, to = from + 1) => {
      node.style.gridRow = String(row);
      node.style.gridColumn = `${from} / ${to}`;
      return node;
    };
    this.marks = this.versions.map((version, index) => element("button", {
      type: "button", class: "version", "aria-description": strings.timeline.servedTo(version),
      on: { click: guarded(() => this.#select(version, true)), keydown: (event) => this.#walk(event, index) },
    }, version));
    const parts = [
      place(element("span", { class: "track-name" }, strings.timeline.version), 1, 1),
      ...this.marks.map((mark, index) => place(mark, 1, index + 2)),
      place(element("span", { class: "track-name" }, strings.timeline.releases), 2, 1),
    ];
    for (const version of new Set(this.releases.map((release) => release.version))) {
      parts.push(place(this.#release(version), 2, column(version)));
    }
    let row = 3;
    for (const audience of audiencesOf([...this.sets, ...this.drafts, ...this.schedule])) {
      /** @type {<Entry extends {version: string, audience: string}>(list: Entry[]) => Entry[]} */
      const here = (list) =>
        list.filter((each) => each.audience === audience).sort((a, b) => compareVersions(a.version, b.version));
      const [sets, drafts, entries] = [here(this.sets), here(this.drafts), here(this.schedule)];
      const stands = (/** @type {{version: string}} */ { version }) => sets.some((set) => set.version === version);
      const plans = plansOf(entries, this.live);
      const campaigns = plans.filter(({ end }) => end);
      const single = plans.filter(({ end }) => !end).map(({ entry }) => entry);
      const coming = [
        ...new Set([...drafts, ...single].filter((each) => !stands(each)).map(({ version }) => version)),
      ].sort(compareVersions);
      /** @type {(versions: string[], version: string, set: SetSummary | null) => void} */
      const stretch = (versions, version, set) => {
        const until = versions[versions.indexOf(version) + 1];
        const draft = drafts.find((each) => each.version === version);
        const link = this.#link({
          version, audience, until, set, draft, entries: single.filter((entry) => entry.version === version),
        });
        return place(link, row, column(version), column(until));
      };
      parts.push(place(element("span", { class: "track-name" }, strings.common.audience(audience)), row, 1));
      parts.push(...sets.map((set) => stretch(sets.map(({ version }) => version), set.version, set)));
      if (sets.length > 0 && coming.length > 0) row++;
      parts.push(...coming.map((version) => stretch(coming, version, null)));
      for (const plan of campaigns) {
        const { version } = plan.entry;
        const until = sets.find((set) => compareVersions(set.version, version) > 0)?.version;
        const isLive = plan.entry === plan.end;
        parts.push(place(
          button(element("span", {}, plan.title), guarded(() => openPlan(this, plan, () => this.refresh())), {
            class: `stretch campaign${isLive ? "" : " dashed"}`, title: plan.times,
            "aria-description": strings.timeline.campaign(setName(version, audience), isLive),
          }),
          ++row, column(version), column(until),
        ));
      }
      row++;
    }
    const grid = element("div", { class: "timeline" }, ...parts);
    grid.style.gridTemplateColumns = `max-content repeat(${this.versions.length}, minmax(7.5rem, 1fr))`;
    return grid;
  }

  /** @param {string} version */
  #release(version) {
    const builds = this.releases.filter((release) => release.version === version);
    const count = builds[builds.length - 1].staticItems.length;
    const words = strings.timeline.release(version, builds.map(({ build }) => build ?? "—").join(", "), count);
    return element(
      "span", { class: "release", title: words, role: "img", "aria-label": words }, strings.timeline.statics(count),
    );
  }

  /**
   * The bar of a set, or a dashed bar for a draft or a scheduled set.
   * @param {{version: string, audience: string, until: string | undefined, set: SetSummary | null, draft: DraftSummary
   *   | undefined, entries: ScheduleEntry[]}} stretch
   */
  #link({ version, audience, until, set, draft, entries }) {
    const name = setName(version, audience);
    const badges = [
      draft && strings.review.states[draft.review.state],
      entries.some((entry) => !entry.rollout) && strings.timeline.scheduled,
    ].filter(Boolean);
    const about = [
      set && strings.timeline.rules(version, until, audience),
      set && strings.timeline.publishedBy(set.revision, set.by),
      draft && strings.timeline.draftBy(draft.by),
      ...entries.map((entry) => strings.timeline.entry(entry.kind, shortTime(entry.at), entry.by)),
    ].filter(Boolean).join(". ");
    const addressOf = (/** @type {string} */ room) => address(["apps", this.place.app, room, version, audience]);
    const href = addressOf("sets");
    const rollout = set?.rollout;
    const step = entries.find(({ kind }) => kind === "share");
    return element("div", { class: `stretch${set ? "" : " dashed"}` },
      element("a", { href, "aria-label": name, "aria-description": about, title: about },
        element("strong", {}, name),
        set && element("span", { class: "hint" }, strings.timeline.revision(set.revision)),
        ...badges.map((badge) => element("span", { class: "badge" }, badge))),
      rollout && element("a", {
        class: "edit", href: addressOf("rollouts"),
        "aria-description": strings.rollout.title(name),
      }, strings.rollout.get(rollout.share, rollout.revision), step && strings.rollout.next(step.share, soon(step.at))),
      !refusal("editor") && element(
        "a", { class: "edit", href, "aria-label": strings.timeline.editNamed(name) }, strings.timeline.edit,
      ));
  }

  /**
   * The arrow keys move between versions, so that all versions are one stop of the Tab key.
   * @param {KeyboardEvent} event @param {number} index
   */
  #walk(event, index) {
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: this.marks.length - 1 };
    const next = this.marks[places[event.key]];
    if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    next.focus();
    next.click();
  }

  /** @param {string} version @param {boolean} told whether the menus are announced to screen readers */
  async #select(version, told = false) {
    this.selected = version;
    note({ version });
    const { input } = this.question;
    if (canonicalVersion(input.value.trim()) !== version) {
      input.value = version;
      this.question.say([]);
    }
    for (const mark of this.marks) {
      const chosen = mark.textContent === version;
      mark.setAttribute("aria-pressed", String(chosen));
      mark.tabIndex = chosen ? 0 : -1;
      if (chosen) bringIntoView(mark);
    }
    const before = this.installed.filter((each) => compareVersions(each, version) < 0).at(-1);
    const { audience: chosen } = this.look;
    const look = JSON.stringify(this.look);
    const audiences = audiencesOf(this.sets).filter((audience) => chosen === "" || audience === chosen);
    const folds = audiences.length > MOST_OPEN;
    const served = await Promise.all(
      audiences.map((audience, index) => this.#served(version, before, audience, { folds, open: index === 0 }))
    );
    if (this.selected !== version || look !== JSON.stringify(this.look)) return;
    this.menus.dataset.theme = this.look.dark ? "dark" : "light";
    this.menus.replaceChildren(
      element("h2", {}, strings.timeline.servedTo(version)),
      ...(served.length > 0 ? served : [element("p", {}, strings.timeline.nothingServed)]),
    );
    if (told) {
      announce(
        strings.timeline.menus(version, audiences.map((audience, index) => [audience, titlesOf(served[index])])),
        { quiet: true },
      );
    }
  }

  /**
   * The menu of an audience, and the screen between the update from the previous version and the first launch.
   * @param {string} version @param {string | undefined} before @param {string} audience
   * @param {{folds: boolean, open: boolean}} options
   */
  async #served(version, before, audience, { folds, open }) {
    const { app } = this.place;
    const options = { signal: this.signal };
    const sets = this.sets.filter((each) => each.audience === audience);
    const set = effectiveSet(version, sets);
    const [now, between, icon] = await Promise.all([
      set ? this.#now(version, set, audience)
        : [element("p", { class: "served-now" }, strings.timeline.keeps(version))],
      before
        ? simulate(app, { from: before, to: version, audience, lang: this.look.language || undefined }, options)
        : null,
      before
        ? iconsOf(app, [before, version], { sets: this.sets, releases: this.releases, audience, ...options })
        : null,
    ]);
    if (between && set) notePlans(between, set.version, this.schedule);
    const name = strings.timeline.onScreen(audience);
    const pair = element(
      "div", { class: "served-pair" }, ...now, before && between && icon && element("div", { class: "served-gap" },
      element("p", { class: "caption" }, strings.timeline.between(before)),
      between.menu.length > 0
        ? onScreen(between, this.app, icon, name, editorOf(app, version, sets))
        : element("p", { class: "hint" }, strings.phone.noMenu)));
    const heading = element("h3", {}, strings.common.audience(audience));
    if (!folds) return element("section", { class: "served" }, heading, pair);
    const titles = titlesOf(now[0]).flatMap((title, index) => [index > 0 && ", ", element("bdi", {}, title)]);
    return element(
      "details", { class: "served", open },
      element("summary", {}, heading, element("span", { class: "hint" }, ...titles)), pair,
    );
  }

  /**
   * The menu of a set. During a roll-out, the menus of both arms.
   * @param {string} version @param {SetSummary} set @param {string} audience
   */
  async #now(version, set, audience) {
    const { app } = this.place;
    const options = { signal: this.signal };
    const { rollout } = set;
    const [document, candidate] = await Promise.all([
      documentOf(app, set, options), rollout && getRevision(app, rollout.revision, options),
    ]);
    const isShown = rollout !== undefined && rollout.share > 0;
    const current = this.#menu(version, set, audience, document, isShown ? 100 - rollout.share : undefined);
    return isShown && candidate
      ? [current, this.#menu(version, candidate, audience, candidate.set, rollout.share)]
      : [current];
  }

  /**
   * @param {string} version @param {SetSummary | Revision} set @param {string} audience
   * @param {ShortcutSet | null} document @param {number} [share] of the phones, in percent
   */
  #menu(version, set, audience, document, share) {
    document ??= { items: [] };
    const release = releaseFor(version, this.releases);
    const { look, app: { defaultLanguage } } = this;
    const language = servedLanguages(document, defaultLanguage).includes(look.language)
      ? look.language
      : defaultLanguage;
    const { shown, cut } = menuOf(document, release?.staticItems ?? [], language, defaultLanguage);
    return element("div", { class: "served-now" },
      element("p", { class: "caption" }, share === undefined ? strings.timeline.launched : strings.rollout.arm(share)),
      phoneOf({
        app: this.app, rows: shown, language,
        listName: strings.timeline.menuOf(version, audience),
      }),
      element("p", { class: "hint" },
        strings.timeline.why(set.version, set.revision, set.by), " ", timeElement(set.publishedAt), ". ",
        release ? strings.preview.statics(release.staticItems.length, release.version) : strings.preview.noRelease,
        cut.length > 0 ? ` ${strings.timeline.cut(cut.length)}` : ""));
  }
}

/** The titles of the served menu. Only that drawing has a name. */
const titlesOf = (/** @type {HTMLElement} */ drawing) =>
  [...drawing.querySelectorAll(".menu-panel[aria-label] .title")].map(({ textContent }) => textContent);

/**
 * Scrolls the timeline to a version that is outside its edges or behind the names of the tracks.
 * @param {HTMLElement} mark
 */
function bringIntoView(mark) {
  const scroller = mark.closest(".scroller");
  if (!scroller) return;
  const names = /** @type {HTMLElement} */ (scroller.querySelector(".track-name")).offsetWidth;
  const [left, right] = [mark.offsetLeft - names, mark.offsetLeft + mark.offsetWidth];
  if (left < scroller.scrollLeft) scroller.scrollLeft = left - 8;
  else if (right > scroller.scrollLeft + scroller.clientWidth) {
    const marks = /** @type {HTMLElement[]} */ ([...scroller.querySelectorAll(".version")]);
    const first = marks.find((each) => each.offsetLeft - names >= right - scroller.clientWidth) ?? mark;
    scroller.scrollLeft = first.offsetLeft - names - 8;
  }
}

customElements.define("lp-timeline", TimelineRoom);
