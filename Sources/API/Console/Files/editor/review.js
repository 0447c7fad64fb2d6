/** The review of a draft: its state in words, and the buttons that request and answer it. */
import { findReview, listDrafts, reviewDraft } from "../api/apps.js";
import { refusal, session as signedIn } from "../api/session.js";
import { announce } from "../page/announcements.js";
import { button, field } from "../page/controls.js";
import { ask } from "../page/dialog.js";
import { element, replaceChildren } from "../page/element.js";
import { clock } from "../page/format.js";
import { strings } from "../strings.js";

const [MOST_NAMED, MOST_COMMENTS] = [4, 3];
/** The live stream does not report reviews, so a visible page reads them again, in milliseconds. */
const READ_EVERY = 5000;

/** @param {string | null} name of a token or an owner */
const isMe = (name) => name !== null && [signedIn()?.name, signedIn()?.owner].includes(name);

/** @param {string | null} name @returns {Child} */
const who = (name) =>
  (name === null ? strings.review.someone : isMe(name) ? strings.review.You : element("bdi", {}, name));

/**
 * `qa, ana or ben`.
 * @param {string[]} names @param {string} last between the last two @returns {Child[]}
 */
export function among(names, last) {
  const shown = names.length > MOST_NAMED
    ? [...names.slice(0, MOST_NAMED - 1), strings.review.others]
    : names;
  return shown.flatMap((name, place) => [
    place > 0 && (place < shown.length - 1 ? ", " : last), isMe(name) ? strings.review.you : who(name),
  ]);
}

/** @param {Child[]} words for a place that takes no elements */
export const textOf = (words) => element("p", {}, ...words).textContent ?? "";

/**
 * Who changed a draft, or the set below it.
 * @param {News} news
 */
export const newsWords = ({ cause, by, at }) =>
  strings.conflict.news(cause, who(by), isMe(by), at === null ? null : clock(at));

/**
 * The state of a draft, and who saved it last.
 * @param {Omit<DraftReview, "required" | "incomplete">} review @returns {Child[]}
 */
export function reviewWords({ state, comment, by, at, approvals, mayApprove, savedBy, savedAt }) {
  const words = strings.review;
  const when = clock(at ?? savedAt);
  const said = comment ? [": “", element("bdi", {}, comment), "”"] : ".";
  return [
    state === "requested" && [
      words.waiting(among(mayApprove, words.or)), words.requested(who(by), when), said, " ",
    ],
    state === "changes" && [words.changed(who(by), when), said, " "],
    approvals.length > 0 && words.approvedBy(among(approvals.map(({ owner }) => owner), words.and)),
    state === "editing" || (savedBy !== by && !isMe(savedBy)) ? words.saved(who(savedBy), clock(savedAt)) : null,
  ];
}

/**
 * The number of approvals that a draft still needs.
 * @param {DraftReview | null} review @param {number} required
 */
export const missingApprovals = (review, required) =>
  Math.max(0, (review?.required ?? required) - (review?.approvals.length ?? 0));

/**
 * The others who may approve the draft.
 * @param {DraftReview | null} review
 */
export const otherApprovers = (review) => (review?.mayApprove ?? []).filter((name) => !isMe(name));

/**
 * Whether the person may approve the draft.
 * @param {Pick<DraftReview, "mayApprove"> | null} review
 */
export const mayAnswer = (review) => review !== null && review.mayApprove.some(isMe);

/**
 * Whether the person may ask for an approval that has a use.
 * @param {DraftReview | null} review
 */
const mayRequest = (review) => review !== null
  && !refusal("editor")
  && (review.state === "editing" || review.state === "changes")
  && (refusal("publisher") !== null || missingApprovals(review, 0) > 0);

/** @typedef {import("../api/apps.js").Where} Where */

/**
 * Reads again and again while the page is visible.
 * @param {AbortSignal} signal @param {() => unknown} read
 */
export function watch(signal, read) {
  const look = () => document.visibilityState === "visible" && read();
  const timer = setInterval(look, READ_EVERY);
  document.addEventListener("visibilitychange", look, { signal });
  signal.addEventListener("abort", () => clearInterval(timer));
}

export class Review extends EventTarget {
  #session;
  /** @type {Where} */
  #where;
  /** @type {string | null} */
  #tag = null;
  /** @type {DraftReview | null} */
  found = null;
  /**
   * The last request for changes, which stays until the draft is sent again.
   * @type {DraftReview | null}
   */
  #wish = null;

