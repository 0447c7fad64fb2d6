/**
 * The rows that a phone shows: static items first, four in total, in one language, or in the default language for
 * items without a title in it. Personal items have their sample values. Tests compare it with the API's `shortcuts` and
 * `simulate`.
 */
import { member } from "../values/json.js";
import { compareVersions } from "../values/version.js";
import { withSamples } from "./placeholders.js";

export const BUDGET = 4;

/**
 * @typedef {{kind: "static" | "dynamic", id: string | null, type: string, title: string, subtitle?: string, icon?:
 *   Icon | null, mark?: string | null}} Row `mark`: the kind of outcome of a tap
 * @param {ShortcutSet} set @param {StaticItem[]} staticItems @param {string} language @param {string} defaultLanguage
 * @returns {{shown: Row[], cut: Row[], disabled: Row[]}} in assignment order
 */
export function menuOf(set, staticItems, language, defaultLanguage) {
  /** @type {Row[]} */
  const rows = staticItems.map(
    (item) => ({
      kind: "static", id: null, type: item.type, title: item.title, subtitle: item.subtitle ?? undefined,
      icon: item.icon,
    }),
  );
  const dynamic = set.items.map(
    (item) => ({ enabled: item.enabled !== false, row: dynamicRow(item, language, defaultLanguage) })
  );
  rows.push(...dynamic.filter(({ enabled }) => enabled).map(({ row }) => row));
  return {
    shown: rows.slice(0, BUDGET),
    cut: rows.slice(BUDGET),
    disabled: dynamic.filter(({ enabled }) => !enabled).map(({ row }) => row),
  };
}

/** @param {ShortcutItem} item @param {string} language @param {string} defaultLanguage @returns {Row} */
function dynamicRow(item, language, defaultLanguage) {
  const tag = member(item.title, language) === undefined ? defaultLanguage : language;
  const subtitle = member(item.subtitle, tag);
  return {
    kind: "dynamic",
    id: item.id,
    type: item.type,
    title: withSamples(member(item.title, tag) ?? "", item.personal),
    subtitle: subtitle ? withSamples(subtitle, item.personal) : undefined,
    icon: item.icon,
  };
}

/**
 * The languages of answers: the languages of enabled items' titles, and the default language.
 * @param {ShortcutSet} set @param {string} defaultLanguage
 */
export function servedLanguages(set, defaultLanguage) {
  const tags = new Set(
    set.items.filter((item) => item.enabled !== false).flatMap((item) => Object.keys(item.title ?? {}))
  );
  tags.delete(defaultLanguage);
  return [defaultLanguage, ...[...tags].sort()];
}

/**
 * The release of a client: the greatest (version, build) that is not above the client's. Without a build, the last
 * release of its version.
 * @param {string} version @param {Release[]} releases
 */
export function releaseFor(version, releases) {
  const below = releases.filter((release) => compareVersions(release.version, version) <= 0);
  const written = (/** @type {Release} */ release) =>
    (release.build === null ? release.version : `${release.version}+${release.build}`);
  return below.sort((left, right) => compareVersions(written(left), written(right))).at(-1);
}

/**
 * The set that a client of the version and audience is served. An audience without sets is served the default
 * audience's sets.
 * @template {{version: string, audience: string}} Summary @param {{version: string, audience: string}} client
 * @param {Summary[]} sets
 */
export function rulingSet({ version, audience }, sets) {
  const own = sets.filter((set) => set.audience === audience);
  return effectiveSet(version, own.length > 0 ? own : sets.filter((set) => set.audience === "default"));
}

/**
 * The set in effect for a version: the set with the greatest version that is not above it.
 * @template {{version: string}} Summary @param {string} version @param {Summary[]} sets
 */
export function effectiveSet(version, sets) {
  return sets.filter((set) => compareVersions(set.version, version) <= 0).sort(
    (left, right) => compareVersions(left.version, right.version),
  ).at(-1);
}
