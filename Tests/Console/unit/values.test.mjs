import assert from "node:assert/strict";
import { test } from "node:test";
import { NumberText, member, readJSON, same, withMember, without, writeJSON } from "../../../Sources/API/Console/Files/values/json.js";
import { canonicalTag, direction, looksLikeTag, tagOfName } from "../../../Sources/API/Console/Files/values/language.js";
import { pathSteps } from "../../../Sources/API/Console/Files/values/paths.js";
import { canonicalVersion, compareVersions, versionParts } from "../../../Sources/API/Console/Files/values/version.js";

test("JSON is written with sorted members, without undefined, and with numbers as they were spelled", () => {
  assert.equal(writeJSON({ b: [1, undefined, "é"], a: undefined, c: new NumberText("1.0") }), '{"b":[1,null,"é"],"c":1.0}');
  assert.equal(writeJSON({ b: 1, a: { d: 2, c: 3 } }, true), '{"a":{"c":3,"d":2},"b":1}');
  assert.deepEqual(readJSON('{"a":1,"b":[true,null]}'), { a: 1, b: [true, null] });
});

test("documents are equal in any order of members, but a missing member is not null", () => {
  assert.ok(same({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }));
  assert.ok(same({ a: undefined }, {}));
  assert.ok(!same(undefined, null) && !same({ a: null }, {}) && !same([1, 2], [2, 1]));
  assert.ok(!same(new NumberText("1.0"), 1));
});

test("a member keeps its place, and inherited names are ordinary names", () => {
  assert.deepEqual(Object.keys(withMember({ a: 1, b: 2 }, "a", 3)), ["a", "b"]);
  assert.deepEqual(withMember({ a: 1 }, "a", undefined), {});
  const odd = withMember({}, "__proto__", "x");
  assert.deepEqual(Object.keys(odd), ["__proto__"]);
  assert.equal(member(odd, "__proto__"), "x");
  assert.equal(member({}, "constructor"), undefined);
  assert.deepEqual(Object.keys(without(odd, "__proto__")), []);
});

for (const [text, tag] of [["EN", "en"], ["pt_br", "pt-BR"], ["zh-hant-tw", "zh-Hant-TW"], [" sr-latn ", "sr-Latn"], ["en-x-US", "en-x-us"]]) {
  test(`the canonical tag of "${text}" is ${tag}`, () => assert.equal(canonicalTag(text), tag));
}

test("a text that cannot be a tag adds no language", () => {
  for (const text of ["en", "zh-Hant", "pt_BR", "x-klingon"]) assert.ok(looksLikeTag(text), text);
  for (const text of ["", "e", "english", "en-", "en--US", "한국어"]) assert.ok(!looksLikeTag(text), text);
});

test("languages are found by name, and know their direction", () => {
  assert.equal(tagOfName(" korean "), "ko");
  assert.equal(tagOfName("한국어"), "ko");
  assert.equal(tagOfName("Elvish"), undefined);
  assert.deepEqual(["ar", "az-Arab", "ku-Latn", "he-IL", "en"].map(direction), ["rtl", "rtl", "ltr", "rtl", "ltr"]);
});

test("a path's steps are names and places, also quoted names", () => {
  assert.deepEqual(pathSteps("items[1].title.pt-BR"), ["items", 1, "title", "pt-BR"]);
  assert.deepEqual(pathSteps('items[0].userInfo["a.\\"b"][2]'), ["items", 0, "userInfo", 'a."b', 2]);
  assert.deepEqual(pathSteps(""), []);
});

test("versions have one to three integers, and are compared by number", () => {
  for (const text of ["", "1.", "1.2.3.4", "v1", "1234567890123456789", "-1"]) assert.equal(versionParts(text), null, text);
  assert.equal(canonicalVersion(" 02.1 "), "2.1.0");
  assert.equal(canonicalVersion("two"), "two");
  const ascending = ["0.0.0", "1.2.0", "1.2.0+7", "1.2.0+7.1", "1.2.0+30", "1.10.0", "999999999999999999.0.0"];
  const shuffled = [3, 6, 0, 5, 2, 4, 1].map((place) => ascending[place]);
  assert.deepEqual(shuffled.sort(compareVersions), ascending);
  assert.equal(compareVersions("1.0.0", "1.0.0"), 0);
});
