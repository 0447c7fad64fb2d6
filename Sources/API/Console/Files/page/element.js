/** Makes elements without markup, so that text from editors stays text. */

const SVG = "http://www.w3.org/2000/svg";
/** Set as properties, because their attributes are only initial values. */
const PROPERTIES = new Set([
  "value",
  "checked",
  "selected",
  "disabled",
  "hidden",
  "open",
  "indeterminate",
  "htmlFor",
  "readOnly",
  "textContent",
]);

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes null, undefined and false omit the attribute
 * @param {...Child} children
 */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * @template {keyof SVGElementTagNameMap} Name @param {Name} name @param {Attributes} attributes
 * @param {...Child} children
 */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/**
 * @template {HTMLElement | SVGElement} Made @param {Made} made @param {Attributes} attributes @param {Child[]} children
 */
function filled(made, { on = {}, style = {}, ...attributes }, children) {
  for (const [event, listener] of Object.entries(on)) {
    made.addEventListener(event, /** @type {EventListener} */ (listener));
  }
  for (const [property, value] of Object.entries(style)) made.style.setProperty(property, value);
  made.append(...nodes(children));
  for (const [attribute, value] of Object.entries(attributes)) setAttribute(made, attribute, value);
  return made;
}

/** @param {any} target an element @param {string} attribute @param {any} value */
export function setAttribute(target, attribute, value) {
  if (PROPERTIES.has(attribute)) target[attribute] = value ?? false;
  else if (value === null || value === undefined || value === false) target.removeAttribute(attribute);
  else target.setAttribute(attribute, value === true ? "" : String(value));
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return /** @type {any[]} */ (children).flat(Infinity).filter(
    (child) => child !== null && child !== undefined && child !== false,
  ).map((child) => (child instanceof Node ? child : String(child)));
}

/** @param {Element} parent @param {...Child} children */
export function replaceChildren(parent, ...children) {
  parent.replaceChildren(...nodes(children));
}

/**
 * Longpress's icon, which the page names.
 * @param {number} size in pixels
 */
export const logo = (size) => {
  const link = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
  return element("img", { src: link.href, alt: "", width: size, height: size });
};

/**
 * Runs once when the element scrolls into view.
 * @param {Element} target @param {() => unknown} run @param {AbortSignal} signal
 */
export function whenSeen(target, run, signal) {
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    seen.disconnect();
    run();
  });
  seen.observe(target);
  signal.addEventListener("abort", () => seen.disconnect());
}

let numbers = 0;

/** A unique id, for labels and descriptions. */
export const uniqueID = (/** @type {string} */ prefix) => `${prefix}-${++numbers}`;
