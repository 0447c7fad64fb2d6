/** Version, database and session. */
import { get } from "../api/client.js";
import { session } from "../api/session.js";
import { button } from "../page/controls.js";
import { element } from "../page/element.js";
import { shortTime, timeElement } from "../page/format.js";
import { Room } from "../page/room.js";
import { row, table } from "../page/table.js";
import { showKeys } from "../shell/keys.js";
import { strings } from "../strings.js";

class AboutRoom extends Room {
  async open() {
    const { body } = await get("/about", { signal: this.signal });
    const me = session();
    const last = body.database.migrations.at(-1);
    const engine = `${strings.about.engines[body.engine] ?? body.engine} ${body.engineVersion}`;
    // The engine's version is shown already.
    const libraries = Object
      .entries(body.libraries)
      .filter(([name]) => name !== body.engine)
      .map(([name, version]) => [strings.about.libraries[name] ?? name, version]);
    const rows = body.database.migrations.map((migration) =>
      row(
        strings.about.migrationColumns,
        [migration.number, element("code", {}, migration.name), timeElement(migration.appliedAt)],
      ));
    this.show(
      strings.navigation.about,
      element("h2", {}, strings.about.service),
      facts([
        [strings.about.version, body.version],
        [strings.about.database, engine],
        [strings.about.migration, last && strings.about.migrationOf(last)],
        ...libraries,
      ]),
      element(
        "details", {}, element("summary", {}, strings.about.migrations),
        table(strings.about.migrations, strings.about.migrationColumns, element("tbody", {}, ...rows)),
      ),
      element("h2", {}, strings.about.session),
      facts([
        [strings.about.signedInAs, element("bdi", {}, me.name)],
        [strings.about.role, me.role],
        [strings.about.apps, me.apps?.join(", ") ?? strings.tokens.everyApp],
        [strings.about.until, shortTime(me.expiresAt)],
      ]),
      element("p", {}, strings.about.text, " ", element("a", { href: "/openapi.yaml" }, strings.about.openapi)),
      button(strings.about.keys, showKeys),
    );
  }
}

const facts = (list) => element(
  "dl", { class: "facts" }, ...list.flatMap(([term, fact]) => [element("dt", {}, term), element("dd", {}, fact)]),
);

customElements.define("lp-about", AboutRoom);
