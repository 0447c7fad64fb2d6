/** The kinds of property-list values and their JSON: dates and data are objects with one marker key. */
import { NumberText } from "../values/json.js";

/** @typedef {"string" | "integer" | "real" | "boolean" | "date" | "data" | "array" | "dictionary"} Kind */

/** @type {Kind[]} */
export const KINDS = ["string", "integer", "real", "boolean", "date", "data", "array", "dictionary"];

/** @param {any} value @returns {Kind} */
export function kindOf(value) {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number" || value instanceof NumberText) return /[.eE]/.test(String(value)) ? "real" : "integer";
  if (Array.isArray(value)) return "array";
  const names = Object.keys(value ?? {});
  if (names.length === 1 && names[0] === "$date") return "date";
  return names.length === 1 && names[0] === "$data" ? "data" : "dictionary";
}

/**
 * A value as the text of its field.
 * @param {any} value
 */
export function textOf(value) {
  const kind = kindOf(value);
  if (kind === "date") return value.$date;
  if (kind === "data") return value.$data;
  return String(value);
}

/**
 * Reads a value of a kind. A text that is not a number, date or base64 stays a string.
 * @param {Kind} kind @param {string} text
 */
export function valueOf(kind, text) {
  switch (kind) {
    case "integer":
      return /^-?(0|[1-9]\d*)$/.test(text) ? number(text) : text;
    case "real":
      return realOf(text);
    case "boolean":
      return text === "true";
    case "date":
      return { $date: text };
    case "data":
      return { $data: text };
    default:
      return text;
  }
}

/** @param {string} text */
function realOf(text) {
  if (/^-?(0|[1-9]\d*)$/.test(text)) return new NumberText(`${text}.0`);
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? number(text) : text;
}

/** @param {string} text */
function number(text) {
  const value = Number(text);
  return String(value) === text && (!Number.isInteger(value) || Number.isSafeInteger(value))
    ? value
    : new NumberText(text);
}

/**
 * Converts a value to another kind, as far as it has a meaning there.
 * @param {any} value @param {Kind} kind
 */
export function converted(value, kind) {
  const text = ["array", "dictionary"].includes(kindOf(value)) ? "" : textOf(value);
  switch (kind) {
    case "integer":
      return valueOf("integer", text.match(/^-?\d+/)?.[0].replace(/^(-?)0+(?=\d)/, "$1") ?? "0");
    case "real":
      return valueOf("real", text.match(/^-?\d+(\.\d+)?/)?.[0] ?? "0");
    case "boolean":
      return text === "true" || text === "1";
    case "date":
      return { $date: /^\d{4}-/.test(text) ? text : `${new Date().toISOString().slice(0, 19)}Z` };
    case "data":
      return { $data: "" };
    case "array":
      return [];
    case "dictionary":
      return {};
    default:
      return text;
  }
}
