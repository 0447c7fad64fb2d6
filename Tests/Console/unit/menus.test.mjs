import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "../../../Sources/API/Console/Files/menus/difference.js";
import * as sets from "../../../Sources/API/Console/Files/menus/document.js";
import { EarlierSets } from "../../../Sources/API/Console/Files/menus/earlier-sets.js";
import { judgedPairs, lossCauses, updateTaps } from "../../../Sources/API/Console/Files/menus/gap.js";
import { bundleVersion } from "../../../Sources/API/Console/Files/menus/info-plist.js";
import { idFor, isProvisional, provisionalID, typeFor } from "../../../Sources/API/Console/Files/menus/new-item.js";
import { placeholdersOf, withSamples } from "../../../Sources/API/Console/Files/menus/placeholders.js";
import { effectiveSet, menuOf, releaseFor, rulingSet, servedLanguages } from "../../../Sources/API/Console/Files/menus/shown.js";

const item = (id, members = {}) => ({ id, type: "t", title: { en: id.toUpperCase() }, ...members });
const set = (...items) => ({ items: items.map((each) => (typeof each === "string" ? item(each) : each)) });
const ids = ({ items }) => items.map(({ id }) => id);

test("an edit makes a new document and leaves the old one", () => {
  const before = Object.freeze(set("a", "b", "c"));
  assert.deepEqual(ids(sets.moveItem(before, "a", 2)), ["b", "c", "a"]);
  assert.equal(sets.moveItem(before, "a", 3), before);
  assert.equal(sets.moveItem(before, "x", 0), before);
  assert.deepEqual(ids(sets.removeItem(before, "b")), ["a", "c"]);
  assert.deepEqual(sets.addItem(before, "d", "t").items.at(-1), { id: "d", type: "t", title: {} });
  assert.deepEqual(ids(before), ["a", "b", "c"]);
});

test("the last text of a subtitle removes the subtitle, but a title stays", () => {
  const written = sets.setText(set("a"), "a", "subtitle", "en", "Sub");
  assert.deepEqual(written.items[0].subtitle, { en: "Sub" });
  assert.ok(!("subtitle" in sets.setText(written, "a", "subtitle", "en", "").items[0]));
  assert.deepEqual(sets.setText(set("a"), "a", "title", "en", "").items[0].title, {});
});

test("sets with default values equal sets without them", () => {
  const plain = set("a");
  const wordy = { items: [item("a", { enabled: true, subtitle: {}, userInfo: {}, icon: {}, replaces: [] })], retired: [] };
  assert.ok(sets.sameSet(plain, wordy));
  assert.ok(!sets.sameSet(plain, set(item("a", { enabled: false }))));
  assert.ok(!sets.sameSet(null, plain) && sets.sameSet(null, null));
});

test("a personal item is shown with its sample values, and its defaults do not count", () => {
  const personal = { source: "recent", sample: { name: "Ann", note: "" } };
  const write = item("a", { title: { en: "To {name} {{{note}}} {" }, subtitle: { en: "{name}" }, personal });
  const [row] = menuOf(set(write), [], "en", "en").shown;
  assert.deepEqual([row.title, row.subtitle], ["To Ann {{note}} {", "Ann"]);
  assert.equal(menuOf(set(item("b", { title: { en: "{name}" } })), [], "en", "en").shown[0].title, "{name}");
  assert.equal(withSamples("{__proto__}{constructor}", { source: "s" }), "{__proto__}{constructor}");
  const plain = set(item("a", { personal: { source: "s" } }));
  assert.ok(sets.sameSet(plain, set(item("a", { personal: { source: "s", limit: 1, sample: {} } }))));
  assert.ok(!sets.sameSet(plain, set(item("a", { personal: { source: "s", limit: 2 } }))) && !sets.sameSet(plain, set("a")));
});

test("the placeholders of an item come in the order of its texts", () => {
  const userInfo = { "{key}": ["{a}", { deep: "{b}{{c}}" }], number: 1, none: null };
  const texts = { title: { en: "{x} {Y} {z", ko: "{y1}{x}" }, url: "m:{u}", userInfo };
  assert.deepEqual(placeholdersOf(item("a", texts)), ["x", "y1", "u", "a", "b"]);
});

