import assert from "node:assert/strict";
import { test } from "node:test";
import { DraftDocument } from "../../../Sources/API/Console/Files/editor/draft-document.js";
import { Reconciler } from "../../../Sources/API/Console/Files/editor/reconciler.js";
import { EMPTY_SET, setText } from "../../../Sources/API/Console/Files/menus/document.js";

const BASE = { items: ["a", "b"].map((id) => ({ id, type: "t", title: { en: id } })) };
const titled = (set, id, text) => setText(set, id, "title", "en", text);
const titles = ({ items }) => items.map(({ title }) => title.en).join(" ");

/** Merges English titles, as the service would. */
async function mergeTitles(base, mine, theirs, choices = new Map()) {
  const conflicts = [];
  const items = mine.items.map((item) => {
    const [old, own, other] = [base, mine, theirs].map((set) => set.items.find(({ id }) => id === item.id)?.title.en);
    const key = `${item.id} title.en`;
    const conflicting = own !== other && own !== old && other !== old;
    if (conflicting) conflicts.push({ key, item: item.id, member: "title.en", base: old, mine: own, theirs: other });
    const isTheirs = conflicting ? choices.get(key) === "theirs" : own === old;
    return isTheirs ? other && { ...item, title: { en: other } } : item;
  });
  return { set: { items: items.filter(Boolean) }, conflicts };
}

test("edits of one step are undone together, and another step is not", () => {
  const document = new DraftDocument(BASE);
  for (const text of ["x", "xy", "xyz"]) document.edit(titled(document.set, "a", text), "a title");
  document.edit(titled(document.set, "b", "z"), "b title");
  assert.equal(titles(document.set), "xyz z");
  document.undo();
  assert.equal(titles(document.set), "xyz b");
  document.undo();
  assert.equal(titles(document.set), "a b");
  assert.ok(!document.canUndo && document.canRedo);
  document.redo();
  assert.equal(titles(document.set), "xyz b");
  document.edit(titled(document.set, "b", "new"));
  assert.ok(!document.canRedo);
});

test("a step that was ended, undone or has no name is not continued", () => {
  const document = new DraftDocument(BASE);
  document.edit(titled(BASE, "a", "1"), "step");
  document.endStep();
  document.edit(titled(BASE, "a", "2"), "step");
  document.undo();
  document.edit(titled(BASE, "a", "3"), "step");
  document.edit(titled(BASE, "a", "4"));
  document.edit(titled(BASE, "a", "5"));
  const seen = [];
  for (; document.canUndo; document.undo()) seen.push(document.set.items[0].title.en);
  assert.deepEqual(seen, ["5", "4", "3", "1"]);
});

test("nothing happens where nothing can be undone or redone", () => {
  const document = new DraftDocument(BASE);
  document.undo();
  document.redo();
  assert.equal(document.set, BASE);
});

test("undo and redo take back own edits only, below what others changed", async () => {
  const document = new DraftDocument(BASE);
  document.edit(titled(BASE, "a", "mine"), "a");
  document.edit(titled(document.set, "a", "mine, too"));
  document.undo();
  await document.merge(titled(document.set, "b", "theirs"), mergeTitles);
  assert.equal(titles(document.set), "mine theirs");
  document.undo();
  assert.equal(titles(document.set), "a theirs");
  assert.ok(!document.canUndo);
  document.redo();
  document.redo();
  assert.equal(titles(document.set), "mine, too theirs");
});

test("a step that collides with what others changed is forgotten", async () => {
  const document = new DraftDocument(BASE);
  document.edit(titled(BASE, "b", "mine"));
  document.edit(titled(BASE, "a", "mine"));
  await document.merge(titled(document.set, "b", "theirs"), mergeTitles);
  assert.equal(titles(document.set), "mine theirs");
  assert.ok(!document.canUndo);
});

test("whoever edited nothing has nothing to undo after a merge", async () => {
  const document = new DraftDocument(BASE);
  await document.merge(titled(BASE, "a", "theirs"), mergeTitles);
  assert.ok(!document.canUndo);
});

test("five hundred steps are kept", () => {
  const document = new DraftDocument(BASE);
  for (let step = 0; step < 600; step++) document.edit(titled(BASE, "a", String(step)));
  let steps = 0;
  for (; document.canUndo; steps++) document.undo();
  assert.deepEqual([steps, document.set.items[0].title.en], [500, "99"]);
});

test("a language keeps its row without a text, until it is undone or the document is reset", () => {
  const document = new DraftDocument(BASE);
  document.addLanguage("ko");
  document.edit(setText(document.set, "a", "title", "de", "x"));
  document.edit(setText(document.set, "a", "title", "de", ""));
  assert.deepEqual(document.languages, ["en", "ko", "de"]);
  document.reset(BASE);
  assert.deepEqual(document.languages, ["en"]);
  for (let step = 0; step < 3; step++) document.undo();
  assert.deepEqual(document.languages, ["en", "ko"]);
  document.undo();
  assert.deepEqual(document.languages, ["en"]);
});

