/**
 * Errors in the words of the console. The service's own sentences name paths and codes of its API, so they are never
 * shown.
 */
import { strings } from "../strings.js";
import { languageName } from "../values/language.js";
import { pathSteps } from "../values/paths.js";

/** A failed operation. `message` and the messages of `violations` are shown to people. */
export class Problem extends Error {
  /** @param {number} status 0 if no answer came @param {ProblemDocument} document */
  constructor(status, document) {
    super(document.detail);
    this.name = "Problem";
    this.status = status;
    this.code = (document.type ?? "").replace("/problems/", "");
    this.violations = document.violations ?? [];
  }

  /** Whether the same request may succeed later. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /**
   * Names the item in each violation, for lists that are not beside the item's fields.
   * @param {ShortcutSet | null} set
   */
  about(set) {
    this.violations = this.violations.map((each) => ({ ...each, message: withItem(each, set) }));
    return this;
  }
}

/**
 * The console's sentences for an error answer (RFC 9457).
 * @param {ProblemDocument} document
 * @param {Record<string, string>} meanings more exact sentences than the general ones, by code
 * @returns {ProblemDocument}
 */
export function inWords(document, meanings) {
  const { type = "", instance = "" } = document;
  const code = type.replace("/problems/", "");
  /** @type {Record<string, string>} */
  const known = { ...strings.problems.codes, ...meanings };
  return {
    type, detail: known[code] ?? strings.problems.other(instance),
    violations: found(document.violations ?? [], instance),
  };
}

/**
 * The console's sentences for violations and warnings, and the id that each is about.
 * @template {Violation} Found @param {Found[]} list @param {string | null} request its id, for reports of unknown codes
 * @returns {Found[]}
 */
export function found(list, request) {
  /** @type {Record<string, string | ((finding: any) => string)>} */
  const known = strings.problems.findings;
  return list.map((each) => {
    const sentence = known[each.code ?? ""] ?? strings.problems.other(request);
    const parts = partsOf(each);
    return { ...each, name: parts.name, message: typeof sentence === "string" ? sentence : sentence(parts) };
  });
}

/**
 * The parts of sentences: field and language from the path; the first quoted name and the release from the service's
 * sentence.
 * @param {Violation} finding
 */
function partsOf({ path, message }) {
  const steps = pathSteps(path);
  const [list, , member = list, tag] = steps;
  return {
    member, isItem: steps.length > 1, language: typeof tag === "string" ? languageName(tag) : "",
    name: message.match(/"((?:[^"\\]|\\.)*)"/)?.[1].replaceAll(/\\(.)/g, "$1") ?? "",
    release: message.match(/\d+\.\d+\.\d+(\+[\d.]*\d)?/)?.[0] ?? "",
  };
}

/**
 * The sentence with the title or the place of its item.
 * @param {Violation} finding @param {ShortcutSet | null} set @param {string} [language] of the title
 */
export function withItem({ path, message }, set, language = "") {
  const [list, place] = pathSteps(path);
  const item = list === "items" ? set?.items[Number(place)] : undefined;
  return item
    ? strings.problems.about(item.title[language] ?? Object.values(item.title)[0], Number(place) + 1, message)
    : message;
}

/**
 * The sentence for a failed operation. A fault of the console itself has a message for its developers only.
 * @param {any} error @returns {string}
 */
export function sentenceOf(error) {
  return error instanceof Problem ? error.message : strings.problems.other(null);
}

/**
 * Whether the console itself cancelled a request, because its room was left.
 * @param {any} error
 */
export function isAbort(error) {
  return error?.name === "AbortError";
}
