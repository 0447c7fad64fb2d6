/** What a key means, whatever the keyboard's layout is. */

/**
 * The Latin letter of a key: what it writes, or, on a layout without Latin letters, where it is on the keyboard.
 * @param {KeyboardEvent} event
 */
export function letterOf({ key, code }) {
  return (/^[a-z]$/i.test(key) ? key : (code?.match(/^Key([A-Z])$/)?.[1] ?? key)).toLowerCase();
}

/**
 * Whether keys are text there.
 * @param {EventTarget | null} target
 */
export function isTyping(target) {
  return target instanceof HTMLElement && (
    target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])")
  );
}
