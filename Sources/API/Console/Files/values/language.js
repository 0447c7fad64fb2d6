/** Language tags as the service writes them (BCP 47 in canonical case, `_` read as `-`). The service checks them. */

/** @param {string} text */
export function canonicalTag(text) {
  const subtags = text.trim().replaceAll("_", "-").toLowerCase().split("-");
  const singleton = subtags.findIndex((subtag) => subtag.length === 1);
  return subtags
    .map((subtag, index) => {
      if (index === 0 || (singleton >= 0 && index > singleton) || !/^[a-z]+$/.test(subtag)) return subtag;
      if (subtag.length === 2) return subtag.toUpperCase();
      return subtag.length === 4 ? subtag[0].toUpperCase() + subtag.slice(1) : subtag;
    })
    .join("-");
}

/**
 * Whether a text could be a language tag, so that a typing mistake adds no row.
 * @param {string} text
 */
export function looksLikeTag(text) {
  return /^([a-z]{2,3}|[ix](?=[-_]))([-_][a-z0-9]{1,8})*$/i.test(text.trim());
}

const RIGHT_TO_LEFT = new Set([
  "ar", "arc", "ckb", "dv", "fa", "ha", "he", "khw", "ks", "ku", "ps", "sd", "ug", "ur", "yi",
]);

/**
 * The layout direction of iOS for a language.
 * @param {string} tag
 */
export function direction(tag) {
  if (/-(Arab|Hebr)\b/.test(tag)) return "rtl";
  if (/-Latn\b/.test(tag)) return "ltr";
  return RIGHT_TO_LEFT.has(tag.split("-")[0]) ? "rtl" : "ltr";
}

/**
 * The language's name, in English or in another language.
 * @param {string} tag
 */
export function languageName(tag, language = "en") {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Common languages of apps, which can be entered by name. */
const COMMON = (
  "en de fr es it pt pt-BR nl sv da nb fi pl cs sk hu ro bg el tr ru uk he ar fa hi bn ta th vi id ms ja ko zh-Hans "
  + "zh-Hant ca hr sl sr et lv lt"
).split(" ");

/**
 * The tag of a language by its name in English or in itself: `Korean`, `한국어`. Undefined for unknown names.
 * @param {string} name
 */
export function tagOfName(name) {
  const wanted = name.trim().toLowerCase();
  return COMMON.find(
    (tag) => [languageName(tag), languageName(tag, tag)].some((each) => each.toLowerCase() === wanted)
  );
}

/**
 * The tags of languages that are listed by name or by tag. A text that is neither stays as it is.
 * @param {string} text @param {string[]} known tags whose names the text may have
 */
export function listedTags(text, known = []) {
  const written = text.split(",").map((each) => each.trim()).filter(Boolean);
  return written.map(
    (each) => known.find((tag) => languageName(tag) === each) ?? tagOfName(each)
      ?? (looksLikeTag(each) ? canonicalTag(each) : each)
  );
}
