/** Versions from left to right: releases as marks, each audience a track, its sets the stretches that they rule, drafts dashed. */
import { findSet, getApp, listDrafts, listReleases, listSchedule, listSets, simulate } from "../api/apps.js";
import { remove, path } from "../api/client.js";
import { follow, isOwn } from "../api/live.js";
import { refusal } from "../api/session.js";
import { effectiveSet, menuOf, releaseFor } from "../menus/shown.js";
import { announce, guarded } from "../page/announcements.js";
import { button, emptyPlace } from "../page/controls.js";
import { element } from "../page/element.js";
import { longTime, timeElement } from "../page/format.js";
import { Room } from "../page/room.js";
import { address, note } from "../page/router.js";
import { phoneOf } from "../phone/phone.js";
import { strings } from "../strings.js";
import { compareVersions } from "../values/version.js";
import { appFrame, newSet, setName } from "./app-frame.js";
import { iconsOf } from "./gap-icons.js";
import { onScreen } from "./gap-list.js";

class TimelineRoom extends Room {
  async open() {
    const { app } = this.place;
    await this.#draw();
    follow(app, this.signal, guarded(async (change) => {
      if (change.revision && !isOwn(app, change.revision)) announce(strings.timeline.changed(change.revision));
      await this.#draw();
    }));
  }

