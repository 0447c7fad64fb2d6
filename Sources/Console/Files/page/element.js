/** Elements made without markup: whatever an editor wrote is text. */

const SVG = "http://www.w3.org/2000/svg";
/** Set as properties, because the attribute only gives the first value. */
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
 * @param {string} name
 * @param {Record<string, any>} attributes `on` has listeners by event, `style` custom properties; null, undefined and false leave an
 * attribute out
 * @param {...(Node | string | number | null | undefined | false | any[])} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, { on = {}, style = {}, ...attributes }, children) {
  for (const [event, listener] of Object.entries(on)) made.addEventListener(event, listener);
  for (const [property, value] of Object.entries(style)) made.style.setProperty(property, value);
  made.append(...nodes(children));
  for (const [attribute, value] of Object.entries(attributes)) setAttribute(made, attribute, value);
  return made;
}

export function setAttribute(target, attribute, value) {
  if (PROPERTIES.has(attribute)) target[attribute] = value ?? false;
  else if (value === null || value === undefined || value === false) target.removeAttribute(attribute);
  else target.setAttribute(attribute, value === true ? "" : String(value));
}

function nodes(children) {
  return children.flat(Infinity).filter(
    (child) => child !== null && child !== undefined && child !== false,
  ).map((child) => (child instanceof Node ? child : String(child)));
}

export function replaceChildren(parent, ...children) {
  parent.replaceChildren(...nodes(children));
}

let numbers = 0;

/** An id that no other element has, for labels and descriptions. */
export const uniqueID = (prefix) => `${prefix}-${++numbers}`;
