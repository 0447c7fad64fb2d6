/** Keys, independent of the keyboard's layout. */

/**
 * The Latin letter of a key, by its position on layouts without Latin letters.
 * @param {KeyboardEvent} event
 */
export function letterOf({ key, code }) {
  return (/^[a-z]$/i.test(key) ? key : (code?.match(/^Key([A-Z])$/)?.[1] ?? key)).toLowerCase();
}

/**
 * Whether keys typed there are text.
 * @param {EventTarget | null} target
 */
export function isTyping(target) {
  return target instanceof HTMLElement && (
    target.isContentEditable
      || target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])")
  );
}
