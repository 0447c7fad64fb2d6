/** An app's releases, and the import of an Info.plist. */
import { getApp, listReleases, putRelease } from "../api/apps.js";
import { path, remove } from "../api/client.js";
import { Problem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { LARGEST, bundleVersion } from "../menus/info-plist.js";
import { menuOf } from "../menus/shown.js";
import { announce, clearAlarms, guarded } from "../page/announcements.js";
import { acceptsFiles, button, emptyPlace } from "../page/controls.js";
import { confirm } from "../page/dialog.js";
import { element } from "../page/element.js";
import { Room } from "../page/room.js";
import { menuPanel } from "../phone/menu-rows.js";
import { strings } from "../strings.js";
import { compareVersions } from "../values/version.js";
import { appFrame } from "./app-frame.js";

/**
 * Imports an Info.plist as the version in the file.
 * @param {string} app @param {File} file
 */
export async function importRelease(app, file) {
  clearAlarms();
  if (file.size > LARGEST) throw new Problem(0, { detail: strings.releases.noPlist(file.name) });
  const { isPlist, version, build } = bundleVersion(await file.arrayBuffer());
  if (!version) {
    throw new Problem(
      0, { detail: isPlist ? strings.releases.noVersion(file.name) : strings.releases.noPlist(file.name) },
    );
  }
  const name = build ? `${version}+${build}` : version;
  try {
    await putRelease(app, name, file);
  } catch (error) {
    if (!error.violations?.length) throw error;
    // A missing or wrong key is not a field that can be filled in.
    const texts = error.violations.map(
      ({ code, message }) => (["required", "type-mismatch"].includes(code) ? strings.releases.badPlist : message)
    );
    throw new Problem(error.status, { detail: [...new Set(texts)].join(" ") });
  }
  announce(strings.releases.imported(name));
}

/**
 * A button that opens a file chooser, for people who do not drop files. Without other options, for an Info.plist.
 * @param {string} text @param {(file: File) => Promise<any>} take
 * @param {ButtonOptions & {accept?: string, name?: string}} options
 */
export function fileButton(
  text, take,
  { accept = ".plist,application/x-plist,text/xml", name = strings.releases.file, ...options } = {},
) {
  const input = element("input", { type: "file", accept, hidden: true, "aria-label": name });
  input.addEventListener("change", async () => {
    for (const file of input.files ?? []) await take(file);
    input.value = "";
  });
  return element(
    "div", { class: "file-button" },
    button(text, () => input.click(), { refusal: refusal("editor"), ...options }), input,
  );
}

class ReleasesRoom extends Room {
  async open() {
    const { app } = this.place;
    const [document, releases] = await Promise.all([
      getApp(app, { signal: this.signal }), listReleases(app, { signal: this.signal }),
    ]);
    const bring = guarded(async (file) => {
      await importRelease(app, file);
      await this.refresh();
    });
    const place = element("div", { class: "drop-place" }, element("p", {}, strings.releases.drop),
      fileButton(strings.releases.bring, bring, { kind: "primary" }));
    if (!refusal("editor")) acceptsFiles(place, bring);
    const sorted = releases.sort((left, right) => compareVersions(nameOf(right), nameOf(left)));
    this.show(strings.app.releases, appFrame(app, "releases"), place,
      sorted.length === 0 ? emptyPlace(strings.releases.empty) : element(
        "ul",
        { class: "cards", "aria-label": strings.releases.list },
        ...sorted.map((release) => this.#card(release, document)),
      ));
  }

  /** @param {Release} release @param {App} app */
  #card(release, app) {
    const name = nameOf(release);
    const { shown } = menuOf({ items: [] }, release.staticItems, app.defaultLanguage, app.defaultLanguage);
    const { images, symbols } = release.assets ?? {};
    const facts = /** @type {[string, string][]} */ ([
      release.displayName && [strings.releases.displayName, release.displayName],
      release.minimumOSVersion && [strings.releases.minimumOS, release.minimumOSVersion],
      [strings.releases.schemes, release.urlSchemes.join(", ") || strings.common.none],
      [strings.releases.assets, release.assets
        ? strings.releases.assetCount(images?.length ?? 0, symbols?.length ?? 0)
        : strings.releases.assetsUnknown],
    ].filter(Boolean));
    const drop = button(strings.releases.remove, () => this.#remove(name), {
      kind: "quiet", label: strings.releases.removeNamed(name), refusal: refusal("editor"),
    });
    return element("li", { class: "card" },
      element("h2", {}, name),
      shown.length > 0
        ? menuPanel(shown, { name: strings.releases.statics(name) })
        : element("p", { class: "no-menu" }, strings.releases.noStatics),
      element("dl", {}, ...facts.flatMap(([term, fact]) => [element("dt", {}, term), element("dd", {}, fact)])), drop);
  }

  /** @param {string} name */
  #remove(name) {
    confirm(strings.releases.removeNamed(name), strings.releases.removeText, strings.releases.remove, async () => {
      await remove(path`/apps/${this.place.app}/releases/${name}`);
      announce(strings.releases.removed(name));
      await this.refresh();
    }, { kind: "danger" });
  }
}

/** @param {Release} release */
function nameOf({ version, build }) {
  return build === null ? version : `${version}+${build}`;
}

customElements.define("lp-releases", ReleasesRoom);
