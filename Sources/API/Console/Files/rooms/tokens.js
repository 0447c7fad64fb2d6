/** The stored tokens: create one, see its secret once, revoke one. */
import { path, post, remove } from "../api/client.js";
import { all, page } from "../api/lists.js";
import { Problem } from "../api/problem.js";
import { refusal, session } from "../api/session.js";
import { announce, guarded } from "../page/announcements.js";
import { button, choices, emptyPlace, field } from "../page/controls.js";
import { ask, confirm, showSecret } from "../page/dialog.js";
import { element } from "../page/element.js";
import { readTime, shortTime, timeElement, zoneName } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { row, table } from "../page/table.js";
import { strings } from "../strings.js";
import { namesOf } from "./webhooks.js";

const ROLES = ["reader", "editor", "publisher", "owner"];
/** An earlier expiry is shown as a warning. */
const SOON = 7 * 86_400_000;

class TokensRoom extends Room {
  async open() {
    const refused = refusal("owner");
    const add = button(strings.tokens.add, guarded(() => this.#add()), { kind: "primary", refusal: refused });
    const about = [
      element("p", { class: "hint" }, strings.tokens.about), element("div", { class: "room-actions" }, add),
    ];
    if (refused) return this.show(strings.navigation.tokens, about, emptyPlace(refused));
    const read = (cursor) => page("/tokens", { cursor, signal: this.signal });
    const first = await read();
    const rows = element("tbody", {});
    const more = pagedList(first, read, (token) => this.#row(token), {}, { rows });
    this.show(
      strings.navigation.tokens,
      about,
      first.items.length === 0
        ? emptyPlace(strings.tokens.empty)
        : table(
          strings.navigation.tokens,
          [...strings.tokens.columns, element("span", { class: "aloud" }, strings.tokens.revoke)], rows,
        ),
      more,
    );
    this.querySelector("tr.found")?.scrollIntoView({ block: "center" });
  }

  #row(token) {
    const left = token.expiresAt ? Date.parse(token.expiresAt) - Date.now() : Infinity;
    const isMine = isOwn(token);
    const revoke = button(
      strings.tokens.revoke, () => this.#revoke(token), { label: strings.tokens.revokeNamed(token.name) },
    );
    const name = [
      element("span", { dir: "auto" }, token.name),
      token.owner !== token.name
        && [" ", element("span", { class: "hint", dir: "auto" }, strings.tokens.ownedBy(token.owner))],
      isMine && [" ", element("span", { class: "badge" }, strings.tokens.mine)],
      left <= 0 && [" ", element("span", { class: "badge exhausted" }, strings.tokens.expired)],
    ];
    const expires = !token.expiresAt
      ? strings.tokens.never
      : left > 0
      ? shortTime(token.expiresAt)
      : timeElement(token.expiresAt);
    return row(strings.tokens.columns, [
      name,
      token.role,
      token.apps?.join(", ") ?? strings.tokens.everyApp,
      timeElement(token.createdAt),
      element("span", { class: left > 0 && left < SOON ? "warning" : null }, expires),
      token.lastUsedAt ? [lastUse(token.lastUsedAt), " ", token.lastUsedFrom] : strings.tokens.never,
      revoke,
    ], { class: this.place.query.get("id") === token.id ? "found" : null });
  }

  async #add() {
    const apps = await all("/apps");
    const role = field(strings.tokens.role, { tag: "select" });
    role.input.append(...ROLES.map((name) => element("option", { value: name }, strings.tokens.roles[name])));
    const fields = {
      name: field(strings.tokens.name, { required: true, hint: strings.tokens.nameHint }),
      role,
      apps: choices(
        strings.tokens.apps, apps.map(({ app }) => app), { hint: strings.tokens.appsHint, names: namesOf(apps) },
      ),
      expiresAt: field(
        strings.tokens.expires, { hint: strings.tokens.expiresHint(zoneName()), placeholder: "2027-12-31 18:00" },
      ),
      owner: field(strings.tokens.owner, { hint: strings.tokens.ownerHint }),
    };
    ask(strings.tokens.add, fields, strings.tokens.create, async ({
      name, owner, role: chosen, apps: only, expiresAt,
    }) => {
      const time = expiresAt === "" ? null : readTime(expiresAt);
      if (expiresAt !== "" && !time) {
        throw new Problem(422, { detail: "", violations: [{ path: "expiresAt", message: strings.publish.noTime }] });
      }
      const { body } = await post("/tokens", {
        name,
        owner: owner || null,
        role: chosen,
        apps: only ? only.split("\n") : null,
        expiresAt: time?.toISOString().replace(".000Z", "Z") ?? null,
      }, { meanings: { conflict: strings.tokens.taken, forbidden: strings.tokens.limited } });
      await this.refresh();
      showSecret(strings.tokens.secretTitle(name), strings.tokens.secretText, body.token);
    });
  }

  #revoke(token) {
    const text = isOwn(token) ? strings.tokens.revokeMine : strings.tokens.revokeText;
    confirm(strings.tokens.revokeNamed(token.name), text, strings.tokens.revoke, async () => {
      await remove(path`/tokens/${token.id}`);
      announce(strings.tokens.revoked(token.name));
      await this.refresh();
    }, { kind: "danger" });
  }
}

/** The service stores the last use by the hour. */
const lastUse = (time) => (Date.now() - Date.parse(time) < 3_600_000 ? strings.tokens.lately : timeElement(time));

/** Whether the session belongs to the token. Names are unique. */
function isOwn(token) {
  return token.name === session()?.name;
}

customElements.define("lp-tokens", TokensRoom);
