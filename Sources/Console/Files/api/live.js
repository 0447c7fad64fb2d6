/** Tells a room that somebody has changed its app: from the live stream, or by asking now and then where the stream cannot be had. */
import { path } from "./client.js";
import { page } from "./lists.js";

const ASKING_EVERY = 15_000;

/** Revisions that this console has made: what comes back from the stream about them is no news. */
const own = new Set();

/** @param {string} app @param {number} revision */
export const noteOwn = (app, revision) => own.add(`${app} ${revision}`);
/** @param {string} app @param {number | undefined} revision */
export const isOwn = (app, revision) => own.has(`${app} ${revision}`);

/**
 * @typedef {{app: string, revision?: number, audience?: string, from?: string, until?: string | null, deleted?: boolean}} Change
 * @param {string} app @param {AbortSignal} signal ends it
 * @param {(change: Change) => void} changed
 */
export function follow(app, signal, changed) {
  const follower = new Follower(app, changed);
  const look = () => (document.visibilityState === "visible" && !signal.aborted ? follower.begin() : follower.end());
  document.addEventListener("visibilitychange", look, { signal });
  signal.addEventListener("abort", () => follower.end());
  look();
}

/** One stream while the page is seen: a browser has six connections to a host, and hidden pages would take them all. */
class Follower {
  #app;
  #changed;
  /** @type {EventSource | null} */
  #source = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /**
   * The app's revision as it was last heard of; null before that.
   * @type {number | null}
   */
  #known = null;

  /** @param {string} app @param {(change: Change) => void} changed */
  constructor(app, changed) {
    this.#app = app;
    this.#changed = changed;
  }

  begin() {
    if (this.#source || this.#timer) return;
    const source = (this.#source = new EventSource(`/v1/stream?${new URLSearchParams({ app: this.#app })}`));
    source.addEventListener("state", (event) => this.#hear({ revision: JSON.parse(event.data).apps?.[this.#app]?.revision }));
    source.addEventListener("changed", (event) => this.#tell(JSON.parse(event.data)));
    source.addEventListener("deleted", (event) => this.#tell({ ...JSON.parse(event.data), deleted: true }));
    source.addEventListener("error", () => {
      if (source === this.#source && source.readyState === EventSource.CLOSED) this.#askInstead();
    });
  }

  end() {
    this.#source?.close();
    clearInterval(this.#timer);
    this.#source = null;
    this.#timer = undefined;
  }

  #askInstead() {
    this.end();
    this.#timer = setInterval(() => this.#ask(), ASKING_EVERY);
    this.#ask();
  }

  async #ask() {
    try {
      const { items } = await page(path`/apps/${this.#app}/revisions`, { limit: 1 });
      this.#hear({ revision: items[0]?.revision ?? 0, audience: items[0]?.audience, from: items[0]?.version });
    } catch {
      // The next look may succeed; what the room itself does says what is wrong.
    }
  }

  /**
   * The revision that stands: news where it is another one than before.
   * @param {{revision: number, audience?: string, from?: string}} change
   */
  #hear(change) {
    if (this.#known !== null && change.revision !== this.#known) this.#changed({ app: this.#app, ...change });
    this.#known = change.revision;
  }

  /** @param {Change} change */
  #tell(change) {
    if (change.app !== this.#app) return;
    this.#known = change.revision ?? this.#known;
    this.#changed(change);
  }
}