test("the languages begin with the default language, also where nothing is in it", () => {
  const texts = set(item("a", { title: { ko: "가" }, subtitle: { de: "x" } }), item("b", { title: { zh: "x" }, enabled: false }));
  assert.deepEqual(sets.languagesOf(texts, "en"), ["en", "de", "ko", "zh"]);
  assert.deepEqual(servedLanguages(texts, "en"), ["en", "ko"]);
});

test("a phone shows four items, static ones first, and says which do not fit", () => {
  const statics = ["s1", "s2"].map((type) => ({ type, title: type, subtitle: null, icon: null }));
  const { shown, cut, disabled } = menuOf(set("a", item("off", { enabled: false }), "b", "c"), statics, "en", "en");
  assert.deepEqual(shown.map(({ title }) => title), ["s1", "s2", "A", "B"]);
  assert.deepEqual(cut.map(({ id }) => id), ["c"]);
  assert.deepEqual(disabled.map(({ id }) => id), ["off"]);
});

test("an item without a title in the language is shown in the default language, with its subtitle", () => {
  const both = item("a", { title: { en: "One", ko: "하나" }, subtitle: { en: "Sub" } });
  assert.deepEqual(menuOf(set(both), [], "ko", "en").shown[0].subtitle, undefined);
  const [row] = menuOf(set(both), [], "de", "en").shown;
  assert.deepEqual([row.title, row.subtitle], ["One", "Sub"]);
});

test("the greatest version that is not above decides about set and release", () => {
  const of = (version, audience = "default") => ({ version, audience });
  const all = [of("2.0.0"), of("1.0.0"), of("1.5.0", "beta")];
  assert.equal(effectiveSet("1.9.0", all.filter(({ audience }) => audience === "default")).version, "1.0.0");
  assert.equal(effectiveSet("0.9.0", all), undefined);
  assert.equal(rulingSet(of("2.0.0", "beta"), all).version, "1.5.0");
  assert.equal(rulingSet(of("1.2.0", "beta"), all), undefined);
  assert.equal(rulingSet(of("2.1.0", "other"), all).version, "2.0.0");
  const releases = [["1.0.0", "9"], ["1.0.0", "10"], ["2.0.0", null]].map(([version, build]) => ({ version, build }));
  assert.equal(releaseFor("1.9.0", releases).build, "10");
  assert.equal(releaseFor("0.1.0", releases), undefined);
});

test("an update loses the taps on shown items that no rule mentions", () => {
  const timeline = [
    { version: "1.0.0", set: set("a", "b", "c", "d", "e") },
    { version: "2.0.0", set: { ...set(item("x", { replaces: ["a"] })), retired: [{ id: "b" }] } },
    { version: "3.0.0", set: null },
  ];
  const lost = Object.fromEntries(judgedPairs(["1.0.0", "2.0.0", "3.0.0"], timeline, []).map((pair) => [`${pair.from} ${pair.to}`, pair.lost]));
  assert.deepEqual(lost, { "1.0.0 2.0.0": 2, "1.0.0 3.0.0": null, "2.0.0 3.0.0": null });
});

test("a difference names added, removed, replaced, retired, moved and changed items", () => {
  const older = set("a", "b", "c", "d", "e");
  const newer = { ...set("e", item("a", { title: { en: "New" } }), "b", item("n", { replaces: ["c"] }), "z"), retired: [{ id: "d", url: "x://d" }] };
  const found = difference(older, newer);
  assert.deepEqual(found.added.map(({ id }) => id), ["z"]);
  assert.deepEqual(found.removed, []);
  assert.deepEqual(found.replaced.map(({ item: gone, heir }) => [gone.id, heir.id]), [["c", "n"]]);
  assert.deepEqual(found.retired.map(({ item: gone, url }) => [gone.id, url]), [["d", "x://d"]]);
  assert.deepEqual(found.moved.map(({ item: moved, place }) => [moved.id, place]), [["e", 1]]);
  assert.deepEqual(found.changed.map(({ item: { id }, members }) => [id, members]), [["a", [{ member: "title.en", old: "A", new: "New" }]]]);
  assert.deepEqual(difference(older, older).changed, []);
});