  /**
   * @param {DraftSession} session @param {import("../api/apps.js").SetName} place @param {() => unknown} open shows
   *   the draft to a reviewer
   * @param {AbortSignal} signal ends the reading
   */
  constructor(session, { app, version, audience }, open, signal) {
    super();
    this.#session = session;
    this.#where = [app, version, audience];
    this.words = element("p", { class: "review" });
    this.earlier = element("div", {});
    this.request = button(strings.review.request, () => this.ask());
    this.answer = button(strings.review.review, open);
    this.refresh();
    watch(signal, () => this.#look().catch(() => {}));
  }

  /** Whether an approval is the next step, before a publish. */
  get isNext() {
    return !this.request.hidden || this.found?.state === "requested" || missingApprovals(this.found, 0) > 0;
  }

  /** Reads the review, and the draft that somebody else saved, if the list of drafts has news. */
  async #look() {
    const [app, version, audience] = this.#where;
    const drafts = await listDrafts(app);
    const draft = drafts.find((each) => each.version === version && each.audience === audience);
    const { found } = this;
    const isSaved = draft?.savedAt !== found?.savedAt;
    const isReviewed = draft?.review.state !== found?.state || draft?.review.at !== found?.at
      || draft?.approvals.length !== found?.approvals.length;
    if (isSaved && !(draft && isMe(draft.by))) await this.#session.refresh();
    if (isSaved || isReviewed) await this.read();
  }

  /** The comments before the shown one, oldest first. */
  comments() {
    const shown = this.#shown;
    const earlier = (this.found?.comments ?? []).filter(({ at }) => at !== shown?.at).slice(-MOST_COMMENTS);
    return earlier.length > 0 && element("ul", { class: "comments", "aria-label": strings.review.comments },
      ...earlier.map(({ by, at, comment }) => element(
        "li", {}, who(by), " ", clock(at), ": “", element("bdi", {}, comment), "”",
      )));
  }

  get #shown() {
    const { found } = this;
    const isOwn = found?.state === "editing" && found.approvals.length === 0 && isMe(found.savedBy);
    if (found && this.#wish) return { ...this.#wish, savedBy: found.savedBy, savedAt: found.savedAt };
    return isOwn ? null : found;
  }

  async read() {
    const before = this.found;
    const found = await findReview(...this.#where).catch(() => before);
    if (JSON.stringify(found) === JSON.stringify(before)) return;
    this.found = found;
    if (found?.state !== "editing") this.#wish = found?.state === "changes" ? found : null;
    this.#show();
    this.dispatchEvent(new Event("change"));
    if (before?.state === "requested" && found?.state === "editing" && isMe(found.savedBy)) {
      announce(strings.review.isWithdrawn);
    }
    const isNews = before && found
      && (found.state !== before.state || found.approvals.length > before.approvals.length);
    const last = found?.approvals.at(-1)?.owner ?? found?.by ?? null;
    if (isNews && last !== null && !isMe(last)) announce(this.words.textContent ?? "");
  }

  /** Reads the review after the draft was saved, unless it is known to be the person's own work. */
  refresh() {
    const { tag } = this.#session.store;
    if (tag === null) this.found = null;
    const isKnown = tag === null || (this.found?.state === "editing" && isMe(this.found.savedBy));
    if (tag !== this.#tag && !isKnown) this.read();
    this.#tag = tag;
    this.#show();
  }

  #show() {
    const found = this.found;
    const shown = this.#shown;
    replaceChildren(this.words, shown && reviewWords(shown));
    replaceChildren(this.earlier, this.comments());
    this.words.className = `review ${shown?.state ?? ""}`;
    this.request.hidden = !mayRequest(found);
    this.answer.hidden = !mayAnswer(found) || (found?.state !== "requested" && missingApprovals(found, 0) === 0);
    this.request.className = this.request.hidden ? "" : "primary";
    this.answer.className = this.isNext ? "primary" : "";
  }

  /** Asks for an approval, with a comment. */
  ask() {
    const hint = textOf(strings.review.whoMay(among(otherApprovers(this.found), strings.review.or)));
    const comment = field(strings.review.comment, { maxlength: 200, hint });
    ask(strings.review.request, { comment }, strings.review.request, async (values) => {
      await this.#session.flush();
      await reviewDraft(...this.#where, "requested", values.comment);
      await this.read();
      announce(strings.review.isRequested);
    });
  }
}
