// Polling: <div data-poll-url="..." data-poll-seconds="3">. The server renders one fragment for the page and for the
// poll. 204 and 304 change nothing; 286 ends the polling.
import { ask } from "./fetch.js";

const SLOWEST = 60_000;
const STOP = 286;

/** Repeats a request while the tab is visible; less often after failures. */
export class Poller {
  /** @param {number} seconds */
  constructor(seconds) {
    this.pause = Math.max(1, seconds) * 1000;
    this.failures = 0;
    this.timer = 0;
    this.busy = false;
    this.again = false;
    this.ended = false;
    this.onVisible = () => (document.hidden ? clearTimeout(this.timer) : void this.now());
    document.addEventListener("visibilitychange", this.onVisible);
    this.schedule();
  }

  /** Request again after the interval; failures double it, up to a minute. */
  schedule() {
    clearTimeout(this.timer);
    if (this.ended || document.hidden) return;
    const wait = Math.min(SLOWEST, this.pause * 2 ** this.failures);
    this.timer = window.setTimeout(() => void this.now(), wait);
  }

  /** Request at once, or after the response of a pending request. */
  async now() {
    this.again = this.busy;
    if (this.ended || this.busy) return;
    this.busy = true;
    try {
      await this.request();
    } catch (error) {
      this.failed(error);
    } finally {
      this.busy = false;
      if (this.again) void this.now();
      else this.schedule();
    }
  }

  /** Send one request and handle its response. */
  async request() {}

  /** @param {unknown} _error */
  failed(_error) {
    this.failures += 1;
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.onVisible);
  }
}

/** Polls the fragment of one element. */
class FragmentPoller extends Poller {
  /** @param {HTMLElement} element */
  constructor(element) {
    super(Number(element.dataset.pollSeconds) || 3);
    this.element = element;
    this.url = element.dataset.pollUrl ?? "";
    this.etag = "";
  }

  async request() {
    if (!this.element.isConnected) return this.end();
    await this.receive(await ask(this.url, { headers: this.headers() }));
  }

  headers() {
    const headers = { "HX-Request": "true", "HX-Target": this.element.id };
    return this.etag ? { ...headers, "If-None-Match": this.etag } : headers;
  }

  /** @param {Response} response */
  async receive(response) {
    if (response.redirected) return this.end();
    if ([401, 403, 404, 410].includes(response.status)) {
      this.failed(response);
      return this.end();
    }
    if (response.status >= 400) return this.failed(response);
    this.fresh();
    if (response.status === 200 || response.status === STOP) {
      this.etag = response.headers.get("ETag") ?? "";
      show(this.element, await response.text());
    }
    if (response.status === STOP) this.end();
  }

  fresh() {
    this.failures = 0;
    delete this.element.dataset.stale;
  }

  /**
   * Mark the element as stale: values without a mark look current.
   * @param {unknown} error
   */
  failed(error) {
    super.failed(error);
    if (this.element.dataset.stale) return;
    const since = new Date().toISOString().slice(11, 19);
    const words = document.documentElement.dataset.staleWords ?? "No connection since {time} UTC";
    this.element.dataset.stale = words.replace("{time}", since);
  }

  end() {
    super.end();
    pollers.delete(this.element);
    this.element.dispatchEvent(new CustomEvent("benchlab:ended", { bubbles: true }));
  }
}

/** @type {Map<HTMLElement, FragmentPoller>} */
const pollers = new Map();

/**
 * Return false for attributes that the user changed since rendering, such as an opened group of rows.
 * @param {string} name of the attribute
 * @param {Element} element as it is in the page
 */
function mayChange(name, element) {
  // The script sets it where a table scrolls; the server's HTML never has it.
  if (name === "tabindex" && element.matches(".table-responsive")) return false;
  if (name !== "checked" || !(element instanceof HTMLInputElement)) return true;
  return element.checked === element.defaultChecked;
}

/**
 * Replace the content of an element; focus, selection and opened groups stay.
 * @param {HTMLElement} element
 * @param {string} html rendered by benchlab's own templates
 */
export function show(element, html) {
  const callbacks = { beforeAttributeUpdated: mayChange };
  window.Idiomorph.morph(element, html, { morphStyle: "innerHTML", ignoreActiveValue: true, callbacks });
  window.htmx?.process(element);
  element.dispatchEvent(new CustomEvent("benchlab:inserted", { bubbles: true }));
}

/**
 * Start polling below `root`, once for each element.
 * @param {ParentNode} root
 */
export function startPolling(root) {
  for (const element of root.querySelectorAll("[data-poll-url]")) {
    if (element instanceof HTMLElement && !pollers.has(element)) {
      pollers.set(element, new FragmentPoller(element));
    }
  }
}

/**
 * Request an element's fragment at once, for example after a change of state.
 * @param {HTMLElement} element
 */
export function pollNow(element) {
  void pollers.get(element)?.now();
}
