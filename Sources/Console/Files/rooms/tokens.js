/** The stored tokens: make one, see its secret once, revoke it. */
import { path, post, remove } from "../api/client.js";
import { page } from "../api/lists.js";
import { Problem } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { announce } from "../page/announcements.js";
import { button, emptyPlace, field } from "../page/controls.js";
import { ask, confirm } from "../page/dialog.js";
import { element } from "../page/element.js";
import { longTime, readTime, timeElement, zoneName } from "../page/format.js";
import { pagedList } from "../page/paged-list.js";
import { Room } from "../page/room.js";
import { showSecret } from "../page/secret.js";
import { strings } from "../strings.js";

const ROLES = ["reader", "editor", "publisher", "owner"];

class TokensRoom extends Room {
  async open() {
    const refused = refusal("owner");
    if (refused) return this.show(strings.navigation.tokens, emptyPlace(refused));
    const first = await page("/tokens", { signal: this.signal });
    const rows = element("tbody", {});
    const more = pagedList(first, (cursor) => page("/tokens", { cursor, signal: this.signal }), (token) => this.#row(token), {}, { rows });
    const table = element(
      "table",
      { "aria-label": strings.navigation.tokens },
      element("thead", {}, element("tr", {}, ...strings.tokens.columns.map((name) => element("th", { scope: "col" }, name)))),
      rows,
    );
    const add = button(strings.tokens.add, () => this.#add(), { kind: "primary" });
    this.show(strings.navigation.tokens, element("div", { class: "room-actions" }, add),
      first.items.length === 0 ? emptyPlace(strings.tokens.empty) : element(
        "div",
        { class: "scroller", tabindex: 0, role: "region", "aria-label": strings.tokens.table },
        table,
      ), more);
  }

  #row(token) {
    const revoke = button(
      strings.tokens.revoke,
      () => this.#revoke(token),
      { kind: "quiet", label: strings.tokens.revokeNamed(token.name) },
    );
    return element("tr", {}, element("td", { dir: "auto" }, token.name), element("td", {}, token.role), element(
      "td",
      {},
      token.apps?.join(", ") ?? strings.tokens.everyApp,
    ),
      element("td", {}, timeElement(token.createdAt)), element(
        "td",
        {},
        token.expiresAt ? longTime(token.expiresAt) : strings.tokens.never,
      ), element("td", {}, revoke));
  }

  #add() {
    const role = field(strings.tokens.role, { tag: "select" });
    role.input.append(...ROLES.map((name) => element("option", { value: name }, strings.tokens.roles[name])));
    const fields = {
      name: field(strings.tokens.name, { required: true, hint: strings.tokens.nameHint }),
      role,
      apps: field(strings.tokens.apps, { hint: strings.tokens.appsHint }),
      expiresAt: field(strings.tokens.expires, { hint: strings.tokens.expiresHint(zoneName()), placeholder: "2027-12-31 18:00" }),
    };
    ask(strings.tokens.add, fields, strings.tokens.create, async ({ name, role: chosen, apps, expiresAt }) => {
      const time = expiresAt === "" ? null : readTime(expiresAt);
      if (expiresAt !== "" && !time) throw new Problem(
        422,
        { detail: "", violations: [{ path: "expiresAt", message: strings.publish.noTime }] },
      );
      const { body } = await post(
        "/tokens",
        {
          name,
          role: chosen,
          apps: apps ? apps.split(/[\s,]+/).filter(Boolean) : null,
          expiresAt: time?.toISOString().replace(".000Z", "Z") ?? null,
        },
      );
      await this.open();
      showSecret(strings.tokens.secretTitle(name), strings.tokens.secretText, body.token);
    });
  }

  #revoke(token) {
    confirm(strings.tokens.revokeNamed(token.name), strings.tokens.revokeText, strings.tokens.revoke, async () => {
      await remove(path`/tokens/${token.id}`);
      announce(strings.tokens.revoked(token.name));
      await this.open();
    }, { kind: "danger" });
  }
}

customElements.define("lp-tokens", TokensRoom);
