/** Icons of simulated rows, from their sets and releases, because a simulation has no icons. */
import { effectiveSet, releaseFor } from "../menus/shown.js";
import { documentOf } from "./set-documents.js";

/** @typedef {(item: SimulatedItem) => Icon | null | undefined} IconOf the icon of a simulated row */

/**
 * @param {string} app
 * @param {string[]} versions the version that registered the rows comes first
 * @param {{sets: SetSummary[], releases: Release[], audience: string, signal: AbortSignal}} known
 * @returns {Promise<IconOf>}
 */
export async function iconsOf(app, versions, { sets, releases, audience, signal }) {
  const icons = new Map();
  for (const version of [...versions].reverse()) {
    const set = effectiveSet(version, sets.filter((each) => each.audience === audience));
    const document = set && (await documentOf(app, set, { signal }));
    for (const item of document?.items ?? []) icons.set(item.id, item.icon);
    for (const item of releaseFor(version, releases)?.staticItems ?? []) icons.set(staticKey(item), item.icon);
  }
  return (item) => icons.get(item.kind === "static" ? staticKey(item) : item.id);
}

/** @param {{type: string, title: string}} item */
const staticKey = ({ type, title }) => `static ${type} ${title}`;