test("items of earlier sets are removed items, with the versions that have them and what was decided before", () => {
  const earlier = new EarlierSets("3.0.0", [
    { version: "1.0.0", set: set("a", "b") },
    { version: "2.0.0", set: set("b", item("c", { type: "last", title: { ko: "다" } })) },
  ]);
  const now = { ...set(item("n", { replaces: ["a", "other"] })), retired: [{ id: "b" }] };
  assert.deepEqual(earlier.removed(now, ["forgotten"]).map(({ id, versions }) => [id, ...versions]), [
    ["b", "1.0.0", "2.0.0"], ["c", "2.0.0"], ["a", "1.0.0"], ["forgotten"], ["other"]]);
  assert.deepEqual(earlier.removed(set("a", "b", "c"), []), []);
  assert.deepEqual(earlier.types, ["t", "t", "t", "last"]);
  assert.deepEqual(earlier.languages("en"), ["en", "ko"]);
  assert.deepEqual(earlier.itemOf("a").title, { en: "A" });
  assert.equal(earlier.itemOf("x"), undefined);
});

test("what earlier sets decided about an item is inherited, also through an item that replaced it", () => {
  const earlier = new EarlierSets("4.0.0", [
    { version: "1.0.0", set: set("a", "b", "c") },
    { version: "2.0.0", set: { ...set(item("d", { replaces: ["a"] })), retired: [{ id: "b", url: "x://b" }] } },
    { version: "4.0.0", set: { ...set("d"), retired: [{ id: "c" }] } },
  ]);
  const inherited = (now) => Object.fromEntries(earlier.removed(now, []).map((each) => [each.id, each.inherited]));
  assert.deepEqual(inherited(set("d")), { a: { item: "d" }, b: { url: "x://b" }, c: null });
  assert.deepEqual(inherited(set()), { d: null, a: null, b: { url: "x://b" }, c: null });
  assert.deepEqual(inherited(set(item("e", { replaces: ["d"] }))).a, { item: "e" });
  assert.ok(["a", "b", "c", "d"].every((id) => earlier.ids.includes(id)));
});

test("a decision about a removed item replaces the one before", () => {
  const before = { ...set("x", item("y", { replaces: ["a"] })), retired: [{ id: "b", url: "x://b" }, { id: "c" }] };
  const replaced = sets.decide(before, "b", { item: "x" });
  assert.deepEqual([replaced.items[0].replaces, replaced.retired], [["b"], [{ id: "c" }]]);
  const retired = sets.decide(before, "a", { url: "x://a" });
  assert.ok(!("replaces" in retired.items[1]));
  assert.deepEqual(retired.retired.map(({ id }) => id), ["b", "c", "a"]);
  assert.deepEqual(sets.decide(before, "b", {}).retired, [{ id: "b" }, { id: "c" }]);
  assert.deepEqual(sets.decide(before, "b", null).retired, [{ id: "c" }]);
  assert.ok(sets.sameSet(sets.decide(before, "z", null), before));
  assert.deepEqual(["a", "b", "c", "z"].map((id) => sets.decisionOf(before, id)), [{ item: "y" }, { url: "x://b" }, { url: undefined }, null]);
});

test("a removed item returns to its place, without the decision about it", () => {
  const before = set("a", "b", "c");
  const removed = sets.decide(sets.removeItem(before, "b"), "b", { item: "c" });
  assert.ok(sets.sameSet(sets.restoreItem(removed, item("b"), 1), before));
  assert.equal(sets.restoreItem(before, item("b"), 1), before);
});

test("a new item gets its id from its title", () => {
  const none = new Set();
  const ids = { "Find a bike": "find-a-bike", "Größe & Straße": "grosse-strasse", "Łódź": "lodz", "What’s new?": "whats-new", "  2 × Kaffee  ": "2-kaffee" };
  for (const [title, id] of Object.entries(ids)) assert.equal(idFor(title, none), id);
  for (const title of ["写邮件", "اكتب", "👍"]) assert.equal(idFor(title, none), "item-1");
  assert.equal(idFor("写邮件", new Set(["item-1", "item-3"])), "item-2");
  assert.equal(idFor("Compose", new Set(["compose", "compose-2"])), "compose-3");
  assert.equal(idFor("long ".repeat(40), none).length, 64);
  assert.equal(idFor("x".repeat(90), new Set(["x".repeat(64)])), `${"x".repeat(62)}-2`);
  assert.ok(isProvisional(provisionalID()) && !isProvisional("item-1") && !isProvisional("item"));
});

