/** The head of an app's rooms: links to the other rooms, and New menu. */
import { DEFAULT_AUDIENCE, findSet, putDraft } from "../api/apps.js";
import { Problem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { announce } from "../page/announcements.js";
import { button, field } from "../page/controls.js";
import { ask } from "../page/dialog.js";
import { element } from "../page/element.js";
import { address, go } from "../page/router.js";
import { strings } from "../strings.js";
import { EMPTY_SET } from "../menus/document.js";
import { canonicalVersion, versionParts } from "../values/version.js";

/** @type {["timeline" | "gap" | "history" | "taps" | "releases" | "settings", ...string[]][]} */
const ROOMS = [
  ["timeline"], ["gap", "gap"], ["history", "history"], ["taps", "taps"], ["releases", "releases"],
  ["settings", "settings"],
];

/** @param {string} app @param {string} room the name of the current room */
export function appFrame(app, room) {
  const links = ROOMS.map(([name, ...rest]) =>
    element(
      "a", { href: address(["apps", app, ...rest]), "aria-current": name === room ? "page" : null }, strings.app[name],
    ));
  return element(
    "div", { class: "app-frame" }, element("nav", { "aria-label": strings.app.rooms }, ...links), newSetButton(app),
  );
}

/**
 * @param {string} app
 * @param {"primary"} [kind]
 */
export function newSetButton(app, text = strings.app.newSet, kind) {
  return button(text, () => newSet(app), { kind, refusal: refusal("editor") });
}

/** @param {string} app */
function newSet(app) {
  const fields = {
    version: field(
      strings.app.fromVersion,
      { hint: strings.app.fromVersionHint, required: true, placeholder: "2.0.0", inputmode: "decimal" },
    ),
    audience: field(strings.app.audience, { hint: strings.app.audienceHint, placeholder: "member" }),
  };
  ask(strings.app.newSet, fields, strings.app.create, async ({ version, audience }) => {
    if (!versionParts(version)) {
      throw new Problem(
        400, { detail: "", violations: [{ path: "version", message: strings.app.noVersion(version) }] },
      );
    }
    if (!/^([a-z0-9][a-z0-9-]{0,31})?$/.test(audience)) {
      throw new Problem(400, { detail: "", violations: [{ path: "audience", message: strings.app.noAudience }] });
    }
    /** @type {[string, string, string]} */
    const place = [app, canonicalVersion(version), audience || DEFAULT_AUDIENCE];
    const standing = await findSet(...place);
    if (standing) announce(strings.app.hasMenu(setName(place[1], place[2])));
    else await begin(place);
    go(["apps", app, "sets", ...place.slice(1)]);
  });
}

/**
 * Saves an empty draft, so that others see the set. An existing draft stays.
 * @param {import("../api/apps.js").Where} place
 */
async function begin(place) {
  try {
    await putDraft(...place, EMPTY_SET, { tag: null, base: 0 });
  } catch (error) {
    if (error.status !== 412) throw error;
  }
}

/**
 * The name of a set: `2.0.0`, or `2.0.0 member` for an audience.
 * @param {string} version @param {string} audience
 */
export function setName(version, audience) {
  return audience === DEFAULT_AUDIENCE ? version : `${version} ${audience}`;
}

/**
 * The audiences in the order of their tracks, the default audience first.
 * @param {{audience: string}[]} sets
 */
export function audiencesOf(sets) {
  const names = [...new Set(sets.map(({ audience }) => audience))].sort();
  return names.includes(DEFAULT_AUDIENCE)
    ? [DEFAULT_AUDIENCE, ...names.filter((name) => name !== DEFAULT_AUDIENCE)]
    : names;
}
