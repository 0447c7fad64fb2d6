/** Times and values as people read them, in the browser's time zone. */
import { element } from "./element.js";
import { strings } from "../strings.js";

/** Days as `25 Nov`, times as `18:00`. */
export const LOCALE = "en-GB";
/**
 * Makes a value when it is first used. A format takes milliseconds to make, and the first page needs none.
 * @template Made @param {() => Made} make
 */
export function once(make) {
  /** @type {Made | undefined} */
  let made;
  return () => (made ??= make());
}

const long = once(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "medium" }));
/** @type {Intl.DateTimeFormatOptions} */
const TIME = { hour: "2-digit", minute: "2-digit" };
const relative = once(() => new Intl.RelativeTimeFormat("en", { numeric: "auto" }));
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];

/**
 * `25 Nov 2026, 18:00:30`
 * @param {string} time
 */
export function longTime(time) {
  return long().format(new Date(time));
}

/**
 * `25 Nov, 18:00`
 * @param {string} time
 */
export function shortTime(time) {
  return short(new Date(time), TIME);
}

/**
 * The year is named only if it is not this one.
 * @param {Date} date @param {Intl.DateTimeFormatOptions} [options]
 */
function short(date, options) {
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", year, ...options }).format(date);
}

/**
 * `25 Nov`
 * @param {string} time
 */
export const shortDay = (time) => short(new Date(time));

/** @param {string} time */
function relativeTime(time, now = Date.now()) {
  const seconds = (new Date(time).getTime() - now) / 1000;
  if (Math.abs(seconds) > 30 * 86400) return short(new Date(time));
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return unit === "second" ? strings.common.justNow : relative().format(Math.trunc(seconds / length), unit);
}

/**
 * A future time: `tomorrow at 09:00`, `on 25 Nov at 18:00`.
 * @param {string} time
 */
export function soon(time, now = new Date()) {
  const date = new Date(time);
  const days = Math.round((new Date(date).setHours(0, 0, 0, 0) - new Date(now).setHours(0, 0, 0, 0)) / 86_400_000);
  const isNear = days === 0 || days === 1;
  const day = isNear ? relative().format(days, "day") : short(date);
  return strings.common.dayAt(day, new Intl.DateTimeFormat(LOCALE, TIME).format(date), isNear);
}

/**
 * A past time as the end of a sentence: `at 14:02` today, otherwise `on 24 Nov at 14:02`.
 * @param {string} time
 */
export function clock(time, now = new Date()) {
  const date = new Date(time);
  const hour = new Intl.DateTimeFormat(LOCALE, TIME).format(date);
  return date.toDateString() === now.toDateString() ? strings.times.at(hour) : strings.common.dayAt(short(date), hour);
}

/**
 * The days of a campaign: `24 to 25 Nov`, or its hours if it is within one day.
 * @param {string} from @param {string} until
 */
export function dayRange(from, until) {
  const [start, end] = [new Date(from), new Date(until)];
  if (start.toDateString() === end.toDateString()) {
    const [first, last] = [start, end].map((date) => new Intl.DateTimeFormat(LOCALE, TIME).format(date));
    return strings.times.hours(short(start), first, last);
  }
  const isShort = start.getMonth() === end.getMonth() && start.getFullYear() === end.getFullYear();
  return strings.times.range(isShort ? String(start.getDate()) : short(start), short(end));
}

/**
 * A relative time, such as `5 minutes ago`, with the exact time as its tooltip.
 * @param {string} time
 */
export function timeElement(time) {
  return element("time", { datetime: time, title: longTime(time) }, relativeTime(time));
}

/**
 * A time in a table: the same form in each row.
 * @param {string} time
 */
export function logTime(time) {
  return element("time", { datetime: time, title: longTime(time) }, shortTime(time));
}

/** The browser's time zone: `Europe/Berlin, UTC+1`. */
export function zoneName(date = new Date()) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const minutes = -date.getTimezoneOffset();
  const rest = minutes % 60 ? `:${String(Math.abs(minutes) % 60).padStart(2, "0")}` : "";
  const hours = `${minutes < 0 ? "−" : "+"}${Math.trunc(Math.abs(minutes) / 60)}${rest}`;
  return minutes === 0 && timeZone === "UTC" ? timeZone : `${timeZone}, UTC${minutes === 0 ? "" : hours}`;
}

const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/** @param {string} text */
export const looksLikeTime = (text) => WRITTEN.test(text.trim());

