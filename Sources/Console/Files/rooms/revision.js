/** One revision: what it changed, who was told of it, and the way back. */
import { findSet, getApp, getRevision, listReleases, restoreRevision } from "../api/apps.js";
import { path, send } from "../api/client.js";
import { noteOwn } from "../api/live.js";
import { all, page } from "../api/lists.js";
import { refusal } from "../api/session.js";
import { difference } from "../menus/difference.js";
import { menuOf, releaseFor } from "../menus/shown.js";
import { alarm, announce, guarded } from "../page/announcements.js";
import { changeWords } from "../page/change-words.js";
import { button } from "../page/controls.js";
import { element } from "../page/element.js";
import { timeElement } from "../page/format.js";
import { Room } from "../page/room.js";
import { address, go } from "../page/router.js";
import { phoneOf } from "../phone/phone.js";
import { strings } from "../strings.js";
import { appFrame, setName } from "./app-frame.js";

class RevisionRoom extends Room {
  async open() {
    const { app, revision: number } = this.place;
    const options = { signal: this.signal };
    const [document, revision, releases] = await Promise.all([
      getApp(app, options),
      getRevision(app, number, options),
      listReleases(app, options),
    ]);
    const [before, standing] = await Promise.all([this.#before(revision), findSet(app, revision.version, revision.audience, options)]);
    const name = setName(revision.version, revision.audience);
    const statics = releaseFor(revision.version, releases)?.staticItems ?? [];
    const draw = (set, caption) => {
      const { shown } = menuOf(set ?? { items: [] }, statics, document.defaultLanguage, document.defaultLanguage);
      return phoneOf({ name: document.name ?? app, rows: shown, language: document.defaultLanguage, caption });
    };
    const stands = standing?.revision === revision.revision;
    const back = button(
      strings.revision.takeBack,
      guarded(() => this.#takeBack(revision, before)),
      { refusal: refusal("publisher") ?? (stands || revision.kind === "deleted" ? null : strings.revision.overtaken(standing?.revision)) },
    );
    this.show(strings.revision.title(number), appFrame(app, "history"),
      element(
        "p",
        {},
        revision.kind === "deleted" ? strings.revision.deleted(name, revision.by) : strings.revision.published(name, revision.by),
        " ",
        timeElement(revision.publishedAt),
        ".",
      ),
      element(
        "div",
        { class: "room-actions" },
        back,
        element("a", { class: "button", href: address(["apps", app, "sets", revision.version, revision.audience]) }, strings.revision.edit),
      ),
      element(
        "div",
        { class: "before-after" },
        draw(before?.set, before ? strings.revision.before(before.revision) : strings.publish.before),
        draw(revision.set, strings.revision.after(number)),
      ),
      element("h2", {}, strings.history.difference), changeWords(difference(before?.set, revision.set)), this.#told());
    this.#readTold(revision).catch(alarm);
  }

  /** The revision that stood in this place before. */
  async #before(revision) {
    let cursor;
    do {
      const answer = await page(path`/apps/${this.place.app}/revisions`, { cursor, limit: 200, signal: this.signal });
      const found = answer.items.find(
        (each) => each.revision < revision.revision && each.version === revision.version && each.audience === revision.audience,
      );
      if (found) return found;
      cursor = answer.next;
    } while (cursor);
    return null;
  }

  /** Publishes what stood before; where nothing did, deletes the set. */
  async #takeBack(revision, before) {
    const { app } = this.place;
    const made = before
      ? (await restoreRevision(app, before.revision)).revision
      : (
        await send(
          "DELETE",
          path`/apps/${app}/sets/${revision.version}`,
          { query: { audience: revision.audience }, fields: { "If-Match": `"${revision.revision}"` } },
        )
      ).body.revision;
    noteOwn(app, made);
    announce(strings.revision.takenBack(revision.revision));
    go(made ? ["apps", app, "revisions", String(made)] : ["apps", app, "history"]);
  }

  #told() {
    this.told = element("ul", { class: "rows" });
    return element("section", {}, element("h2", {}, strings.revision.told), this.told);
  }

  /** Which endpoints were told: deliveries name no revision, so their bodies do. */
  async #readTold(revision) {
    if (refusal("owner")) return this.told.replaceChildren(element("li", { class: "hint" }, refusal("owner")));
    const endpoints = await all("/webhooks", { signal: this.signal });
    const lines = [];
    for (const endpoint of endpoints.slice(0, 20)) {
      const { items } = await page(path`/webhooks/${endpoint.id}/deliveries`, { limit: 50, signal: this.signal, query: { body: true } });
      const delivery = items.find(
        (each) => each.app === this.place.app && JSON.parse(each.body ?? "{}").data?.revision === revision.revision,
      );
      if (delivery) lines.push(
        element(
          "li",
          {},
          element("a", { href: address(["webhooks", endpoint.id]) }, endpoint.url),
          element("span", { class: `badge ${delivery.state}` }, delivery.state),
        ),
      );
    }
    this.told.replaceChildren(
      ...(
        lines.length > 0 ? lines : [
          element("li", { class: "hint" }, endpoints.length > 0 ? strings.revision.toldNobody : strings.revision.noEndpoints),
        ]
      ),
    );
  }
}

customElements.define("lp-revision", RevisionRoom);
