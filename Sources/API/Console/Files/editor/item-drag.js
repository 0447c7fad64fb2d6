/**
 * Drags an item: by its head with a mouse or a pen, by its handle with a finger, so that fingers can still scroll the
 * page. The item takes the place of the item that it is dropped on. Escape cancels.
 */

/** Distance from the window's edge, in pixels, at which the page scrolls. At the top, the toolbar's height is added. */
const EDGE = 60;
const THRESHOLD = 5;

/** @param {HTMLElement} list of items with heads @param {(from: number, to: number) => void} move */
export function installDrag(list, move) {
  /** @type {{dragged: Element, from: number, to: number | null, y: number, start: number, pointer: number} | null} */
  let drag = null;

  list.addEventListener("pointerdown", (event) => {
    const target = /** @type {Element} */ (event.target);
    const isHandle = target.closest(".handle") !== null;
    const mayBegin = isHandle
      || (event.pointerType !== "touch" && target.closest(".item-head") && !target.closest("button"));
    if (!mayBegin || event.button !== 0 || list.classList.contains("fixed")) return;
    const dragged = target.closest(".items > li");
    if (!dragged) return;
    drag = {
      dragged, from: placeOf(dragged), y: event.clientY, start: event.clientY, to: null, pointer: event.pointerId,
    };
  });

  list.addEventListener("pointermove", (event) => {
    if (drag === null || drag.pointer !== event.pointerId) return;
    drag.y = event.clientY;
    if (drag.to === null) {
      if (Math.abs(drag.y - drag.start) < THRESHOLD) return;
      list.setPointerCapture(drag.pointer);
      drag.dragged.classList.add("dragged");
      document.addEventListener("keydown", giveUp);
      requestAnimationFrame(scrollAlong);
    }
    mark(drag);
  });

  list.addEventListener("pointerup", () => end(true));
  list.addEventListener("pointercancel", () => end(false));

  const placeOf = (/** @type {Element} */ child) => [...list.children].indexOf(child);

  /** @param {NonNullable<typeof drag>} going */
  function mark(going) {
    const found = [...list.children].findIndex((child) => going.y < child.getBoundingClientRect().bottom);
    const to = (going.to = found < 0 ? list.children.length - 1 : found);
    [...list.children].forEach((child, place) => {
      child.classList.toggle("drop-before", place === to && place < going.from);
      child.classList.toggle("drop-behind", place === to && place > going.from);
    });
  }

  function scrollAlong() {
    if (drag === null) return;
    const top = (/** @type {HTMLElement | null} */ (document.querySelector(".bar"))?.offsetHeight ?? 0) + EDGE;
    const way = drag.y < top ? drag.y - top : Math.max(0, drag.y - (innerHeight - EDGE));
    if (way !== 0) {
      scrollBy(0, way / 4);
      mark(drag);
    }
    requestAnimationFrame(scrollAlong);
  }

  /** @param {KeyboardEvent} event */
  function giveUp(event) {
    if (event.key === "Escape") end(false);
  }

  /** @param {boolean} isDrop */
  function end(isDrop) {
    if (drag === null) return;
    const { from, to } = drag;
    drag = null;
    document.removeEventListener("keydown", giveUp);
    for (const child of list.children) child.classList.remove("dragged", "drop-before", "drop-behind");
    if (isDrop && to !== null && to !== from) move(from, to);
  }
}
