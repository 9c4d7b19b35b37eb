// Server-sent events with a way back: the stream is closed while the tab is hidden, goes on after the last id,
// and after three errors in a row the page falls back to polling.

const TRIES = 3;

/**
 * @typedef {object} LiveOptions
 * @property {Record<string, (data: any, id: string) => void>} events what to do with each named event; the data
 *   is parsed JSON
 * @property {() => void} fallback called once when the stream is given up: start polling
 * @property {() => void} [opened] called each time the stream stands
 */

/** One stream. The server gets the last id as `?last_id=` because a new EventSource cannot set a header. */
export class LiveStream {
  /**
   * @param {string} url
   * @param {LiveOptions} options
   */
  constructor(url, options) {
    this.url = url;
    this.options = options;
    this.lastId = "";
    this.errors = 0;
    this.ended = false;
    /** @type {EventSource | null} */
    this.source = null;
    this.onVisible = () => (document.hidden ? this.close() : this.open());
    document.addEventListener("visibilitychange", this.onVisible);
    window.addEventListener("pagehide", () => this.close());
    this.open();
  }

  open() {
    if (this.source || this.ended || document.hidden) return;
    const url = new URL(this.url, location.href);
    if (this.lastId) url.searchParams.set("last_id", this.lastId);
    this.source = new EventSource(url);
    this.source.onopen = () => this.opened();
    this.source.onerror = () => this.failed();
    for (const name of Object.keys(this.options.events)) {
      this.source.addEventListener(name, (event) => this.receive(name, event));
    }
    this.source.addEventListener("end", () => this.end());
  }

  opened() {
    this.options.opened?.();
  }

  /**
   * @param {string} name
   * @param {MessageEvent} event
   */
  receive(name, event) {
    this.errors = 0;
    this.lastId = event.lastEventId || this.lastId;
    this.options.events[name](event.data ? JSON.parse(event.data) : null, this.lastId);
  }

  /** The browser tries again by itself, except after an HTTP error, where it closes the source. */
  failed() {
    this.errors += 1;
    const closed = this.source?.readyState === EventSource.CLOSED;
    if (this.errors >= TRIES) {
      this.end();
      this.options.fallback();
    } else if (closed) {
      this.close();
      window.setTimeout(() => this.open(), 1000 * this.errors);
    }
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  end() {
    this.ended = true;
    this.close();
    document.removeEventListener("visibilitychange", this.onVisible);
  }
}

/**
 * Follow a stream; returns it so that a page may end it.
 * @param {string} url
 * @param {LiveOptions} options
 */
export function live(url, options) {
  return new LiveStream(url, options);
}
