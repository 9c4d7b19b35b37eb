// The panels of a live run: one small uPlot each, under one another on the same time axis.
import { colours } from "../lib/chart_theme.js";

const LINES = ["#4284f5", "#e07b00", "#1a9e78", "#d6457c", "#8a68e8", "#0098b0"];
const HEIGHT = 110;
const LABELS = 72;
/** A line of at most so many seconds shows its points: one second alone has no line. */
const MOST_POINTS = 30;

/** @typedef {[number, string][]} Steps how a figure is shown, by size: divisor and unit */
/** @type {Record<string, Steps>} */
const UNITS = {
  iops: [[1, "IOPS"]],
  bandwidth: document.documentElement.dataset.units === "decimal"
    ? [[1, "B/s"], [1e3, "kB/s"], [1e6, "MB/s"]]
    : [[1, "B/s"], [2 ** 10, "KiB/s"], [2 ** 20, "MiB/s"]],
  latency: [[1, "ns"], [1e3, "µs"], [1e6, "ms"], [1e9, "s"]],
  utilisation: [[1, "%"]],
  queue: [[1, "requests"]],
};
const ORDER = Object.keys(UNITS);

/** @returns {Promise<any>} uPlot */
function loadPlot(/** @type {string} */ url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve(/** @type {any} */ (window).uPlot);
    script.onerror = () => reject(new Error("uPlot"));
    document.head.append(script);
  });
}

/** @param {number} value */
function shown(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}

