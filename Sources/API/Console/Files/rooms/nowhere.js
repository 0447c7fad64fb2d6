/** The page for unknown addresses. */
import { element } from "../page/element.js";
import { Room } from "../page/room.js";
import { strings } from "../strings.js";

class NowhereRoom extends Room {
  async open() {
    this.show(strings.errors.noSuchPlace, element("p", {}, strings.errors.noSuchPlaceHint));
  }
}

customElements.define("lp-nowhere", NowhereRoom);
