// The drawings of SF Symbols.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SYMBOL_NAMES, TYPE_SYMBOLS, symbolPaths } from "../../../Sources/API/Console/Files/phone/symbols.js";

const catalogue = readFileSync(new URL("../../../Sources/Shortcuts/Symbols/SymbolNames.swift", import.meta.url), "utf8");

test("every drawn symbol is one of Apple's", () => {
  const names = new Set(catalogue.split(/[\s>]+/));
  assert.deepEqual(SYMBOL_NAMES.filter((name) => !names.has(name)), []);
  assert.equal(new Set(SYMBOL_NAMES).size, SYMBOL_NAMES.length);
});

test("a hundred and fifty symbols and every system type have a drawing", () => {
  const drawn = [...new Set(catalogue.split(/\s+/))].filter((name) => symbolPaths(name) !== null);
  assert.ok(drawn.length >= 150, String(drawn.length));
  assert.equal(Object.keys(TYPE_SYMBOLS).length, 29);
  for (const symbol of Object.values(TYPE_SYMBOLS)) assert.match(Object.values(symbolPaths(symbol)).join(""), /^M/);
});

test("a variant has the drawing of its sign, and a filled one has neither lines nor holes", () => {
  const similar = { "star.circle": "star", "cart.badge.plus": "cart", "bubble.left.fill": "message.fill", "bell.badge.fill": "bell.fill" };
  for (const [name, sign] of Object.entries(similar)) assert.deepEqual(symbolPaths(name), symbolPaths(sign), name);
  assert.deepEqual(symbolPaths("star.fill"), { lines: "", shapes: symbolPaths("star").lines });
  assert.ok(symbolPaths("camera").shapes.startsWith(symbolPaths("camera.fill").shapes.replace(symbolPaths("camera").lines, "")));
});

test("a symbol with another meaning has no drawing", () => {
  for (const name of ["bell.slash", "scooter", "", "constructor", "circle.hexagongrid"]) {
    assert.equal(symbolPaths(name), null, name);
  }
});