/** What the editor knows: a draft with tag "1" that is made from revision 4. */
const known = { tag: "1", base: 4, shared: BASE };
const published = (revision, set = BASE) => ({ revision, set });
const drafted = (tag, set, base = 4) => ({ tag, set, base });

test("nothing is planned while the service has what the editor knows", () => {
  const reconciler = new Reconciler(known, { standing: published(4), draft: drafted("1", BASE) }, mergeTitles);
  assert.ok(!reconciler.isMoved && !reconciler.isOutdated);
  const fresh = new Reconciler({ tag: null, base: 0, shared: EMPTY_SET }, { standing: null, draft: null }, mergeTitles);
  assert.ok(!fresh.isMoved && !fresh.isOutdated);
});

test("a draft that somebody else saved is merged with the edits here", async () => {
  const reconciler = new Reconciler(known, { standing: published(4), draft: drafted("2", titled(BASE, "b", "theirs")) }, mergeTitles);
  assert.deepEqual([reconciler.isMoved, reconciler.isOutdated, reconciler.revision], [true, false, 4]);
  assert.equal(titles((await reconciler.plan(titled(BASE, "a", "mine"), EMPTY_SET)).set), "mine theirs");
});

test("a publish is merged with the stored draft, starting at the draft's base", async () => {
  const now = titled(BASE, "b", "published");
  const reconciler = new Reconciler(known, { standing: published(5, now), draft: drafted("1", BASE) }, mergeTitles);
  assert.deepEqual([reconciler.isMoved, reconciler.isOutdated, reconciler.base, reconciler.revision], [false, true, 4, 5]);
  assert.equal(titles((await reconciler.plan(titled(BASE, "a", "mine"), BASE)).set), "mine published");
});

test("a draft that was published or deleted leaves the published set to merge with", async () => {
  const now = titled(BASE, "b", "published");
  const reconciler = new Reconciler(known, { standing: published(5, now), draft: null }, mergeTitles);
  assert.deepEqual([reconciler.isMoved, reconciler.isOutdated, reconciler.base], [true, false, 5]);
  assert.equal(titles((await reconciler.plan(titled(BASE, "a", "mine"), EMPTY_SET)).set), "mine published");
  const { conflict } = await reconciler.plan(titled(BASE, "b", "mine"), EMPTY_SET);
  assert.equal(conflict.cause, "published");
});

test("a set that was deleted is merged as one without items", async () => {
  const reconciler = new Reconciler({ tag: null, base: 4, shared: BASE }, { standing: null, draft: null }, mergeTitles);
  assert.deepEqual([reconciler.isMoved, reconciler.isOutdated, reconciler.revision], [false, true, 0]);
  assert.deepEqual((await reconciler.plan(BASE, BASE)).set.items, []);
});

test("conflicts are decided one merge at a time", async () => {
  const [saved, now] = [titled(BASE, "a", "saved"), titled(BASE, "a", "published")];
  const reconciler = new Reconciler(known, { standing: published(5, now), draft: drafted("2", saved) }, mergeTitles);
  const mine = titled(BASE, "a", "mine");
  const plan = (choices) => reconciler.plan(mine, BASE, choices);
  const [key, theirs] = ["a title.en", new Map([["a title.en", "theirs"]])];
  const { conflict } = await plan();
  assert.deepEqual([conflict.cause, conflict.contests[0].key], ["saved", key]);
  const second = await plan({ saved: theirs });
  assert.deepEqual([second.conflict.cause, second.conflict.contests[0].mine], ["published", "saved"]);
  assert.equal(titles((await plan({ saved: theirs, published: new Map([[key, "mine"]]) })).set), "saved b");
  assert.equal(titles((await plan({ saved: theirs, published: theirs })).set), "published b");
  assert.ok((await plan({ saved: new Map([["b title.en", "mine"]]) })).conflict, "a choice about another conflict decides nothing");
});

test("a draft without a known base keeps the base that the editor knows", () => {
  const reconciler = new Reconciler(known, { standing: published(5), draft: { tag: "2", set: BASE, base: null } }, mergeTitles);
  assert.equal(reconciler.base, 4);
});

test("a conflict says what happened: a save, a publish, a deleted draft or a deleted menu", () => {
  const causeOf = (stored) => new Reconciler(known, stored, mergeTitles).cause;
  assert.equal(causeOf({ standing: published(4), draft: drafted("2", BASE) }), "saved");
  assert.equal(causeOf({ standing: published(5), draft: drafted("1", BASE) }), "published");
  assert.equal(causeOf({ standing: published(5), draft: null }), "published");
  assert.equal(causeOf({ standing: published(4), draft: null }), "deleted");
  assert.equal(causeOf({ standing: null, draft: drafted("1", BASE) }), "removed");
});