/**
 * Reads a time that a person typed: RFC 3339, without an offset in this zone, or words such as `tomorrow 9:00`.
 * @param {string} text @param {Date} [now] @param {Date} [after] that a day of the week or an hour follows, if later
 * @returns {Date | null} null also for a day that the month does not have, and for an hour that this zone's clocks skip
 */
export function readTime(text, now = new Date(), after = now) {
  const found = text.trim().match(WRITTEN);
  if (!found) return readWords(
    text.toLowerCase().replace(/\bat (\d{1,2})$/, "$1:00").replaceAll(/,|\bat\b|\bon\b/g, " ").trim(), now, after,
  );
  const [, year, month, day, hour, minute, second = "00", zone] = found;
  const date = new Date(`${year}-${month}-${day}T${hour.padStart(2, "0")}:${minute}:${second}${zone ?? ""}`);
  if (Number.isNaN(date.getTime())) return null;
  return zone || writeTime(date) === `${year}-${month}-${day} ${hour.padStart(2, "0")}:${minute}` ? date : null;
}

/**
 * `in 2 hours`, `18:00`, `tomorrow 9am`, `saturday 9:00`, `24 dec 18:00`. Without a time, it is 9 o'clock.
 * @param {string} text in lower case @param {Date} now @param {Date} after
 */
function readWords(text, now, after) {
  const { today, tomorrow, dayAfterTomorrow, days, months } = strings.times;
  /** @type {Record<string, number>} */
  const units = strings.times.units;
  const [, count, unit = ""] = text.match(/^in (\d+|an?) ([a-z]+?)s?$/) ?? [];
  if (unit in units) return new Date(now.getTime() + (Number(count) || 1) * units[unit]);
  const parts = text.replace(/(\d) (?=[ap]m$)/, "$1").split(/\s+/);
  const time = parts.at(-1)?.match(/^(?=.*[:m])(\d{1,2})(?::([0-5]\d))?([ap]m)?$/);
  if (time) parts.pop();
  const [, written = "9", minute = "0", half] = time ?? [];
  const hour = half ? (Number(written) % 12) + (half === "pm" ? 12 : 0) : Number(written);
  const at = (/** @type {number} */ day, month = now.getMonth(), year = now.getFullYear()) =>
    new Date(year, month, day, hour, Number(minute));
  /**
   * The place of the name that begins with the text.
   * @param {string[]} names @param {string | undefined} text
   */
  const placeIn = (names, text = "") => (text.length < 3 ? -1 : names.findIndex((name) => name.startsWith(text)));
  const [first, second, year] = parts[0] === strings.times.next ? parts.slice(1) : parts;
  const day = now.getDate();
  /** @type {Date | null} */
  let date = null;
  const base = after > now ? after : now;
  /** @param {number} ahead of the base, in days */
  const follow = (ahead, step = 1) => {
    const time = at(base.getDate() + ahead, base.getMonth(), base.getFullYear());
    return time > base ? time : at(base.getDate() + ahead + step, base.getMonth(), base.getFullYear());
  };
  if (parts.length === 0) date = follow(0);
  else if (parts.length === 1 && first === today) date = at(day);
  else if (parts.length === 1 && first === tomorrow) date = at(day + 1);
  else if (parts.join(" ") === dayAfterTomorrow) date = at(day + 2);
  else if (second === undefined && placeIn(days, first) >= 0) {
    date = follow((placeIn(days, first) - base.getDay() + 7) % 7, 7);
  } else {
    const [number, name] = /^\d/.test(first ?? "") ? [first, second] : [second, first];
    const month = placeIn(months, name);
    if (month < 0 || !/^\d{1,2}$/.test(number ?? "") || !/^(20\d\d)?$/.test(year ?? "")) return null;
    const next = at(Number(number), month);
    date = year || next > now ? at(Number(number), month, Number(year) || undefined)
      : at(Number(number), month, now.getFullYear() + 1);
    if (date.getDate() !== Number(number)) return null;
  }
  return hour < 24 && date.getHours() === hour ? date : null;
}

/**
 * Writes a date so that `readTime` reads it.
 * @param {Date} date
 */
export function writeTime(date) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/**
 * A value as a part of a sentence.
 * @param {any} value
 */
export function written(value) {
  if (value === undefined || value === null) return strings.common.none;
  if (typeof value === "string") return `“${value}”`;
  return typeof value === "object" && !value.text ? JSON.stringify(
    value,
    (_, inner) => (inner?.text !== undefined && Object.keys(inner).length === 1 ? Number(inner.text) : inner),
  ) : String(value);
}
