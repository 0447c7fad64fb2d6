import "../rooms/about.js";
import "../rooms/apps.js";
import "../rooms/editor.js";
import "../rooms/history.js";
import "../rooms/nodes.js";
import "../rooms/nowhere.js";
import "../rooms/releases.js";
import "../rooms/revision.js";
import "../rooms/rollout.js";
import "../rooms/settings.js";
import "../rooms/taps.js";
import "../rooms/timeline.js";
import "../rooms/tokens.js";
import "../rooms/update-gap.js";
import "../rooms/webhook.js";
import "../rooms/webhooks.js";
import { setName } from "../rooms/app-frame.js";
import { strings } from "../strings.js";

/**
 * The path and element of each room, and its heading if the room cannot be read. A part that begins with a
 * colon is a name in the room's place.
 * @type {[string, string, (names: Record<string, string>) => string][]}
 */
const ROUTES = [
  ["apps", "lp-apps", () => strings.navigation.apps],
  ["apps/:app", "lp-timeline", ({ app }) => app],
  ["apps/:app/gap", "lp-update-gap", () => strings.app.gap],
  ["apps/:app/history", "lp-history", () => strings.app.history],
  ["apps/:app/taps", "lp-taps", () => strings.app.taps],
  ["apps/:app/releases", "lp-releases", () => strings.app.releases],
  ["apps/:app/settings", "lp-settings", () => strings.app.settings],
  ["apps/:app/revisions/:revision", "lp-revision", ({ revision }) => strings.revision.title(revision)],
  ["apps/:app/sets/:version/:audience", "lp-editor", ({ version, audience }) => setName(version, audience)],
  [
    "apps/:app/rollouts/:version/:audience", "lp-rollout",
    ({ version, audience }) => strings.rollout.title(setName(version, audience)),
  ],
  ["webhooks", "lp-webhooks", () => strings.navigation.webhooks],
  ["webhooks/:webhook", "lp-webhook", () => strings.navigation.webhooks],
  ["tokens", "lp-tokens", () => strings.navigation.tokens],
  ["nodes", "lp-nodes", () => strings.navigation.nodes],
  ["about", "lp-about", () => strings.navigation.about],
];

/**
 * @param {string[]} parts
 * @returns {{name: string, names: Record<string, string>, heading: string}}
 */
export function routeOf(parts) {
  for (const [pattern, name, heading] of ROUTES) {
    const wanted = pattern.split("/");
    if (wanted.length !== parts.length || !wanted.every(
      (part, index) => part.startsWith(":") || part === parts[index]
    )) {
      continue;
    }
    const names = Object.fromEntries(
      wanted.flatMap((part, index) => (part.startsWith(":") ? [[part.slice(1), parts[index]]] : []))
    );
    return { name, names, heading: heading(names) };
  }
  return { name: "lp-nowhere", names: {}, heading: strings.errors.noSuchPlace };
}
