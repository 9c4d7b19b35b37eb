// The live part of a run's page: what the tool and the device said, second by second, on one time axis.
// Entries are kept by attempt and second, so one that comes twice (a new worker reads the files again) is one point.
import { askJson, RequestError } from "../lib/fetch.js";
import { Poller, pollNow } from "../lib/polling.js";
import { LivePanels } from "./run_live_panels.js";

const LOG_PIECES = 200;

/** What is known of one attempt. */
export class AttemptView {
  constructor() {
    /** @type {Record<string, Map<string, Map<number, number>>>} panel -> line -> second -> value */
    this.lines = {};
    /** @type {{offset: number, end: number, text: string}[]} pieces of stderr by their places, in bytes */
    this.log = [];
  }

  /**
   * @param {string} panel
   * @param {string} line
   * @param {number} second
   * @param {unknown} value
   */
  add(panel, line, second, value) {
    if (typeof value !== "number") return;
    this.lines[panel] ??= new Map();
    const points = this.lines[panel].get(line) ?? new Map();
    points.set(Math.round(second * 100) / 100, value);
    this.lines[panel].set(line, points);
  }

  /**
   * A piece takes the place of those it overlaps: who reads again may cut elsewhere, and goes on to the end.
   * @param {{offset: number, end: number, text: string}} piece
   */
  addLog(piece) {
    this.log = this.log.filter((known) => known.end <= piece.offset || known.offset >= piece.end);
    this.log.push(piece);
    this.log.sort((a, b) => a.offset - b.offset);
    this.log = this.log.slice(-LOG_PIECES);
  }
}

class LivePage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Map<string, AttemptView>} */
    this.attempts = new Map();
    this.shown = "";
    this.selectedHost = "";
    this.pending = 0;
    this.panels = new LivePanels(root);
    this.pick = /** @type {HTMLSelectElement} */ (root.querySelector("[data-live-pick]"));
    this.pick.addEventListener("change", () => this.choose(this.pick.value));
    document.getElementById("run-status")?.addEventListener("benchlab:inserted", () => this.follow());
    document.addEventListener("benchlab:theme", () => this.draw());
    this.follow();
    new LiveFigures(this, root.dataset.liveUrl ?? "");
  }

  /** @param {{kind: string, data: any}[]} entries */
  receive(entries) {
    for (const { kind, data } of entries) {
      if (kind === "sample") this.sample(data);
      else if (kind === "device") this.device(data);
      else if (kind === "log") this.log(data);
    }
    if (entries.some(({ kind }) => kind === "state")) this.refresh();
    this.say(this.attempts.size ? "" : (this.root.dataset.wordsWait ?? ""));
  }

  /** @param {any} data */
  sample(data) {
    const view = this.view(data.attempt);
    for (const [operation, figures] of Object.entries(data.operations ?? {})) {
      for (const panel of ["iops", "bandwidth", "latency"]) {
        view.add(panel, operation, data.t, /** @type {any} */ (figures)[panel]);
      }
    }
    this.scheduleDraw();
  }

  /** @param {any} data */
  device(data) {
    const view = this.view(data.attempt);
    view.add("utilisation", data.name, data.t, data.utilisation);
    view.add("queue", data.name, data.t, data.queue);
    this.scheduleDraw();
  }

  /** @param {any} data */
  log(data) {
    this.view(data.attempt).addLog(data);
    this.scheduleDraw();
  }

  /** @param {string} attempt */
  view(attempt) {
    const view = this.attempts.get(attempt) ?? new AttemptView();
    this.attempts.set(attempt, view);
    if (!this.shown) this.shown = attempt;
    return view;
  }

  /** Refresh the polled parts of the page at once. */
  refresh() {
    for (const id of ["run-status", "run-cases", "run-facts", "run-events"]) {
      const element = document.getElementById(id);
      if (element) pollNow(element);
    }
  }

  ended() {
    this.refresh();
    this.say(this.root.dataset.wordsEnded ?? "");
  }

  /** Show what runs now on the selected host, as the status part says. */
  follow() {
    const rows = [...document.querySelectorAll("#run-status [data-attempt]")].filter(
      (row) => row instanceof HTMLElement,
    );
    const row = rows.find((each) => each.dataset.host === this.selectedHost) ?? rows[0];
    this.offer(rows.map((each) => each.dataset.host ?? ""));
    const attempt = row?.dataset.attempt ?? this.shown;
    if (attempt === this.shown) return;
    this.shown = attempt;
    for (const known of this.attempts.keys()) {
      if (!rows.some((each) => each.dataset.attempt === known)) this.attempts.delete(known);
    }
    this.scheduleDraw();
  }

  /** @param {string[]} hosts */
  offer(hosts) {
    this.pick.hidden = hosts.length < 2;
    const known = [...this.pick.options].map((option) => option.value);
    if (known.join() !== hosts.join()) {
      this.pick.replaceChildren(...hosts.map((host) => new Option(host, host)));
    }
    if (this.selectedHost && hosts.includes(this.selectedHost)) this.pick.value = this.selectedHost;
  }

  /** @param {string} host */
  choose(host) {
    this.selectedHost = host;
    this.follow();
  }

  /** Draw at most once a frame: the first response has many entries. */
  scheduleDraw() {
    if (this.pending) return;
    this.pending = window.requestAnimationFrame(() => {
      this.pending = 0;
      this.draw();
    });
  }

  draw() {
    const view = this.attempts.get(this.shown) ?? new AttemptView();
    const some = this.panels.draw(this.shown, view.lines, this.medians());
    this.say(some ? "" : (this.root.dataset.wordsWait ?? ""));
    this.showLog(view.log.map((piece) => piece.text).join(""));
  }

  /** @returns {Record<string, Record<string, number>>} panel -> line -> median of earlier repeats */
  medians() {
    const row = document.querySelector(`#run-status [data-attempt="${this.shown}"]`);
    return row instanceof HTMLElement ? JSON.parse(row.dataset.medians ?? "{}") : {};
  }

  /** @param {string} text */
  showLog(text) {
    const box = /** @type {HTMLElement} */ (this.root.querySelector("[data-live-log]"));
    const log = /** @type {HTMLElement} */ (box.querySelector("pre"));
    box.hidden = !text;
    if (log.textContent === text) return;
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 24;
    log.textContent = text;
    if (atEnd) log.scrollTop = log.scrollHeight;
  }

  /** @param {string} words */
  say(words) {
    const note = /** @type {HTMLElement} */ (this.root.querySelector("[data-live-note]"));
    if (note.textContent !== words) note.textContent = words;
    note.hidden = !words;
  }
}

/** The entries after the last one, every second, until the run has ended. */
class LiveFigures extends Poller {
  /**
   * @param {LivePage} page
   * @param {string} url
   */
  constructor(page, url) {
    super(1);
    this.page = page;
    this.url = url;
    this.last = "";
    void this.now();
  }

  async request() {
    const query = this.last ? `?after=${this.last}` : "";
    const answer = await askJson(this.url + query, { headers: { "HX-Request": "true" } });
    this.failures = 0;
    this.last = answer.last;
    this.page.receive(answer.entries);
    if (!answer.ended) return;
    this.page.ended();
    this.end();
  }

  /** @param {unknown} error */
  failed(error) {
    super.failed(error);
    this.page.say(this.page.root.dataset.wordsGone ?? "");
    if (error instanceof RequestError && [401, 403, 404, 410].includes(error.status)) this.end();
  }
}

const root = document.getElementById("live");
if (root) new LivePage(root);
