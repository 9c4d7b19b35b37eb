// A fragment that keeps itself fresh: <div data-poll-url="..." data-poll-seconds="3">. The server renders the
// same fragment for the page and for the poll; 204 and 304 change nothing, 286 is the last answer.
import { ask } from "./fetch.js";

const SLOWEST = 60_000;
const STOP = 286;

/** One element's polling: a timer that runs only while the tab is visible. */
class Poller {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.url = element.dataset.pollUrl ?? "";
    this.pause = Math.max(1, Number(element.dataset.pollSeconds) || 3) * 1000;
    this.failures = 0;
    this.etag = "";
    this.timer = 0;
    this.busy = false;
    this.ended = false;
    this.onVisible = () => (document.hidden ? clearTimeout(this.timer) : void this.now());
    document.addEventListener("visibilitychange", this.onVisible);
    this.later();
  }

  /** Ask again after the pause; after failures the pause doubles, up to a minute. */
  later() {
    clearTimeout(this.timer);
    if (this.ended || document.hidden) return;
    const wait = Math.min(SLOWEST, this.pause * 2 ** this.failures);
    this.timer = window.setTimeout(() => void this.now(), wait);
  }

  /** Ask at once, unless an answer is still on its way. */
  async now() {
    if (this.ended || this.busy) return;
    if (!this.element.isConnected) return this.end();
    this.busy = true;
    try {
      await this.receive(await ask(this.url, { headers: this.headers() }));
    } catch {
      this.failed();
    } finally {
      this.busy = false;
      this.later();
    }
  }

  headers() {
    const headers = { "HX-Request": "true", "HX-Target": this.element.id };
    return this.etag ? { ...headers, "If-None-Match": this.etag } : headers;
  }

  /** @param {Response} response */
  async receive(response) {
    if (response.redirected) return this.end();
    if ([401, 403, 404, 410].includes(response.status)) {
      this.failed();
      return this.end();
    }
    if (response.status >= 400) return this.failed();
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

  /** Old figures that look current are worse than none: say since when they are old. */
  failed() {
    this.failures += 1;
    if (this.element.dataset.stale) return;
    const since = new Date().toISOString().slice(11, 19);
    const words = document.documentElement.dataset.staleWords ?? "No connection since {time} UTC";
    this.element.dataset.stale = words.replace("{time}", since);
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.onVisible);
    pollers.delete(this.element);
    this.element.dispatchEvent(new CustomEvent("benchlab:ended", { bubbles: true }));
  }
}

/** @type {Map<HTMLElement, Poller>} */
const pollers = new Map();

/**
 * A box that somebody ticked since it was shown stays as they left it: a group of rows they opened.
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
 * Put a fragment into an element, keeping focus, selection and what somebody opened.
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
 * Start polling below `root` where it has not been started.
 * @param {ParentNode} root
 */
export function startPolling(root) {
  for (const element of root.querySelectorAll("[data-poll-url]")) {
    if (element instanceof HTMLElement && !pollers.has(element)) {
      pollers.set(element, new Poller(element));
    }
  }
}

/**
 * Ask for an element's fragment at once, for example after a live event.
 * @param {HTMLElement} element
 */
export function pollNow(element) {
  void pollers.get(element)?.now();
}
