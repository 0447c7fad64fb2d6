/** The webhooks, each with its state. */
import { path, post } from "../api/client.js";
import { all, page } from "../api/lists.js";
import { refusal } from "../api/session.js";
import { button, choices, emptyPlace, field } from "../page/controls.js";
import { ask, showSecret } from "../page/dialog.js";
import { element } from "../page/element.js";
import { timeElement } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { address, go } from "../page/router.js";
import { guarded } from "../page/announcements.js";
import { strings } from "../strings.js";

/** The types of events, except pings. */
const EVENTS = [
  "shortcuts.published", "shortcuts.deleted", "shortcuts.scheduled", "shortcuts.schedule-failed", "shortcuts.override",
  "release.imported",
  "release.deleted", "app.created", "app.deleted", "webhook.disabled",
];

class WebhooksRoom extends Room {
  async open() {
    const refused = refusal("owner");
    const actions = element(
      "div", { class: "room-actions" },
      button(strings.webhooks.add, guarded(addEndpoint), { kind: "primary", refusal: refused }),
    );
    const about = element("p", { class: "hint" }, strings.webhooks.about);
    if (refused) return this.show(strings.navigation.webhooks, about, actions, emptyPlace(refused));
    const read = (cursor) => page("/webhooks", { cursor, signal: this.signal });
    const first = await read();
    const list = pagedList(
      first, read, (endpoint) => this.#card(endpoint), { class: "cards", "aria-label": strings.webhooks.list },
    );
    this.show(
      strings.navigation.webhooks, about, actions, first.items.length === 0 ? emptyPlace(strings.webhooks.empty) : list,
    );
  }

  #card(endpoint) {
    const last = element("p", { class: "hint" }, "…");
    this.#last(endpoint, last).catch(() => last.replaceChildren());
    return element(
      "li",
      { class: "card" },
      element("h2", {}, element("a", { href: address(["webhooks", endpoint.id]) }, endpoint.url)),
      endpoint.description && element("p", { dir: "auto" }, endpoint.description),
      healthOf(endpoint),
      last,
      element("p", { class: "hint" }, strings.webhooks.hears(endpoint.types, endpoint.apps)),
    );
  }

  /** Shows the state of the newest delivery. */
  async #last({ id }, place) {
    const { items: [newest] } = await page(path`/webhooks/${id}/deliveries`, { limit: 1, signal: this.signal });
    if (newest) {
      place.replaceChildren(
        strings.webhooks.last(strings.webhooks.states[newest.state]), timeElement(newest.createdAt),
      );
    }
    else place.replaceChildren(strings.webhooks.noDeliveries);
  }
}

/** The state of a webhook, and why it is disabled. */
export function healthOf(endpoint) {
  if (endpoint.enabled) {
    return element("p", {}, element("span", { class: "badge delivered" }, strings.webhooks.enabled));
  }
  return element(
    "p",
    {},
    element("span", { class: "badge exhausted" }, strings.webhooks.disabled),
    " ",
    strings.webhooks.reasons[endpoint.disabledReason] ?? "",
    " ",
    endpoint.disabledAt && timeElement(endpoint.disabledAt),
  );
}

/**
 * Asks for a webhook's settings. @param {object | null} endpoint null for a new webhook
 * @param {(document: object) => Promise<void>} act
 */
export async function askForEndpoint(title, action, endpoint, act) {
  const apps = await all("/apps");
  const known = [...new Set([...apps.map(({ app }) => app), ...(endpoint?.apps ?? [])])];
  const names = Object.keys(endpoint?.headers ?? {});
  /** @type {Record<string, Field>} */
  const fields = {
    url: field(
      strings.webhooks.url,
      { required: true, placeholder: "https://example.com/longpress", type: "url", value: endpoint?.url ?? "" },
    ),
    description: field(
      strings.webhooks.description, { hint: strings.webhooks.descriptionHint, value: endpoint?.description ?? "" },
    ),
    types: choices(strings.webhooks.types, EVENTS, { chosen: endpoint?.types ?? [], hint: strings.webhooks.typesHint }),
    apps: choices(strings.webhooks.apps, known, { chosen: endpoint?.apps ?? [], hint: strings.webhooks.appsHint }),
    ...Object.fromEntries(names.map((name) => [
      `headers.${name}`,
      field(strings.webhooks.headerValue(name), { type: "password", hint: strings.webhooks.headerValueHint }),
    ])),
    ordered: choices(
      strings.webhooks.order, [strings.webhooks.ordered],
      { chosen: endpoint?.ordered ? [strings.webhooks.ordered] : [], hint: strings.webhooks.orderHint },
    ),
  };
  ask(title, fields, action, ({ url, description, types, apps: chosen, ordered, ...values }) => act({
    url,
    description: description || null,
    types: types ? types.split("\n") : null,
    apps: chosen ? chosen.split("\n") : null,
    ordered: ordered !== "",
    headers: Object.fromEntries(
      names.map((name) => [name, values[`headers.${name}`]]).filter(([, value]) => value !== "")
    ),
  }));
}

const addEndpoint = () => askForEndpoint(strings.webhooks.add, strings.common.add, null, async (document) => {
  const { body } = await post("/webhooks", document, { meanings: { forbidden: strings.webhooks.limited } });
  go(["webhooks", body.id]);
  showSecret(strings.webhooks.secretTitle, strings.webhooks.secretText, body.secret);
});

customElements.define("lp-webhooks", WebhooksRoom);