export class LivePanels {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Map<string, {plot: any, mark: string}>} */
    this.plots = new Map();
    /** @type {any} */
    this.uPlot = null;
    this.attempt = "";
    /** @type {Record<string, Map<string, Map<number, number>>>} */
    this.lines = {};
    /** @type {Record<string, Record<string, number>>} panel -> line -> median of earlier repeats */
    this.medians = {};
    new ResizeObserver(() => this.resize()).observe(root);
    loadPlot(root.dataset.uplot ?? "").then((uPlot) => {
      this.uPlot = uPlot;
      this.draw(this.attempt, this.lines, this.medians);
    });
  }

  /** @param {string} name */
  box(name) {
    return /** @type {HTMLElement} */ (this.root.querySelector(`[data-panel="${name}"]`));
  }

  /**
   * Draw what is known of an attempt; says whether that is anything.
   * @param {string} attempt
   * @param {Record<string, Map<string, Map<number, number>>>} lines
   * @param {Record<string, Record<string, number>>} medians
   */
  draw(attempt, lines, medians) {
    [this.attempt, this.lines, this.medians] = [attempt, lines, medians];
    const known = ORDER.filter((name) => (lines[name]?.size ?? 0) > 0);
    for (const name of ORDER) this.box(name).hidden = !known.includes(name);
    if (!this.uPlot) return known.length > 0;
    const end = Math.max(10, ...known.flatMap((name) => [...lines[name].values()].map(latest)));
    for (const name of known) this.drawPanel(name, lines[name], end, name === known.at(-1));
    return known.length > 0;
  }

  /**
   * @param {string} name
   * @param {Map<string, Map<number, number>>} lines
   * @param {number} end of the time axis, seconds
   * @param {boolean} last the panel that carries the time axis
   */
  drawPanel(name, lines, end, last) {
    const names = [...lines.keys()].sort();
    const [divisor, unit] = unitOf(name, lines);
    const medians = names.map((line) => this.medians[name]?.[line]);
    const data = table(names, lines, divisor);
    this.caption(name, names, data, unit, medians.map((value) => value && value / divisor));
    for (const value of medians) {
      if (value !== undefined) data.push(data[0].map(() => value / divisor));
    }
    const theme = colours(this.root);
    const mark = [this.attempt, names.join(), medians.join(), unit, last, theme.text, theme.grid].join("|");
    const known = this.plots.get(name);
    if (known?.mark === mark) {
      known.plot.setData(data, false);
      known.plot.setScale("x", { min: 0, max: end });
      return;
    }
    known?.plot.destroy();
    const place = /** @type {HTMLElement} */ (this.box(name).querySelector(".live-plot"));
    place.style.height = `${HEIGHT + (last ? 30 : 0)}px`;
    const plot = new this.uPlot(this.options(name, names, last, theme), data, place);
    plot.setScale("x", { min: 0, max: end });
    this.plots.set(name, { plot, mark });
  }

  /**
   * @param {string} name
   * @param {string[]} names
   * @param {boolean} last
   * @param {import("../lib/chart_theme.js").Colours} theme
   */
  options(name, names, last, theme) {
    const axis = { stroke: theme.text, grid: { stroke: theme.grid, width: 1 }, ticks: { show: false } };
    const top = name === "utilisation" ? 100 : 0;
    return {
      width: this.width(),
      height: HEIGHT + (last ? 30 : 0),
      legend: { show: false },
      cursor: { sync: { key: "live" }, y: false, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: (/** @type {any} */ _u, /** @type {number} */ low, /** @type {number} */ high) => [low, high] },
        y: { range: (/** @type {any} */ _u, /** @type {number} */ _low, /** @type {number} */ high) => [0, top || high * 1.08 || 1] },
      },
      axes: [
        { ...axis, show: true, size: last ? 36 : 4, values: last ? (/** @type {any} */ _u, /** @type {number[]} */ marks) => marks.map((m) => `${m} s`) : () => [] },
        { ...axis, size: LABELS, space: 30, values: (/** @type {any} */ _u, /** @type {number[]} */ marks) => marks.map(shown) },
      ],
      series: [
        {},
        ...names.map((label, i) => ({
          label, stroke: LINES[i % LINES.length], width: 1.75, spanGaps: true,
          points: { show: (/** @type {any} */ plot) => plot.data[0].length <= MOST_POINTS },
        })),
        ...names.flatMap((line, i) => this.medians[name]?.[line] === undefined ? [] : [{
          stroke: LINES[i % LINES.length], width: 1, dash: [6, 4], points: { show: false },
        }]),
      ],
    };
  }

  /**
   * The newest figures as words beside the panel's name.
   * @param {string} name
   * @param {string[]} names
   * @param {(number | null)[][]} data
   * @param {string} unit
   * @param {(number | undefined)[]} medians
   */
  caption(name, names, data, unit, medians) {
    const place = /** @type {HTMLElement} */ (this.box(name).querySelector(".live-unit"));
    const parts = names.map((label, i) => {
      const newest = data[i + 1].findLast((value) => value !== null);
      const key = document.createElement("i");
      key.style.background = LINES[i % LINES.length];
      const now = newest === undefined || newest === null ? label : `${label} ${shown(newest)} ${unit}`;
      const earlier = medians[i] === undefined ? "" : `, ${this.root.dataset.wordsMedian} ${shown(medians[i])} ${unit}`;
      const text = now + earlier;
      return [key, document.createTextNode(text)];
    });
    place.replaceChildren(...parts.flat());
  }

  width() {
    const panel = this.root.querySelector(".live-panels");
    return Math.max(240, panel?.clientWidth ?? 600);
  }

  resize() {
    for (const { plot } of this.plots.values()) {
      plot.setSize({ width: this.width(), height: plot.height });
    }
  }
}

/** @param {Map<number, number>} points */
function latest(points) {
  return Math.max(0, ...points.keys());
}

/**
 * @param {string} name
 * @param {Map<string, Map<number, number>>} lines
 */
function unitOf(name, lines) {
  let highest = 0;
  for (const points of lines.values()) {
    for (const value of points.values()) highest = Math.max(highest, value);
  }
  return UNITS[name].findLast(([divisor]) => highest >= divisor) ?? UNITS[name][0];
}

/**
 * uPlot's table: the seconds, then a column a line, null where a line has no value at that second.
 * @param {string[]} names
 * @param {Map<string, Map<number, number>>} lines
 * @param {number} divisor
 * @returns {(number | null)[][]}
 */
function table(names, lines, divisor) {
  const seconds = [...new Set([...lines.values()].flatMap((points) => [...points.keys()]))];
  seconds.sort((a, b) => a - b);
  const columns = names.map((line) => {
    const points = lines.get(line);
    return seconds.map((second) => {
      const value = points?.get(second);
      return value === undefined ? null : value / divisor;
    });
  });
  return [seconds, ...columns];
}
