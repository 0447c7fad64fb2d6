/** Accepts dropped files. Each such place also has a button for files. */
/** @param {HTMLElement} place @param {(file: File) => unknown} take */
export function acceptsFiles(place, take) {
  const over = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    place.classList.add("dropping");
  };
  place.addEventListener("dragover", over);
  place.addEventListener("dragleave", () => place.classList.remove("dropping"));
  place.addEventListener("drop", (event) => {
    place.classList.remove("dropping");
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    for (const file of event.dataTransfer.files) take(file);
  });
}
