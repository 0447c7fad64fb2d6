/** The processes that serve from the database. */
import { get } from "../api/client.js";
import { refusal } from "../api/session.js";
import { emptyPlace } from "../page/controls.js";
import { element } from "../page/element.js";
import { timeElement } from "../page/format.js";
import { Room } from "../page/room.js";
import { strings } from "../strings.js";

class NodesRoom extends Room {
  async open() {
    const refused = refusal("owner", { everyApp: true });
    if (refused) return this.show(strings.navigation.nodes, emptyPlace(refused));
    const { body } = await get("/nodes", { signal: this.signal });
    const rows = body.items.map((node) => element("tr", {}, element(
      "td",
      {},
      element("code", {}, node.node),
    ), element("td", {}, node.version), element("td", {}, timeElement(node.startedAt)),
      element("td", {}, timeElement(node.seenAt)), element(
        "td",
        { class: "number" },
        strings.nodes.milliseconds(node.clockOffsetMs),
      ), element("td", { class: "number" }, node.changesBehind)));
    this.show(strings.navigation.nodes, element("p", { class: "hint" }, strings.nodes.about),
      element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": strings.nodes.table },
        element(
          "table",
          { "aria-label": strings.navigation.nodes },
          element("thead", {}, element("tr", {}, ...strings.nodes.columns.map((name) => element("th", { scope: "col" }, name)))),
          element("tbody", {}, ...rows),
        )));
  }
}

customElements.define("lp-nodes", NodesRoom);