test("a new item gets the type that the app's other types suggest", () => {
  const mail = ["com.example.mail.compose", "com.example.mail.inbox", "other.x"];
  assert.equal(typeFor("drafts", mail, "app"), "com.example.mail.drafts");
  assert.equal(typeFor("drafts", [], "com.example.mail"), "com.example.mail.drafts");
  assert.equal(typeFor("drafts", ["compose", "inbox"], "app"), "drafts");
  assert.equal(typeFor("drafts", ["open", "open"], "app"), "open");
  const renamed = sets.renameItem(set(item("item-1", { type: "a.item-1" }), item("e", { type: "t.compose" })), "item-1", "new");
  assert.deepEqual(renamed.items.map(({ id, type }) => [id, type]), [["new", "a.new"], ["e", "t.compose"]]);
  assert.equal(sets.renameItem(renamed, "e", "f").items[1].type, "t.compose");
});

const plist = (text) => new TextEncoder().encode(`<?xml version="1.0"?><plist><dict>${text}</dict></plist>`).buffer;

test("version and build are read from an Info.plist, and nothing from another file", () => {
  const text = "<key>CFBundleVersion</key>\n<string>45</string><key>CFBundleShortVersionString</key><string> 2.1 </string>";
  assert.deepEqual(bundleVersion(plist(text)), { isPlist: true, version: "2.1", build: "45" });
  assert.deepEqual(bundleVersion(plist("<key>CFBundleShortVersionString</key><string>two</string>")), { isPlist: true, version: null, build: null });
  assert.deepEqual(bundleVersion(new TextEncoder().encode("PNG").buffer), { isPlist: false, version: null, build: null });
  assert.deepEqual(bundleVersion(new TextEncoder().encode("bplist00".padEnd(60, "\u00ff")).buffer), { isPlist: true, version: null, build: null });
});

test("changes of a personal item are named by member", () => {
  const old = set(item("a", { personal: { source: "s", sample: { x: "1" } } }));
  const now = set(item("a", { personal: { source: "r", limit: 2, sample: { x: "1" } } }));
  const [{ members }] = difference(old, now).changed;
  assert.deepEqual(members.map(({ member }) => member), ["personal.source", "personal.limit"]);
});

test("a tap on a menu that was replaced is judged by the new menu", () => {
  const before = set("a", "b", item("c", { enabled: false }), "d", "e", "f");
  const after = {
    ...set(item("a", { title: { en: "New" } }), item("b", { url: "t://b" }), item("z", { replaces: ["d"] })),
    retired: [{ id: "e", url: "t://gone" }],
  };
  const statics = [{ type: "s", title: "Search" }];
  const { menu, hidden, afterLaunch } = updateTaps(before, after, statics, "en", { defaultLanguage: "en", fallbackURL: "t://home" });
  assert.deepEqual(menu.map(({ id, tap }) => [id, tap.outcome, tap.item]), [
    [null, "static", null], ["a", "equivalent", "a"], ["b", "changed", "b"], ["d", "replaced", "z"],
  ]);
  assert.deepEqual(hidden.map(({ id, tap }) => [id, tap.outcome, tap.url]), [
    ["e", "retired", "t://gone"], ["f", "removed", "t://home"], ["c", "removed", "t://home"],
  ]);
  assert.deepEqual(afterLaunch.menu.map(({ id }) => id), [null, "a", "b", "z"]);
});

test("lost taps are grouped by the item and the version that removed it", () => {
  const versions = ["1.0.0", "2.0.0", "3.0.0", "4.0.0"];
  const timeline = [set("a", "b"), set("a", "c"), set("b"), set("b", "c")].map((each, place) => ({ version: versions[place], set: each }));
  const causes = lossCauses(judgedPairs(versions, timeline, []));
  // b is back in 3.0.0, so that only the update to 2.0.0 loses it; c is lost in 3.0.0 alone.
  assert.deepEqual(causes, [
    { id: "a", version: "3.0.0", pairs: 4 }, { id: "c", version: "3.0.0", pairs: 1 }, { id: "b", version: "2.0.0", pairs: 1 },
  ]);
});
