import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { qrCode } from "../../../Sources/API/Console/Files/values/qr-code.js";

const TEXT = "notes://longpress-preview?id=7HmXq2VdZ8sKc1RtYw5LnB&token=lpv_azxXi-PVD99dcnDgfZsiOrfzY-xEGscGjjg3-T-eSlc";
const digits = (code) => code.map((row) => row.map(Number).join("")).join("\n");
const digest = (code) => createHash("sha256").update(digits(code)).digest("hex").slice(0, 16);

/** The longest text of each version, made with the Python package qrcode 8.2, level M, with the mask of its version modulo 8. */
const LONGEST = [
  [14, "76b77396cce7df67"], [26, "8b7c215cae240757"], [42, "7aa367b6c134b74c"], [62, "5e2d1631ce28d1f2"],
  [84, "3e7f85991ccfaf7d"], [106, "1fbe46f539eb5dc9"], [122, "a82de69073f3ba7e"], [152, "e5f569b9e4919e0f"],
  [180, "b83fc8e94867dc33"], [213, "51fc0f8e5b5a4dac"], [251, "dd599dfa0c9723f8"], [287, "89114e3d7a6a41db"],
  [331, "12cd65fe37709f69"], [362, "acdf75fb9f525ca7"], [412, "c48dc205b784a9eb"],
];

test("codes of every version and mask are those of another implementation", () => {
  LONGEST.forEach(([length, expected], index) => {
    const code = qrCode(TEXT.repeat(5).slice(0, length), (index + 1) % 8);
    assert.equal(code.length, 21 + 4 * index);
    assert.equal(digest(code), expected, `version ${index + 1}`);
    assert.equal(qrCode(TEXT.repeat(5).slice(0, length + 1))?.length ?? 0, index === 14 ? 0 : 25 + 4 * index);
  });
});

test("the mask with the least penalty is chosen, and the same each time", () => {
  const chosen = digits(qrCode(TEXT));
  assert.equal(digits(qrCode(TEXT)), chosen);
  assert.ok([0, 1, 2, 3, 4, 5, 6, 7].some((mask) => digits(qrCode(TEXT, mask)) === chosen));
});

test("the length is counted in bytes", () => {
  assert.equal(qrCode("é".repeat(7)).length, 21);
  assert.equal(qrCode("é".repeat(8)).length, 25);
  assert.equal(qrCode("").length, 21);
});
