/** The processes that share the database, and their state. */
import { get } from "../api/client.js";
import { isAbort } from "../api/problem.js";
import { refusal } from "../api/session.js";
import { emptyPlace } from "../page/controls.js";
import { element } from "../page/element.js";
import { timeElement } from "../page/format.js";
import { Room } from "../page/room.js";
import { row, table } from "../page/table.js";
import { strings } from "../strings.js";

/** Milliseconds between reads. */
const AGAIN = 5_000;
/** Milliseconds by which a clock may be off without a warning. */
const MOST_OFFSET = 1_000;

class NodesRoom extends Room {
  /** Each node as last seen while this room is open. The API does not list stopped nodes. */
  #known = new Map();

  async open() {
    const refused = refusal("owner", { everyApp: true });
    if (refused) {
      return this.show(
        strings.navigation.nodes, element("p", { class: "hint" }, strings.nodes.about), emptyPlace(refused),
      );
    }
    const rows = element("tbody", {});
    const count = element("p", { class: "hint" });
    await this.#read(rows, count);
    this.show(strings.navigation.nodes, count, table(strings.navigation.nodes, strings.nodes.columns, rows));
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") {
        this.#read(rows, count).catch(
          (error) => !isAbort(error) && error.status > 0 && error.status !== 401 && console.warn(error)
        );
      }
    }, AGAIN);
    this.signal.addEventListener("abort", () => clearInterval(timer));
  }

  async #read(rows, count) {
    const { body } = await get("/nodes", { signal: this.signal });
    const here = new Set(body.items.map(({ node }) => node));
    for (const node of body.items) this.#known.set(node.node, node);
    const said = strings.nodes.count(here.size);
    if (count.textContent !== said) count.textContent = said;
    rows.replaceChildren(...[...this.#known.values()].map((node) => this.#row(node, here.has(node.node))));
  }

  #row(node, isHere) {
    const { node: name, version, startedAt, seenAt, clockOffsetMs: offset, changesBehind: behind } = node;
    const clock = Math.abs(offset) > MOST_OFFSET ? strings.nodes.clockOff(offset) : strings.nodes.clockRight(offset);
    return row(strings.nodes.columns, [
      [element("code", {}, name), !isHere && [" ", element("span", { class: "badge exhausted" }, strings.nodes.gone)]],
      version,
      timeElement(startedAt),
      timeElement(seenAt),
      isHere && element("span", { class: Math.abs(offset) > MOST_OFFSET ? "warning" : null }, clock),
      isHere && element("span", { class: behind > 0 ? "warning" : null }, strings.nodes.behind(behind)),
    ]);
  }
}

customElements.define("lp-nodes", NodesRoom);
