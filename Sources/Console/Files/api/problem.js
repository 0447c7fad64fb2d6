/** What the API refused, and why (RFC 9457). `message` is the API's sentence. */
export class Problem extends Error {
  /** @param {number} status 0 where no answer came @param {ProblemDocument} document */
  constructor(status, document) {
    super(document.detail || document.title || `The service answered ${status}.`);
    this.name = "Problem";
    this.status = status;
    this.code = (document.type ?? "").replace("/problems/", "");
    this.violations = document.violations ?? [];
    this.retryAfter = document.retryAfter ?? null;
  }

  /** Whether the same may succeed later: no answer came, or one that the service could not give by then. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/**
 * Whether a request was given up by the console itself, because its room was left.
 * @param {any} error
 */
export function isAbort(error) {
  return error?.name === "AbortError";
}
