// Charts on a phone: a legend of many or long names goes below the plot and takes room of its own;
// long names beside an axis are folded, and few numbers stand along the bottom, none of them tilted.

/** @typedef {import("./chart_data.js").Part} Part */

const NARROW = 480; // pixels of the plot
// Pixels of a name in a legend, of each further line of it, and below one of a group.
const [ROW, LINE, GAP] = [19, 16, 10];
const AXIS = 56; // pixels of the horizontal axis with its title
const FEW = 3;
const LETTERS = 38; // of a name in one line of a phone
const BESIDE = 18; // of a name beside an axis
const TICKS = 5;
const SMALL = { size: 10 };

/**
 * @param {object[]} data
 * @returns {Part[]} the traces that stand in the legend, one of each name
 */
function named(data) {
  const shown = /** @type {Part[]} */ (data).filter((trace) => trace.showlegend !== false && trace.name);
  return [...new Map(shown.map((trace) => [trace.name, trace])).values()];
}

/**
 * @param {string} name
 * @param {number} letters of a line
 * @returns {string[]} in lines that fit, broken between words
 */
function lines(name, letters = LETTERS) {
  const found = [""];
  for (const word of name.split(" ")) {
    const last = found[found.length - 1];
    if (last && last.length + word.length >= letters) found.push(word);
    else found[found.length - 1] = last ? `${last} ${word}` : word;
  }
  return found;
}

/**
 * @param {string} name
 * @returns {string} of an axis, folded
 */
function folded(name) {
  return name.split("<br>").flatMap((part) => lines(part, BESIDE)).join("<br>");
}

/**
 * @param {object[]} data
 * @param {Part} layout
 * @returns {Part} its axes as a phone has room for them
 */
function axes(data, layout) {
  /** @type {Part} */
  const found = {};
  for (const trace of /** @type {Part[]} */ (data)) {
    const [across, down] = ["x", "y"].map((side) => `${side}axis${String(trace[`${side}axis`] ?? side).slice(1)}`);
    const [along, beside] = [layout[across] ?? {}, layout[down] ?? {}];
    const isCounted = Array.isArray(trace.x) && trace.x.some((value) => typeof value === "number");
    if (isCounted && !along.tickvals) found[across] = { ...along, tickangle: 0, nticks: TICKS };
    // Rows of a list have one height each: their names stay in one line.
    if (Array.isArray(beside.ticktext)) found[down] = { ...beside, tickfont: SMALL };
    const names = namesOf(data, trace.yaxis);
    if (names.some((name) => name.length > BESIDE)) {
      found[down] = { ...beside, tickmode: "array", tickvals: names, ticktext: names.map(folded) };
    }
  }
  const heads = (layout.annotations ?? []).map((/** @type {Part} */ one) =>
    one.xref === "paper" && one.x === 0 ? { ...one, font: { ...one.font, ...SMALL } } : one,
  );
  return { ...layout, ...found, annotations: heads };
}

/**
 * @param {object[]} data
 * @param {string | undefined} axis
 * @returns {string[]} the names that traces stand beside on this axis
 */
function namesOf(data, axis) {
  const own = /** @type {Part[]} */ (data).filter((trace) => trace.yaxis === axis && Array.isArray(trace.y));
  return [...new Set(own.flatMap((trace) => trace.y))].filter((name) => typeof name === "string");
}

/**
 * The traces and layout of a chart in this room, and the pixels by which it has to be higher.
 * @param {object[]} data
 * @param {Part} layout
 * @param {{width: number, height: number}} room pixels
 * @returns {{data: object[], layout: Part, more: number}}
 */
export function fitted(data, layout, { width, height }) {
  if (width >= NARROW) return { data, layout, more: 0 };
  const narrow = axes(data, layout);
  const shown = named(data);
  const isLong = shown.length > FEW || shown.some((trace) => trace.name.length > LETTERS);
  if (layout.showlegend === false || shown.length < 2 || !isLong) return { data, layout: narrow, more: 0 };
  const rows = shown.map((trace) => ROW + LINE * (lines(trace.name).length - 1) + (trace.legendgroup ? GAP : 0));
  const more = rows.reduce((sum, row) => sum + row, 0);
  const y = -AXIS / Math.max(AXIS, height - 2 * AXIS);
  const below = { orientation: "h", x: 0, xanchor: "left", y, yanchor: "top", maxheight: 2 * more };
  return {
    data: data.map((/** @type {Part} */ trace) => (trace.name ? { ...trace, name: lines(trace.name).join("<br>") } : trace)),
    layout: { ...narrow, margin: { ...layout.margin, t: 24 }, legend: { ...layout.legend, ...below } },
    more,
  };
}
