/**
 * Three phones: before an update, after it and before the first launch, after the first launch. Arrow keys walk through the pairs of
 * versions.
 */
import { getApp, listReleases, listSets, simulate } from "../api/apps.js";
import { isTyping } from "../shell/keys.js";
import { announce, guarded } from "../page/announcements.js";
import { button, emptyPlace, field } from "../page/controls.js";
import { element } from "../page/element.js";
import { Room } from "../page/room.js";
import { note } from "../page/router.js";
import { phoneOf } from "../phone/phone.js";
import { strings } from "../strings.js";
import { compareVersions } from "../values/version.js";
import { appFrame } from "./app-frame.js";
import { iconsOf } from "./gap-icons.js";
import { kindOfOutcome, line, onScreenList, simulatedRow } from "./gap-list.js";

/** Pairs beyond this number are shown when they are chosen, and not judged ahead. */
const MOST_JUDGED = 120;

class UpdateGapRoom extends Room {
  #pairs = [];
  #shown = 0;

  async open() {
    const { app, query } = this.place;
    const options = { signal: this.signal };
    const [document, sets, releases] = await Promise.all([getApp(app, options), listSets(app, options), listReleases(app, options)]);
    this.app = document;
    this.sets = sets;
    this.releases = releases;
    this.versions = [...new Set([...sets, ...releases].map(({ version }) => version))].sort(compareVersions);
    if (this.versions.length < 2) return this.show(strings.app.gap, appFrame(app, "gap"), emptyPlace(strings.gap.empty));
    this.#pairs = pairsOf(this.versions);
    const select = (label, chosen) => {
      const made = field(label, { tag: "select" });
      made.input.append(...this.versions.map((version) => element("option", { value: version, selected: version === chosen }, version)));
      made.input.addEventListener("change", guarded(() => this.#draw()));
      return made;
    };
    this.from = select(strings.gap.from, query.get("from") ?? this.versions.at(-2));
    this.to = select(strings.gap.to, query.get("to") ?? this.versions.at(-1));
    this.audience = this.#audiences(query.get("audience"));
    this.pictures = element("div", { class: "gap" });
    this.pairList = element("ol", { class: "pairs" });
    this.show(strings.app.gap, appFrame(app, "gap"),
      element(
        "div",
        { class: "gap-choice" },
        this.from.row,
        this.to.row,
        this.audience?.row,
        button(strings.gap.previous, () => this.#walk(-1)),
        button(strings.gap.next, () => this.#walk(1)),
      ),
      element("p", { class: "hint" }, strings.gap.hint), this.pictures,
      element("details", { class: "all-pairs" }, element("summary", {}, strings.gap.pairs), this.pairList));
    addEventListener("keydown", (event) => this.#key(event), { signal: this.signal });
    await this.#draw();
    await this.#judge();
  }

  #audiences(chosen) {
    const names = [...new Set(this.sets.map(({ audience }) => audience))];
    if (names.length < 2) return null;
    const made = field(strings.gap.audience, { tag: "select" });
    made.input.append(...names.map((name) => element("option", { value: name, selected: name === (chosen ?? "default") }, name)));
    made.input.addEventListener("change", guarded(async () => {
      await this.#draw();
      await this.#judge();
    }));
    return made;
  }

  #key(event) {
    if (isTyping(event.target) || event.altKey || event.ctrlKey || event.metaKey || window.document.querySelector("dialog:modal")) return;
    if (event.key === "ArrowRight") this.#walk(1);
    else if (event.key === "ArrowLeft") this.#walk(-1);
    else return;
    event.preventDefault();
  }

  #walk(by) {
    this.#shown = (this.#place() + by + this.#pairs.length) % this.#pairs.length;
    const { from, to } = this.#pairs[this.#shown];
    this.from.input.value = from;
    this.to.input.value = to;
    announce(strings.gap.pair(from, to));
    guarded(() => this.#draw())();
  }

  #place() {
    const place = this.#pairs.findIndex(({ from, to }) => from === this.from.input.value && to === this.to.input.value);
    return place < 0 ? this.#shown : place;
  }

  #simulate(from, to) {
    return simulate(this.place.app, { from, to, audience: this.audience?.input.value }, { signal: this.signal });
  }

  async #draw() {
    const [from, to] = [this.from.input.value, this.to.input.value];
    note({ from, to, audience: this.audience?.input.value });
    const known = { sets: this.sets, releases: this.releases, audience: this.audience?.input.value ?? "default", signal: this.signal };
    const [before, between, oldIcon, newIcon] = await Promise.all([
      this.#simulate(from, from), this.#simulate(from, to), iconsOf(this.place.app, [from, to], known), iconsOf(this.place.app, [to], known),
    ]);
    if (from !== this.from.input.value || to !== this.to.input.value) return;
    const draw = (items, icon, marked) =>
      phoneOf({
        name: this.app.name ?? this.place.app,
        rows: items.map((item) => simulatedRow(item, icon(item), marked)),
        language: between.language,
      });
    const titles = new Map();
    const hidden = between.hidden.length > 0 && element(
      "section",
      {},
      element("h3", {}, strings.gap.hidden),
      element("ul", { class: "on-screen", "aria-label": strings.gap.hidden }, ...between.hidden.map((item) => line(item, titles))),
    );
    this.pictures.replaceChildren(
      element("section", {}, element("h2", {}, strings.gap.before(from)), draw(before.menu, oldIcon, false)),
      element(
        "section",
        {},
        element("h2", {}, strings.gap.between(to)),
        draw(between.menu, oldIcon, true),
        onScreenList(between),
        hidden || "",
      ),
      element(
        "section",
        {},
        element("h2", {}, strings.gap.after(to)),
        draw(between.afterLaunch.menu, newIcon, false),
        element("p", { class: "hint" }, strings.gap.changes(between.afterLaunch)),
      ));
    for (const entry of this.pairList.children) entry.firstChild.setAttribute(
      "aria-current",
      String(entry.dataset.pair === `${from} ${to}`),
    );
  }

  /** Simulates all pairs, three at a time, and puts first those that lose a tap. */
  async #judge() {
    const judged = this.#pairs.slice(0, MOST_JUDGED);
    const waiting = [...judged];
    const work = async () => {
      for (let pair = waiting.shift(); pair; pair = waiting.shift()) {
        const { menu } = await this.#simulate(pair.from, pair.to);
        pair.lost = menu.filter((item) => kindOfOutcome(item.tap.outcome) === "lost").length;
      }
    };
    await Promise.all([work(), work(), work()]);
    this.#pairs = [...judged.sort((left, right) => right.lost - left.lost), ...this.#pairs.slice(MOST_JUDGED)];
    this.pairList.replaceChildren(...this.#pairs.map(({ from, to, lost }) => {
      const choose = button(strings.gap.pairLine(from, to, lost), () => {
        this.from.input.value = from;
        this.to.input.value = to;
        guarded(() => this.#draw())();
      }, { kind: lost > 0 ? "danger" : "quiet" });
      return element("li", { "data-pair": `${from} ${to}` }, choose);
    }));
  }
}

/** All updates, the shortest steps first. */
function pairsOf(versions) {
  const pairs = [];
  for (let step = 1; step < versions.length; step++) {
    for (let index = 0; index + step < versions.length; index++) pairs.push({ from: versions[index], to: versions[index + step], lost: 0 });
  }
  return pairs;
}

customElements.define("lp-update-gap", UpdateGapRoom);
