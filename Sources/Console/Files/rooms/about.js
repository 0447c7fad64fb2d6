/** Which service this is, and who is signed in. */
import { get } from "../api/client.js";
import { refusal, session } from "../api/session.js";
import { element } from "../page/element.js";
import { longTime } from "../page/format.js";
import { Room } from "../page/room.js";
import { strings } from "../strings.js";

class AboutRoom extends Room {
  async open() {
    const me = session();
    const facts = [
      [strings.about.signedInAs, `${me.name} (${me.role})`],
      [strings.about.until, longTime(me.expiresAt)],
      [strings.about.apps, me.apps?.join(", ") ?? strings.tokens.everyApp],
    ];
    if (!refusal("owner", { everyApp: true })) {
      const { body } = await get("/nodes", { signal: this.signal });
      facts.unshift([strings.about.version, [...new Set(body.items.map(({ version }) => version))].join(", ")]);
    }
    facts.push(...(await buildFacts(this.signal)));
    this.show(strings.navigation.about, element(
      "dl",
      { class: "facts" },
      ...facts.flatMap(([term, fact]) => [element("dt", {}, term), element("dd", {}, fact)]),
    ),
      element("p", {}, strings.about.text), element("p", {}, element("a", { href: "/openapi.yaml" }, strings.about.openapi)));
  }
}

/** What the metrics say of the build: `longpress_build_info{version="…",sqlite="…"}`. They are of this listener, like the console. */
async function buildFacts(signal) {
  const response = await fetch("/metrics", { signal }).catch(() => null);
  if (!response?.ok) return [];
  const text = await response.text();
  const labels = [
    ...(text.match(/^longpress_build_info\{(.*)\}/m)?.[1] ?? "").matchAll(/(\w+)="([^"]*)"/g),
  ].filter(([, name]) => name !== "version");
  return labels.map(([, name, value]) => [strings.about.libraries[name] ?? name, value]);
}

customElements.define("lp-about", AboutRoom);
