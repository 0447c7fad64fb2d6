import { setName } from "../rooms/app-frame.js";
import { strings } from "../strings.js";

/**
 * The path, element and module of each room, and its heading if the room cannot be read. A part that begins with a
 * colon is a name in the room's place.
 * @type {[string, string, () => Promise<unknown>, (names: Record<string, string>) => string][]}
 */
const ROUTES = [
  ["apps", "lp-apps", () => import("../rooms/apps.js"), () => strings.navigation.apps],
  ["apps/:app", "lp-timeline", () => import("../rooms/timeline.js"), ({ app }) => app],
  ["apps/:app/gap", "lp-update-gap", () => import("../rooms/update-gap.js"), () => strings.app.gap],
  ["apps/:app/history", "lp-history", () => import("../rooms/history.js"), () => strings.app.history],
  ["apps/:app/taps", "lp-taps", () => import("../rooms/taps.js"), () => strings.app.taps],
  ["apps/:app/releases", "lp-releases", () => import("../rooms/releases.js"), () => strings.app.releases],
  ["apps/:app/settings", "lp-settings", () => import("../rooms/settings.js"), () => strings.app.settings],
  [
    "apps/:app/revisions/:revision",
    "lp-revision",
    () => import("../rooms/revision.js"),
    ({ revision }) => strings.revision.title(revision),
  ],
  [
    "apps/:app/sets/:version/:audience",
    "lp-editor",
    () => import("../rooms/editor.js"),
    ({ version, audience }) => setName(version, audience),
  ],
  ["webhooks", "lp-webhooks", () => import("../rooms/webhooks.js"), () => strings.navigation.webhooks],
  ["webhooks/:webhook", "lp-webhook", () => import("../rooms/webhook.js"), () => strings.navigation.webhooks],
  ["tokens", "lp-tokens", () => import("../rooms/tokens.js"), () => strings.navigation.tokens],
  ["nodes", "lp-nodes", () => import("../rooms/nodes.js"), () => strings.navigation.nodes],
  ["about", "lp-about", () => import("../rooms/about.js"), () => strings.navigation.about],
];

/**
 * @param {string[]} parts
 * @returns {{name: string, load: () => Promise<unknown>, names: Record<string, string>, heading: string}}
 */
export function routeOf(parts) {
  for (const [pattern, name, load, heading] of ROUTES) {
    const wanted = pattern.split("/");
    if (wanted.length !== parts.length || !wanted.every(
      (part, index) => part.startsWith(":") || part === parts[index]
    )) {
      continue;
    }
    const names = Object.fromEntries(
      wanted.flatMap((part, index) => (part.startsWith(":") ? [[part.slice(1), parts[index]]] : []))
    );
    return { name, load, names, heading: heading(names) };
  }
  return {
    name: "lp-nowhere", load: () => import("../rooms/nowhere.js"), names: {}, heading: strings.errors.noSuchPlace,
  };
}
