/** A link that shows the draft on a real phone, as a QR code. */
import { createPreview, deletePreview, listPreviews } from "../api/apps.js";
import { announce } from "../page/announcements.js";
import { button } from "../page/controls.js";
import { openDialog, secretField } from "../page/dialog.js";
import { element, svg } from "../page/element.js";
import { soon } from "../page/format.js";
import { qrCode } from "../values/qr-code.js";
import { strings } from "../strings.js";

/** The light border that a scanner needs, in modules. */
const QUIET = 4;

export class PhonePreview {
  #place;
  /**
   * The link that this page created. Only it has a token, so that it is shown again until it ends.
   * @type {NewPreviewLink | null}
   */
  #link = null;

  /** @param {import("../api/apps.js").SetName} place */
  constructor(place) {
    this.#place = place;
  }

  async open() {
    const { app, version, audience } = this.#place;
    const links = await listPreviews(app);
    if (!links.some(({ id }) => id === this.#link?.id)) {
      this.#link = await createPreview(app, { version, audience });
    }
    const link = /** @type {NewPreviewLink} */ (this.#link);
    if (link.link === null) return this.#sayNoScheme(link);
    const others = links.filter(
      (each) => each.id !== link.id && each.version === version && each.audience === audience
    );
    this.#show(link, link.link, others);
  }

  /** @param {NewPreviewLink} link @param {string} url @param {PreviewLink[]} others to the same draft */
  #show(link, url, others) {
    const { row, copy } = secretField(strings.onPhone.link, url);
    const list = element("ul", { class: "links", "aria-label": strings.onPhone.others });
    const heading = element("h3", { hidden: others.length === 0 }, strings.onPhone.others);
    const end = button(strings.onPhone.end, null, { kind: "danger", type: "submit" });
    const opened = openDialog(strings.onPhone.title, {
      content: [
        element("p", {}, strings.onPhone.scan(soon(link.expiresAt))),
        drawnCode(url) ?? element("p", { class: "hint" }, strings.onPhone.tooLong),
        row,
        element("p", { class: "hint" }, strings.onPhone.hint),
        heading,
        list,
      ],
      actions: [copy, end],
      submit: async () => {
        try {
          await this.#end(link);
          opened.close();
        } catch (error) {
          opened.fail(error);
        }
      },
      dismiss: strings.common.done,
      settles: true,
    });
    list.append(...others.map((other) => {
      const words = strings.onPhone.other(soon(other.expiresAt), other.createdBy);
      const stop = button(strings.onPhone.endOther, async () => {
        try {
          await this.#end(other);
          entry.remove();
          heading.hidden = list.children.length === 0;
        } catch (error) {
          opened.fail(error);
        }
      }, { kind: "quiet", label: `${strings.onPhone.endOther}: ${words}` });
      const entry = element("li", {}, element("span", {}, words), stop);
      return entry;
    }));
  }

  /** @param {PreviewLink} link */
  async #end(link) {
    await deletePreview(this.#place.app, link.id);
    if (link.id === this.#link?.id) this.#link = null;
    announce(strings.onPhone.ended);
  }

  /**
   * Ends the preview, because nobody can use its token without a link.
   * @param {NewPreviewLink} link
   */
  async #sayNoScheme(link) {
    await deletePreview(this.#place.app, link.id);
    this.#link = null;
    openDialog(strings.onPhone.title, {
      content: [element("p", {}, strings.onPhone.noScheme)], actions: [], dismiss: strings.common.done,
    });
  }
}

/**
 * Black on white in every theme, because scanners need it. Null if the link is too long.
 * @param {string} url
 */
function drawnCode(url) {
  const rows = qrCode(url);
  if (rows === null) return null;
  const size = rows.length + 2 * QUIET;
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (
    isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ""
  ))).join("");
  return svg(
    "svg",
    { class: "qr-code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": strings.onPhone.code },
    svg("rect", { width: size, height: size, fill: "#fff" }),
    svg("path", { d: path, fill: "#000", "shape-rendering": "crispEdges" }),
  );
}
