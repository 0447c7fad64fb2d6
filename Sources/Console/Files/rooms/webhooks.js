/** The endpoints that events are sent to, each with its health. */
import { post } from "../api/client.js";
import { page } from "../api/lists.js";
import { refusal } from "../api/session.js";
import { button, emptyPlace, field } from "../page/controls.js";
import { ask } from "../page/dialog.js";
import { element } from "../page/element.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { address, go } from "../page/router.js";
import { showSecret } from "../page/secret.js";
import { strings } from "../strings.js";

class WebhooksRoom extends Room {
  async open() {
    const refused = refusal("owner");
    if (refused) return this.show(strings.navigation.webhooks, emptyPlace(refused));
    const first = await page("/webhooks", { signal: this.signal });
    const add = button(strings.webhooks.add, addEndpoint, { kind: "primary" });
    const list = pagedList(
      first,
      (cursor) => page("/webhooks", { cursor, signal: this.signal }),
      card,
      { class: "cards", "aria-label": strings.webhooks.list },
    );
    this.show(
      strings.navigation.webhooks,
      element("div", { class: "room-actions" }, add),
      first.items.length === 0 ? emptyPlace(strings.webhooks.empty) : list,
    );
  }
}

function card(endpoint) {
  return element("li", { class: "card" }, element("h2", {}, element("a", { href: address(["webhooks", endpoint.id]) }, endpoint.url)),
    element("p", { class: "hint" }, endpoint.description ?? ""), healthOf(endpoint),
    element("p", {}, strings.webhooks.hears(endpoint.types, endpoint.apps)));
}

export function healthOf(endpoint) {
  if (endpoint.enabled) return element("p", {}, element("span", { class: "badge delivered" }, strings.webhooks.enabled));
  return element(
    "p",
    {},
    element("span", { class: "badge exhausted" }, strings.webhooks.disabled),
    " ",
    strings.webhooks.reasons[endpoint.disabledReason] ?? "",
  );
}

function addEndpoint() {
  const fields = {
    url: field(strings.webhooks.url, { required: true, placeholder: "https://example.com/longpress", type: "url" }),
    description: field(strings.webhooks.description, {}),
    types: field(strings.webhooks.types, { hint: strings.webhooks.typesHint }),
    apps: field(strings.webhooks.apps, { hint: strings.webhooks.appsHint }),
  };
  ask(strings.webhooks.add, fields, strings.common.add, async ({ url, description, types, apps }) => {
    const words = (text) => text.split(/[\s,]+/).filter(Boolean);
    const { body } = await post(
      "/webhooks",
      { url, description: description || null, types: types ? words(types) : null, apps: apps ? words(apps) : null },
    );
    go(["webhooks", body.id]);
    showSecret(strings.webhooks.secretTitle, strings.webhooks.secretText, body.secret);
  });
}

customElements.define("lp-webhooks", WebhooksRoom);
