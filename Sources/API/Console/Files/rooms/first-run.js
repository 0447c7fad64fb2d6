/** What a new service shows instead of apps: what quick actions are, the update gap, and an example to begin with. */
import { putDraft } from "../api/apps.js";
import { path, put } from "../api/client.js";
import { guarded } from "../page/announcements.js";
import { button } from "../page/controls.js";
import { element } from "../page/element.js";
import { go } from "../page/router.js";
import { strings } from "../strings.js";
import { onScreen } from "./gap-list.js";

/** @type {[string, string, string]} */
const PLACE = ["com.example.notes", "1.0.0", "default"];
const APP = { defaultLanguage: "en", name: "Notes", fallbackURL: "notes://home" };
const { titles } = strings.firstRun;

/** @param {keyof typeof titles} id @param {string} icon @param {string} url */
const item = (id, icon, url) =>
  ({ id, type: `${PLACE[0]}.${id}`, title: { en: titles[id] }, icon: { type: icon }, url });
const ITEMS = [
  item("new-note", "compose", "notes://notes/new"), item("search", "search", "notes://search"),
  item("favorites", "favorite", "notes://favorites"),
];

/** @param {keyof typeof titles} id @param {SimulatedTap} tap @returns {SimulatedItem} */
const row = (id, tap) =>
  ({ kind: "dynamic", id, type: id, title: titles[id], visible: true, tap });
/** @type {Simulation} */
const GAP = {
  from: "1.0.0", to: "2.0.0", audience: "default", language: "en", hidden: [],
  menu: [
    row("compose", { outcome: "replaced", item: "new-note", url: null }),
    row("search", { outcome: "current", item: "search", url: null }),
    row("drafts", { outcome: "removed", item: null, url: null }),
  ],
  afterLaunch: {
    menu: ITEMS.map(({ id }) => row(id, { outcome: "current", item: id, url: null })), hidden: [], added: [],
    removed: [], changed: [],
  },
};
/** @type {Record<string, string>} */
const ICONS = { compose: "compose", search: "search", drafts: "time" };

/** @param {string | null} refused why the person may not add apps */
export function firstRun(refused) {
  /** @type {App} */
  const app = { app: PLACE[0], approvals: 0, languages: ["en"], icon: null, ...APP };
  return element("section", { class: "first-run" },
    element("h2", {}, strings.firstRun.title),
    element("p", {}, strings.firstRun.what),
    element("p", {}, refused ? strings.firstRun.askOwner : strings.firstRun.start(PLACE[0])),
    button(strings.firstRun.make, guarded(makeExample), { kind: "primary", refusal: refused }),
    element("h2", {}, strings.firstRun.gap),
    element("p", {}, strings.firstRun.gapText),
    onScreen(GAP, app, ({ id }) => ({ type: ICONS[id ?? ""] }), strings.gap.onScreen, null));
}

async function makeExample() {
  await put(path`/apps/${PLACE[0]}`, APP, { fields: { "If-None-Match": "*" } });
  await putDraft(...PLACE, { items: ITEMS }, { tag: null, base: 0 });
  go(["apps", PLACE[0], "sets", ...PLACE.slice(1)]);
}
