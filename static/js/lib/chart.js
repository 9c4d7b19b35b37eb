// Charts: the server builds the figure, this module draws it with Plotly in the page's colours.
// Plotly (1.5 MB) is loaded by the first chart of a page.
import { askJson } from "./fetch.js";
import { download } from "./chart_files.js";
import { fitted } from "./chart_narrow.js";
import { colours, themed } from "./chart_theme.js";

/** @typedef {import("./chart_data.js").Figure} Figure */

const CONFIG = {
  showSendToCloud: false,
  plotlyServerURL: "",
  displaylogo: false,
  responsive: true,
  modeBarButtonsToRemove: ["toImage"], // the page's own buttons, below the chart, say what they give
};

/** @type {Map<string, Promise<any>>} a page with a surface needs a second bundle */
const bundles = new Map();

/**
 * @param {string} url
 * @returns {Promise<any>} Plotly as this bundle has it, or with this language
 */
function loadPlotly(url) {
  const known = bundles.get(url);
  if (known) return known;
  const loading = new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      bundles.delete(url);
      reject(new Error("plotly"));
    };
    document.head.append(script);
  });
  bundles.set(url, loading);
  return loading;
}

/** One chart element: fetches, draws, and draws again on zoom and change of theme. */
export class Chart {
  /** @param {HTMLElement} element the `.chart` of components/chart.html */
  constructor(element) {
    this.element = element;
    this.plot = /** @type {any} */ (element.querySelector(".chart-plot"));
    /** @type {Figure | null} */
    this.figure = null;
    this.range = /** @type {[string, string] | null} */ (null);
    this.requests = 0;
    this.listening = false;
    this.library = /** @type {any} */ (null);
    this.watching = new AbortController();
    const { signal } = this.watching;
    document.addEventListener("benchlab:theme", () => void this.draw(), { signal });
    this.part("[data-chart-retry]")?.addEventListener("click", () => void this.load(), { signal });
    for (const button of element.querySelectorAll("[data-chart-file]")) {
      button.addEventListener("click", () => void this.save(button), { signal });
    }
    this.reloadEvery(Number(element.dataset.reloadSeconds) || 0);
    void this.load();
  }

  /** @param {string} selector */
  part(selector) {
    return /** @type {HTMLElement | null} */ (this.element.querySelector(selector));
  }

  /** Fetch the figure and draw it. The answer to an earlier request is dropped. */
  async load() {
    const turn = ++this.requests;
    // On its way while the figure is: what fails here fails again, and is said, when it is drawn.
    loadPlotly(this.element.dataset.plotly ?? "").catch(() => {});
    try {
      const figure = await this.fetchFigure();
      if (turn !== this.requests) return;
      this.figure = figure;
      await this.draw();
      this.say("");
    } catch (error) {
      if (turn === this.requests) this.say(error instanceof Error ? error.message : String(error));
    }
  }

  /** @returns {Promise<Figure>} */
  async fetchFigure() {
    const { figureScript, figureUrl } = this.element.dataset;
    if (figureScript && !this.range) {
      return JSON.parse(document.getElementById(figureScript)?.textContent ?? "null");
    }
    const url = new URL(figureUrl ?? "", location.href);
    if (this.range) {
      url.searchParams.set("from", this.range[0]);
      url.searchParams.set("to", this.range[1]);
    }
    return askJson(url.href);
  }

  async draw() {
    if (!this.figure) return;
    if (!this.element.isConnected) return this.end();
    const { plotly, locale = "en", localeUrl } = this.element.dataset;
    const library = await loadPlotly(plotly ?? "");
    if (localeUrl) await loadPlotly(localeUrl); // registers itself
    this.library = library;
    const { data, layout, config } = this.figure;
    const shown = themed({ autosize: true, ...layout }, colours(this.element));
    if (this.range) keepRange(shown, this.range);
    this.plot.style.height = "";
    const fit = fitted(data, shown, { width: this.plot.clientWidth, height: this.plot.clientHeight });
    if (fit.more) this.plot.style.height = `${this.plot.clientHeight + fit.more}px`;
    await library.react(this.plot, fit.data, fit.layout, { ...config, ...CONFIG, locale });
    const files = this.part("[data-chart-files]");
    if (files) files.hidden = false;
    this.note();
    this.listen();
  }

