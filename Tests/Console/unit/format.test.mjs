import assert from "node:assert/strict";
import { test } from "node:test";
import { clock, dayRange, readTime, writeTime } from "../../../Sources/API/Console/Files/page/format.js";

// A Thursday.
const NOW = new Date(2026, 10, 26, 14, 30);
const read = (text) => {
  const time = readTime(text, NOW);
  return time && writeTime(time);
};

test("a day of the week and an hour follow the start", () => {
  const start = new Date(2026, 10, 28, 9);
  const times = {
    "sunday 20:00": "2026-11-29 20:00", "saturday 9:00": "2026-12-05 09:00", "18:00": "2026-11-28 18:00", "8:00": "2026-11-29 08:00",
    "tomorrow 9:00": "2026-11-27 09:00", "in 2 hours": "2026-11-26 16:30",
  };
  for (const [text, time] of Object.entries(times)) assert.equal(writeTime(readTime(text, NOW, start)), time, text);
  assert.equal(writeTime(readTime("friday 9:00", NOW, new Date(2026, 10, 1))), "2026-11-27 09:00");
});

test("a time may be typed in words", () => {
  const times = {
    "2026-12-24 18:00": "2026-12-24 18:00", "tomorrow 9:00": "2026-11-27 09:00", "Tomorrow at 9 pm": "2026-11-27 21:00",
    "tomorrow at 9": "2026-11-27 09:00",
    "tomorrow": "2026-11-27 09:00", "today 18:00": "2026-11-26 18:00", "18:00": "2026-11-26 18:00", "9:00": "2026-11-27 09:00",
    "in 2 hours": "2026-11-26 16:30", "in an hour": "2026-11-26 15:30", "saturday 9:00": "2026-11-28 09:00", "next sat, 12am": "2026-11-28 00:00",
    "thu 15:00": "2026-11-26 15:00", "thursday 9:00": "2026-12-03 09:00", "24 Dec 18:00": "2026-12-24 18:00", "dec 24, 2027 6pm": "2027-12-24 18:00",
    "3 feb": "2027-02-03 09:00", "day after tomorrow 18:00": "2026-11-28 18:00",
  };
  for (const [text, time] of Object.entries(times)) assert.equal(read(text), time, text);
});

test("a text that is not a time is none", () => {
  const texts = ["", "soon", "tomorrow 25:00", "31 feb 9:00", "9", "sa 9:00", "2026-12-24", "2026-02-30 09:00", "in 2 moons", "24 dec 18:00 please", "at"];
  for (const text of texts) assert.equal(read(text), null, text);
});

test("the days of a campaign are a range", () => {
  const at = (month, day, hour) => new Date(2026, month, day, hour).toISOString();
  assert.equal(dayRange(at(10, 24, 9), at(10, 25, 9)).replace(/ 2026/g, ""), "24 to 25 Nov");
  assert.equal(dayRange(at(10, 24, 9), at(11, 2, 9)).replace(/ 2026/g, ""), "24 Nov to 2 Dec");
  assert.equal(dayRange(at(10, 24, 9), at(10, 24, 18)).replace(/ 2026/g, ""), "24 Nov, 09:00 to 18:00");
  assert.equal(clock(at(10, 26, 14), NOW), "at 14:00");
  assert.equal(clock(at(10, 24, 14), NOW).replace(/ 2026/g, ""), "on 24 Nov at 14:00");
});
