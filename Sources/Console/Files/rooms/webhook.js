/** One endpoint: its health, what was sent to it, and what to do where that failed. */
import { get, patch, path, post, remove } from "../api/client.js";
import { page } from "../api/lists.js";
import { refusal } from "../api/session.js";
import { announce, guarded } from "../page/announcements.js";
import { button, emptyPlace } from "../page/controls.js";
import { confirm } from "../page/dialog.js";
import { element } from "../page/element.js";
import { longTime, timeElement } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { go } from "../page/router.js";
import { showSecret } from "../page/secret.js";
import { strings } from "../strings.js";
import { healthOf } from "./webhooks.js";

class WebhookRoom extends Room {
  async open() {
    const refused = refusal("owner");
    if (refused) return this.show(strings.navigation.webhooks, emptyPlace(refused));
    const where = (rest = "") => path`/webhooks/${this.place.webhook}` + rest;
    const { body: endpoint } = await get(where(), { signal: this.signal });
    const read = (cursor) => page(where("/deliveries"), { cursor, signal: this.signal });
    const first = await read();
    const act = (text, work, kind) => button(text, guarded(async () => {
      await work();
      await this.open();
    }), { kind });
    const actions = [
      act(strings.webhooks.ping, async () => {
        await post(where("/ping"));
        announce(strings.webhooks.pinged);
      }),
      act(endpoint.enabled ? strings.webhooks.disable : strings.webhooks.enable, () => patch(where(), { enabled: !endpoint.enabled })),
      act(strings.webhooks.recover, async () => announce(strings.webhooks.recovered((await post(where("/recover"), {})).body.recovered))),
      button(strings.webhooks.rotate, () => confirm(strings.webhooks.rotate, strings.webhooks.rotateText, strings.webhooks.rotate, async () => {
        const { body } = await post(where("/rotate-secret"), {});
        showSecret(strings.webhooks.secretTitle, strings.webhooks.rotatedText(longTime(body.previousExpiresAt)), body.secret);
      })),
      button(strings.webhooks.remove, () => confirm(strings.webhooks.remove, strings.webhooks.removeText, strings.webhooks.remove, async () => {
        await remove(where());
        go(["webhooks"]);
      }, { kind: "danger" }), { kind: "danger" }),
    ];
    const list = pagedList(
      first,
      read,
      (delivery) => this.#delivery(delivery),
      { class: "deliveries", "aria-label": strings.webhooks.deliveries },
    );
    this.show(endpoint.url, element("p", { class: "hint" }, endpoint.description ?? ""), healthOf(endpoint), element(
      "p",
      {},
      strings.webhooks.hears(endpoint.types, endpoint.apps),
    ),
      element(
        "div",
        { class: "room-actions" },
        ...actions,
      ), element("h2", {}, strings.webhooks.deliveries), first.items.length === 0 ? element(
        "p",
        { class: "hint" },
        strings.webhooks.noDeliveries,
      ) : list);
  }

  #delivery(delivery) {
    const resend = button(strings.webhooks.resend, guarded(async () => {
      await post(path`/deliveries/${delivery.id}/resend`);
      announce(strings.webhooks.resent);
      await this.open();
    }), { kind: "quiet" });
    const attempts = delivery.attempts.map((attempt) =>
      element(
        "li",
        {},
        timeElement(attempt.at),
        " ",
        strings.webhooks.attempt(attempt.status, attempt.durationMs),
        attempt.error && element("p", {}, attempt.error),
        attempt.response && element("pre", { dir: "auto", tabindex: 0 }, attempt.response),
      ));
    return element("li", {}, element("div", { class: "delivery" },
      element(
        "span",
        { class: `badge ${delivery.state}` },
        delivery.state,
      ), element("code", {}, delivery.type), element("span", {}, delivery.app ?? ""), timeElement(delivery.createdAt),
      delivery.nextAttemptAt && element("span", { class: "hint" }, strings.webhooks.next(longTime(delivery.nextAttemptAt))), resend),
      element("details", {}, element("summary", {}, strings.webhooks.attempts(attempts.length)), element("ol", {}, ...attempts)));
  }
}

customElements.define("lp-webhook", WebhookRoom);