  async #draw() {
    const { app } = this.place;
    const options = { signal: this.signal };
    [this.app, this.sets, this.drafts, this.releases, this.schedule] = await Promise.all([
      getApp(app, options), listSets(app, options), listDrafts(app, options), listReleases(app, options), listSchedule(app, options),
    ]);
    this.versions = [...new Set([...this.sets, ...this.drafts, ...this.releases].map(({ version }) => version))].sort(compareVersions);
    const frame = appFrame(app, "timeline");
    if (this.sets.length + this.drafts.length === 0) {
      const first = button(strings.timeline.first, () => newSet(app), { kind: "primary", refusal: refusal("editor") });
      return this.show(app, frame, emptyPlace(strings.timeline.empty, first), this.#scheduled());
    }
    const wanted = this.place.query.get("version");
    this.panel = element("section", { class: "version-panel", "aria-live": "polite", "aria-label": strings.timeline.panel });
    this.show(app, frame, this.#grid(), this.#scheduled(), this.panel);
    await this.#select(this.versions.includes(wanted) ? wanted : this.versions.at(-1));
  }

  #grid() {
    const columns = new Map(this.versions.map((version, index) => [version, index + 2]));
    const end = this.versions.length + 2;
    const place = (node, row, from, to = from + 1) => {
      node.style.gridRow = String(row);
      node.style.gridColumn = `${from} / ${to}`;
      return node;
    };
    this.marks = this.versions.map(
      (version) => element("button", { type: "button", class: "version", on: { click: guarded(() => this.#select(version)) } }, version),
    );
    const parts = [
      place(element("span", { class: "track-name" }, strings.timeline.version), 1, 1),
      ...this.marks.map((mark, index) => place(mark, 1, index + 2)),
    ];
    parts.push(place(element("span", { class: "track-name" }, strings.timeline.releases), 2, 1));
    for (const version of new Set(this.releases.map((release) => release.version))) {
      const builds = this.releases.filter((release) => release.version === version);
      const statics = builds.at(-1).staticItems.length;
      parts.push(
        place(
          element(
            "span",
            { class: "release", title: strings.timeline.release(version, builds.map(({ build }) => build ?? "—").join(", "), statics) },
            strings.timeline.statics(statics),
          ),
          2,
          columns.get(version),
        ),
      );
    }
    let row = 3;
    for (const audience of audiences([...this.sets, ...this.drafts])) {
      const sets = this.sets.filter((set) => set.audience === audience).sort((a, b) => compareVersions(a.version, b.version));
      const drafts = this.drafts.filter((draft) => draft.audience === audience);
      const only = drafts.filter((draft) => !sets.some((set) => set.version === draft.version));
      const stretch = (list, set, dashed) => {
        const next = list[list.indexOf(set) + 1];
        return place(
          this.#link(set, drafts.find((draft) => draft.version === set.version), dashed),
          row,
          columns.get(set.version),
          next ? columns.get(next.version) : end,
        );
      };
      parts.push(place(element("span", { class: "track-name" }, audience), row, 1));
      parts.push(...sets.map((set) => stretch(sets, set, false)));
      if (only.length > 0) {
        if (sets.length > 0) row++;
        const sorted = only.sort((a, b) => compareVersions(a.version, b.version));
        parts.push(...sorted.map((draft) => stretch(sorted, draft, true)));
      }
      row++;
    }
    const grid = element("div", { class: "timeline" }, ...parts);
    grid.style.gridTemplateColumns = `max-content repeat(${this.versions.length}, minmax(7.5rem, 1fr))`;
    return element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": strings.timeline.region }, grid);
  }

  #link(set, draft, dashed) {
    const name = setName(set.version, set.audience);
    const about = dashed ? strings.timeline.draftBy(set.by) : strings.timeline.publishedBy(set.revision, set.by);
    return element("a", {
      class: `stretch${dashed ? " dashed" : ""}`,
      href: address(["apps", this.place.app, "sets", set.version, set.audience]),
      "aria-label": name,
      "aria-description": about,
    },
      element("strong", {}, name), element(
        "span",
        { class: "hint" },
        dashed ? strings.timeline.draft : strings.timeline.revision(set.revision),
      ), !dashed && draft && element("span", { class: "badge" }, strings.timeline.draft));
  }

  #scheduled() {
    if (this.schedule.length === 0) return null;
    const rows = this.schedule.map((entry) => {
      const off = button(strings.timeline.callOff, guarded(async () => {
        await remove(path`/apps/${this.place.app}/schedule/${entry.id}`);
        announce(strings.timeline.calledOff);
        await this.#draw();
      }), { kind: "quiet", refusal: refusal("publisher") });
      return element(
        "li",
        {},
        element("span", {}, strings.timeline.entry(entry.kind, setName(entry.version, entry.audience), longTime(entry.at), entry.by)),
        off,
      );
    });
    return element("section", {}, element("h2", {}, strings.timeline.schedule), element("ul", { class: "rows" }, ...rows));
  }

  async #select(version) {
    note({ version });
    for (const mark of this.marks) {
      mark.setAttribute("aria-pressed", String(mark.textContent === version));
      if (mark.textContent === version) bringIntoView(mark);
    }
    const before = this.versions[this.versions.indexOf(version) - 1];
    const served = await Promise.all(audiences(this.sets).map((audience) => this.#served(version, audience)));
    const gap = before && (await simulate(this.place.app, { from: before, to: version }, { signal: this.signal }));
    const icon = before && (
      await iconsOf(
        this.place.app,
        [before, version],
        { sets: this.sets, releases: this.releases, audience: "default", signal: this.signal },
      )
    );
    this.panel.replaceChildren(
      element("h2", {}, strings.timeline.servedTo(version)),
      element("div", { class: "phones" }, ...served),
      gap ? onScreen(gap, this.app, strings.timeline.between(before, version), icon) : "",
    );
  }

  async #served(version, audience) {
    const set = effectiveSet(version, this.sets.filter((each) => each.audience === audience));
    const release = releaseFor(version, this.releases);
    if (!set) return element("div", { class: "served" }, element("h3", {}, audience), element("p", {}, strings.timeline.keeps(version)));
    const standing = await findSet(this.place.app, set.version, audience, { signal: this.signal });
    const { defaultLanguage, name } = this.app;
    const { shown, cut } = menuOf(standing?.set ?? { items: [] }, release?.staticItems ?? [], defaultLanguage, defaultLanguage);
    return element("div", { class: "served" },
      element("h3", {}, audience), phoneOf({ name: name ?? this.place.app, rows: shown, language: defaultLanguage }),
      element(
        "p",
        { class: "hint" },
        strings.timeline.why(set.version, set.revision, set.by),
        " ",
        timeElement(set.publishedAt),
        ". ",
        release ? strings.preview.statics(release.staticItems.length, release.version) : strings.preview.noRelease,
        cut.length > 0 ? ` ${strings.timeline.cut(cut.length)}` : "",
      ));
  }
}

/** Scrolls the timeline sideways where the version is beyond its edges. */
function bringIntoView(mark) {
  const scroller = mark.closest(".scroller");
  const [left, right] = [mark.offsetLeft, mark.offsetLeft + mark.offsetWidth];
  if (left < scroller.scrollLeft || right > scroller.scrollLeft + scroller.clientWidth) scroller.scrollLeft = right - scroller.clientWidth + 16;
}

/** The audiences in the order of their tracks, the default one first. */
function audiences(sets) {
  const names = [...new Set(sets.map(({ audience }) => audience))].sort();
  return names.includes("default") ? ["default", ...names.filter((name) => name !== "default")] : names;
}

customElements.define("lp-timeline", TimelineRoom);