  /** @param {Element} button names the kind of file */
  async save(button) {
    if (!this.figure || !this.library || !(button instanceof HTMLElement)) return;
    const { figure, plot, library } = this;
    const name = `benchlab-${this.element.id || "chart"}`;
    await download({ figure, plot, library, name, label: plot.ariaLabel ?? "" }, button.dataset.chartFile ?? "");
  }

  /** Zooming asks the server for the part in full detail; a double click asks for all again. */
  listen() {
    if (this.listening || this.element.dataset.zoom !== "1") return;
    this.listening = true;
    this.plot.on("plotly_relayout", (/** @type {Record<string, any>} */ change) => {
      const range = zoomedRange(change);
      if (range === undefined) return;
      this.range = range;
      void this.load();
    });
  }

  /** "N of M points shown": a figure that leaves points out says so. */
  note() {
    const { shown, total } = this.figure ?? {};
    const note = this.part(".chart-note");
    if (!note) return;
    const thinned = shown !== undefined && total !== undefined && shown < total;
    const words = this.element.dataset.note ?? "{shown} / {total}";
    const count = (/** @type {number} */ n) => n.toLocaleString("en-US");
    note.textContent = thinned
      ? words.replace("{shown}", count(shown)).replace("{total}", count(total))
      : "";
  }

  /** @param {string} problem empty: the chart stands */
  say(problem) {
    const loading = this.part("[data-chart-loading]");
    const failed = this.part("[data-chart-error]");
    const reason = this.part("[data-chart-reason]");
    if (loading) loading.hidden = true;
    if (failed) failed.hidden = !problem;
    if (reason) reason.textContent = problem;
  }

  /** @param {number} seconds 0: never */
  reloadEvery(seconds) {
    if (!seconds) return;
    const timer = window.setInterval(() => {
      if (!this.element.isConnected) this.end();
      else if (!document.hidden && !this.range) void this.load();
    }, seconds * 1000);
    this.watching.signal.addEventListener("abort", () => clearInterval(timer));
  }

  /** Free what hangs on the document; for an element that has left the page. */
  end() {
    this.watching.abort();
    if (this.listening || this.figure) this.library?.purge(this.plot);
  }
}

/**
 * The range of a zoom event: a pair, null for "all again", undefined for other changes.
 * @param {Record<string, any>} change
 * @returns {[string, string] | null | undefined}
 */
function zoomedRange(change) {
  if (change["xaxis.autorange"]) return null;
  const from = change["xaxis.range[0]"] ?? change["xaxis.range"]?.[0];
  const to = change["xaxis.range[1]"] ?? change["xaxis.range"]?.[1];
  return from === undefined || to === undefined ? undefined : [String(from), String(to)];
}

/**
 * The user's zoom wins over the figure's own range when the part has been fetched.
 * @param {Record<string, any>} layout
 * @param {[string, string]} range
 */
function keepRange(layout, range) {
  layout.xaxis = { ...layout.xaxis, range: [...range], autorange: false };
}

/** @type {WeakMap<Element, Chart>} */
const charts = new WeakMap();

/**
 * Draw what is there; Plotly is loaded while the answers that charts wait for are worked out.
 * @param {ParentNode} root
 */
export function startCharts(root) {
  for (const element of root.querySelectorAll("[data-chart-soon]")) {
    if (element instanceof HTMLElement) loadPlotly(element.dataset.chartSoon ?? "").catch(() => {});
  }
  for (const element of root.querySelectorAll("[data-chart]")) {
    if (element instanceof HTMLElement && !charts.has(element)) charts.set(element, new Chart(element));
  }
}

/**
 * The chart of an element, for a page that changes its address and reloads it.
 * @param {Element} element
 */
export function chartOf(element) {
  return charts.get(element);
}
