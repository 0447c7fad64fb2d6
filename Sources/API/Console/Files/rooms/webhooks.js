/** The webhooks, each with its state. */
import { path, post } from "../api/client.js";
import { all, page } from "../api/lists.js";
import { refusal } from "../api/session.js";
import { button, choices, emptyPlace, field } from "../page/controls.js";
import { ask, showSecret } from "../page/dialog.js";
import { element, whenSeen } from "../page/element.js";
import { timeElement } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { address, go } from "../page/router.js";
import { announce, guarded } from "../page/announcements.js";
import { strings } from "../strings.js";

/** The states that are counted, up to `MOST`. */
const [OPEN, MOST] = [["exhausted", "held", "pending"], 100];

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
    const state = element("div", { class: "webhook-state" });
    const card = element(
      "li",
      { class: "card" },
      element("h2", {}, element(
        "a", { href: address(["webhooks", endpoint.id]) }, element("bdi", {}, endpoint.description || endpoint.url),
      )),
      endpoint.description && element("p", { class: "hint" }, endpoint.url),
      state,
      element("p", { class: "hint" }, strings.webhooks.hears(endpoint.types, endpoint.apps)),
    );
    const fill = guarded(
      async () => state.replaceChildren(stateOf(endpoint, await totalsOf(endpoint.id, this.signal), fill))
    );
    whenSeen(card, fill, this.signal);
    return card;
  }
}

/**
 * How many deliveries are not delivered, by state, as texts; undefined for none. Beside them the newest one.
 * @param {string} id @param {AbortSignal} signal
 */
export async function totalsOf(id, signal) {
  const read = (limit, state = null) =>
    page(path`/webhooks/${id}/deliveries`, { limit, query: { state }, signal });
  const [{ items: [newest] }, ...pages] = await Promise.all([read(1), ...OPEN.map((state) => read(MOST, state))]);
  return {
    newest,
    ...Object.fromEntries(OPEN.map((state, place) => {
      const { items, next } = pages[place];
      return [state, next ? `${items.length}+` : items.length || undefined];
    })),
  };
}

/**
 * The state of a webhook in one sentence, and a button that sends again what failed.
 * @param {any} endpoint @param {any} totals from `totalsOf` @param {() => unknown} changed
 */
export function stateOf({ id, enabled, disabledReason, disabledAt }, { newest, exhausted, held, pending }, changed) {
  const word = !enabled ? "disabled" : exhausted ? "failing" : "enabled";
  const again = exhausted && button(strings.webhooks.sendAll(exhausted), guarded(async () => {
    const { body } = await post(path`/webhooks/${id}/recover`, { since: null });
    announce(strings.webhooks.recovered(body.recovered));
    await changed();
  }), { settles: true });
  return element(
    "div", { class: "webhook-state" },
    element("p", {},
      element("span", { class: `badge ${word === "enabled" ? "delivered" : "exhausted"}` }, strings.webhooks[word]),
      " ",
      enabled
        ? newest
          ? [strings.webhooks.last(strings.webhooks.states[newest.state]), timeElement(newest.createdAt), "."]
          : strings.webhooks.noDeliveries
        : [strings.webhooks.reasons[disabledReason], " ", disabledAt && timeElement(disabledAt), "."],
      (held || pending) && [" ", strings.webhooks.waiting(pending ?? 0, held ?? 0)]),
    again,
  );
}

/** The names of apps, by id. @param {App[]} apps */
export const namesOf = (apps) => Object.fromEntries(apps.map(({ app, name }) => [app, name]));

/**
 * Asks for a webhook's settings. @param {object | null} endpoint null for a new webhook
 * @param {(document: object) => Promise<void>} act
 */
export async function askForEndpoint(title, action, endpoint, act) {
  const apps = await all("/apps");
  const known = [...new Set([...apps.map(({ app }) => app), ...(endpoint?.apps ?? [])])];
  const { events } = strings.webhooks;
  const names = Object.keys(endpoint?.headers ?? {});
  /** @type {Record<string, Field>} */
  const fields = {
    description: field(
      strings.webhooks.description, { hint: strings.webhooks.descriptionHint, value: endpoint?.description ?? "" },
    ),
    url: field(strings.webhooks.url, {
      required: true, placeholder: "https://example.com/longpress", type: "url", value: endpoint?.url ?? "",
      hint: strings.webhooks.urlHint,
    }),
    types: choices(strings.webhooks.types, Object.keys(events), {
      chosen: endpoint?.types ?? [], hint: strings.webhooks.typesHint, names: events,
    }),
    apps: choices(strings.webhooks.apps, known, {
      chosen: endpoint?.apps ?? [], hint: strings.webhooks.appsHint, names: namesOf(apps),
    }),
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
