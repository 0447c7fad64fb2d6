/** One webhook: its state, its deliveries, and its actions. */
import { get, patch, path, post, remove } from "../api/client.js";
import { page } from "../api/lists.js";
import { isAbort, Problem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { announce, guarded } from "../page/announcements.js";
import { button, emptyPlace, field } from "../page/controls.js";
import { ask, confirm, showSecret } from "../page/dialog.js";
import { element } from "../page/element.js";
import { longTime, readTime, shortTime, timeElement, zoneName } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { go, note } from "../page/router.js";
import { strings } from "../strings.js";
import { NumberText } from "../values/json.js";
import { askForEndpoint, stateOf, totalsOf } from "./webhooks.js";

/** Milliseconds between reads: with pending deliveries, and without. */
const [SOON, LATER] = [2_000, 10_000];
/** Milliseconds to wait for the result of a ping. */
const PING_WAIT = 20_000;
const STATES = ["pending", "delivered", "exhausted", "held", "cancelled"];

class WebhookRoom extends Room {
  /** The shown deliveries by id: the document as text, and its entry. */
  #shown = new Map();

  async open() {
    const refused = refusal("owner");
    if (refused) {
      return this.show(strings.navigation.webhooks, this.#actions({ enabled: true }, refused), emptyPlace(refused));
    }
    const state = this.place.query.get("state");
    const read = (cursor) => page(this.#path("/deliveries"), {
      cursor, query: { state: STATES.includes(state) ? state : null }, signal: this.signal,
    });
    const [{ body: endpoint }, first, totals] = await Promise.all([
      get(this.#path(), { signal: this.signal }), read(), totalsOf(this.place.webhook, this.signal),
    ]);
    this.#shown.clear();
    const list = pagedList(
      first,
      read,
      (delivery) => this.#entry(delivery),
      { class: "deliveries", "aria-label": strings.webhooks.deliveries },
    );
    this.show(
      endpoint.url,
      endpoint.description && element("p", { dir: "auto" }, endpoint.description),
      stateOf(endpoint, totals, () => this.refresh()),
      !endpoint.enabled
        && element(
          "p", { class: "caution" },
          strings.webhooks.whatToDo[endpoint.disabledReason] ?? strings.webhooks.whatToDo.operator,
        ),
      endpoint.enabled && endpoint.waitsFor && element("p", { class: "caution" }, waitingText(endpoint.waitsFor)),
      element(
        "p", { class: "hint" }, strings.webhooks.hears(endpoint.types, endpoint.apps), " ",
        endpoint.ordered && strings.webhooks.inOrder,
      ),
      this.#actions(endpoint, null),
      element(
        "div", { class: "list-head" }, element("h2", {}, strings.webhooks.deliveries), this.#filter(state, totals),
      ),
      first.items.length === 0
        ? element("p", { class: "hint" }, state ? strings.webhooks.noneInState : strings.webhooks.noDeliveries)
        : list,
    );
    this.#keepFresh(endpoint, first, read);
  }

  #path(rest = "") {
    return path`/webhooks/${this.place.webhook}` + rest;
  }

  #actions(endpoint, refused) {
    const act = (text, work, kind) => button(text, guarded(work), { kind, refusal: refused, settles: true });
    return element(
      "div",
      { class: "room-actions" },
      act(strings.webhooks.ping, () => this.#ping()),
      act(endpoint.enabled ? strings.webhooks.disable : strings.webhooks.enable, async () => {
        await patch(this.#path(), { enabled: !endpoint.enabled });
        announce(endpoint.enabled ? strings.webhooks.isDisabled : strings.webhooks.isEnabled);
        await this.refresh();
      }, endpoint.enabled ? undefined : "primary"),
      act(strings.webhooks.recover, () => this.#recover()),
      endpoint.waitsFor?.state === "held" && act(strings.webhooks.skip, () => this.#skip()),
      act(strings.webhooks.edit, () =>
        askForEndpoint(strings.webhooks.edit, strings.common.save, endpoint, async (document) => {
        const { body } = await patch(this.#path(), document, { meanings: { forbidden: strings.webhooks.limited } });
        announce(strings.webhooks.changed);
        await this.refresh();
        if (body.secret) showSecret(strings.webhooks.secretTitle, strings.webhooks.movedText, body.secret);
      })),
      act(strings.webhooks.rotate, () => this.#rotate()),
      act(strings.webhooks.remove, () => this.#remove(endpoint), "danger"),
    );
  }

  /** Sends a ping and announces the answer. */
  async #ping() {
    const { body } = await post(this.#path("/ping"));
    const isHeld = body.warnings.length > 0;
    announce(isHeld ? strings.webhooks.pingHeld : strings.webhooks.pinged);
    await this.refresh();
    if (isHeld) return;
    const until = Date.now() + PING_WAIT;
    while (Date.now() < until) {
      const { items } = await page(this.#path("/deliveries"), { limit: 20, signal: this.signal });
      const attempt = items.find(({ id }) => id === body.id)?.attempts.at(-1);
      if (attempt) {
        announce(strings.webhooks.pong(attempt));
        return this.refresh();
      }
      await new Promise((done) => setTimeout(done, 300));
    }
    announce(strings.webhooks.noPong);
  }

  #recover() {
    const fields = {
      since: field(
        strings.webhooks.since, { hint: strings.webhooks.sinceHint(zoneName()), placeholder: "2026-12-24 18:00" },
      ),
    };
    ask(strings.webhooks.recover, fields, strings.webhooks.recover, async ({ since }) => {
      const time = since === "" ? null : readTime(since);
      if (since !== "" && !time) {
        throw new Problem(422, { detail: "", violations: [{ path: "since", message: strings.publish.noTime }] });
      }
      const { body } = await post(this.#path("/recover"), { since: time?.toISOString() ?? null });
      announce(strings.webhooks.recovered(body.recovered));
      await this.refresh();
    });
  }

  #skip() {
    confirm(strings.webhooks.skip, strings.webhooks.skipText, strings.webhooks.skip, async () => {
      const { body } = await post(this.#path("/skip"));
      announce(strings.webhooks.skipped(body.skipped));
      await this.refresh();
    }, { kind: "danger" });
  }

  #rotate() {
    confirm(strings.webhooks.rotate, strings.webhooks.rotateText, strings.webhooks.rotate, async () => {
      const { body } = await post(this.#path("/rotate-secret"), {});
      showSecret(
        strings.webhooks.secretTitle, strings.webhooks.rotatedText(shortTime(body.previousExpiresAt)), body.secret,
      );
    });
  }

  #remove({ url }) {
    confirm(strings.webhooks.removeTitle, strings.webhooks.removeText(url), strings.webhooks.remove, async () => {
      await remove(this.#path());
      announce(strings.webhooks.removed(url));
      go(["webhooks"]);
    }, { kind: "danger" });
  }

  #filter(chosen, totals) {
    const made = field(strings.webhooks.state, { tag: "select" });
    made.input.append(
      element("option", { value: "" }, strings.webhooks.everyState),
      ...STATES.map(
        (state) => element("option", { value: state, selected: state === chosen },
          strings.webhooks.states[state], totals[state] && ` (${totals[state]})`)
      ),
    );
    made.input.addEventListener("change", () => {
      note({ state: made.input.value });
      this.refresh();
    });
    return made.row;
  }

  #entry(delivery) {
    const attempt = delivery.attempts.at(-1);
    const resend = button(strings.webhooks.resend, guarded(async () => {
      await post(path`/deliveries/${delivery.id}/resend`);
      announce(strings.webhooks.resent);
      await this.refresh();
    }), { settles: true, label: strings.webhooks.resendNamed(delivery.type, longTime(delivery.createdAt)) });
    const details = element("details", {}, element("summary", {}, strings.webhooks.attempts(delivery.attempts.length)));
    details.addEventListener(
      "toggle", () => details.childElementCount === 1 && this.#unfold(details, delivery),
    );
    const entry = element(
      "li",
      {},
      element(
        "div",
        { class: "delivery" },
        element(
          "span", {}, element("span", { class: `badge ${delivery.state}` }, strings.webhooks.states[delivery.state]),
        ),
        element("span", {}, element("code", {}, delivery.type), delivery.app && ` ${delivery.app}`),
        timeElement(delivery.createdAt),
        element(
          "span",
          { class: "hint" },
          attempt ? strings.webhooks.answered(attempt) : strings.webhooks.notTried,
          delivery.nextAttemptAt && [" ", strings.webhooks.next(shortTime(delivery.nextAttemptAt))],
        ),
        resend,
      ),
      details,
    );
    this.#shown.set(delivery.id, { text: JSON.stringify(delivery), entry });
    return entry;
  }

  /** The attempts, the last first, and the payload. */
  #unfold(details, delivery) {
    // Repeated answers are shown once, at the last attempt.
    const isShown = ({ response }, index) => response && response !== delivery.attempts[index + 1]?.response;
    const attempts = delivery.attempts.map((attempt, index) =>
      element(
        "li",
        { value: index + 1 },
        longTime(attempt.at),
        ": ",
        strings.webhooks.answered(attempt),
        isShown(attempt, index)
          && element("pre", { dir: "auto", tabindex: 0, "aria-label": strings.webhooks.answer }, attempt.response),
      )).reverse();
    const payload = JSON.stringify(
      delivery.payload, (_, value) => (value instanceof NumberText ? Number(value.text) : value), 2,
    );
    const sent = element("pre", { hidden: true, tabindex: 0, "aria-label": strings.webhooks.sent }, payload);
    const show = button(strings.webhooks.showSent, () => {
      sent.hidden = false;
      show.hidden = true;
      sent.focus();
    }, { kind: "quiet" });
    details.append(
      element(
        "ol",
        {
          class: "attempts", reversed: true, tabindex: attempts.length > 5 ? 0 : null,
          "aria-label": strings.webhooks.attempts(attempts.length),
        },
        ...attempts,
      ),
      show,
      sent,
    );
  }

  /** Reads again from time to time and draws changed entries. Unfolded entries and the focus stay. */
  #keepFresh(endpoint, first, read) {
    const { signal } = this;
    const isBusy = ({ items }) => items.some(({ state }) => state === "pending");
    const look = async () => {
      if (document.visibilityState === "visible") {
        const [{ body: now }, newest] = await Promise.all([get(this.#path(), { signal }), read()]);
        if (signal.aborted) return;
        if (this.#shown.size === 0 ? newest.items.length > 0 : JSON.stringify(now) !== JSON.stringify(endpoint)) {
          return this.refresh();
        }
        const changed = newest.items.reverse().filter((delivery) => this.#update(delivery));
        const line = this.querySelector(".webhook-state");
        if (changed.length > 0 && !line.contains(document.activeElement)) {
          line.replaceWith(stateOf(now, await totalsOf(this.place.webhook, signal), () => this.refresh()));
        }
        first = newest;
      }
      later();
    };
    const later = () => {
      const timer = setTimeout(
        () => look().catch((error) => !isAbort(error) && error.status !== 401 && later()), isBusy(first) ? SOON : LATER,
      );
      signal.addEventListener("abort", () => clearTimeout(timer));
    };
    later();
  }

  /** Draws a delivery that is new or changed, and returns whether it is. */
  #update(delivery) {
    if (!this.#shown.has(delivery.id)) {
      this.querySelector(".deliveries").prepend(this.#entry(delivery));
      return true;
    }
    const { text, entry } = this.#shown.get(delivery.id);
    if (text === JSON.stringify(delivery)) return false;
    const focused = entry.contains(document.activeElement) ? document.activeElement.localName : null;
    const isOpen = entry.querySelector("details").open;
    const made = this.#entry(delivery);
    entry.replaceWith(made);
    made.querySelector("details").open = isOpen;
    if (focused) made.querySelector(focused)?.focus();
    return true;
  }
}

/** Why an ordered webhook gets no events. */
const waitingText = ({ state, nextAttemptAt }) =>
  state === "held" ? strings.webhooks.waitsForHeld : strings.webhooks.waitsForRetry(shortTime(nextAttemptAt));

customElements.define("lp-webhook", WebhookRoom);
