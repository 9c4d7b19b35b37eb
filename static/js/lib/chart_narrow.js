// Charts with little space: a legend of many or long names goes below the plot and takes space of its own; on a phone
// long names beside an axis are folded, and few numbers stand along the bottom, none of them tilted.

/** @typedef {import("./chart_data.js").Part} Part */

const NARROW = 480; // pixels of the plot
// Pixels of a name in a legend, of each further line of it, and below one of a group.
const [ROW, LINE, GAP] = [19, 16, 10];
const AXIS = 56; // pixels of the horizontal axis with its title
const FEW = 3;
const [ABOVE, COLUMN] = [4, 50]; // lines of a legend above a wide plot; pixels of a column of it beside the name
const BOTTOM = { yref: "container", y: 0, yanchor: "bottom" };
const LETTERS = 38; // of a name in one line of a phone
const BESIDE = 18; // of a name beside an axis
const TICKS = 5;
const [SMALL, TINY] = [{ size: 10 }, { size: 9 }];
const [LETTER, SPACE, MARGIN] = [6, 6, 80]; // pixels of a small letter, between labels, left and right of a plot
const TINY_LETTER = 4; // of a name in tiny letters, at least
const WIDE_LETTER = 8; // of an axis on a wide screen
const SMALLEST = 11; // pixels of a line of the smallest letters

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
 * @param {Part} axis with labels of its own
 * @returns {{value: any, text: string, position: number}[]} its labels, each with its position from 0 to 1
 */
function placed(axis) {
  const log = axis.type === "log";
  const of = (/** @type {number} */ value) => (log ? Math.log10(value) : value);
  const values = axis.tickvals.map(of);
  const [first, last] = axis.range ?? [Math.min(...values), Math.max(...values)];
  const across = Math.max(last - first, Number.EPSILON);
  return axis.tickvals.map((/** @type {any} */ value, /** @type {number} */ i) => ({
    value,
    text: String(axis.ticktext?.[i] ?? value),
    position: (Number(values[i]) - first) / across,
  }));
}

/**
 * @param {{value: any, text: string, position: number}[]} labels
 * @param {number} size pixels of the axis
 * @param {number} letter pixels
 * @returns {Part} the axis with those labels that have space, none of them tilted, units below figures
 */
function spaced(labels, size, letter = LETTER) {
  /** @type {{value: any, text: string}[]} */
  const shown = [];
  let free = -Infinity;
  for (const { value, text, position } of [...labels].sort((one, other) => one.position - other.position)) {
    const words = text.endsWith("%") ? [text] : text.split(/\s/);
    const half = (letter * Math.max(...words.map((word) => word.length))) / 2;
    if (position * size - half < free) continue;
    free = position * size + half + SPACE;
    shown.push({ value, text: words.join("<br>") });
  }
  const [tickvals, ticktext] = [shown.map((one) => one.value), shown.map((one) => one.text)];
  return { tickmode: "array", tickvals, ticktext, tickangle: 0, tickfont: SMALL };
}

/**
 * @param {object[]} data
 * @param {Part} layout
 * @param {number} width pixels
 * @returns {Part} its axes along the bottom that have labels of their own, with those that have space
 */
function wideAxes(data, layout, width) {
  const upright = Object.entries(layout).filter(([name, axis]) => /^yaxis\d*$/.test(name) && Array.isArray(axis.ticktext));
  const names = upright.flatMap(([, axis]) => axis.ticktext);
  const beside = Math.max(0, ...[...names, ...namesOf(data, "y")].map((name) => String(name).length));
  const own = Object.entries(layout).filter(([name, axis]) => /^xaxis\d*$/.test(name) && Array.isArray(axis.tickvals));
  return Object.fromEntries(
    own.map(([name, axis]) => {
      const size = width - MARGIN - LETTER * beside;
      const values = new Set(spaced(placed(axis), size, WIDE_LETTER).tickvals);
      const shown = placed(axis).filter((one) => values.has(one.value));
      return [name, { ...axis, tickvals: shown.map((one) => one.value), ticktext: shown.map((one) => one.text) }];
    }),
  );
}

/**
 * @param {Part} trace
 * @param {Part} axis along the bottom
 * @param {number} size pixels of the axis
 * @returns {Part} what a phone shows of its labels
 */
function along(trace, axis, size) {
  if (Array.isArray(axis.tickvals)) return spaced(placed(axis), size);
  // The first label of a time axis has the day below it.
  if (axis.type === "date") return { tickangle: 0, nticks: FEW, tickfont: SMALL };
  if (!Array.isArray(trace.x)) return {};
  if (trace.x.some((/** @type {any} */ value) => typeof value === "number")) return { tickangle: 0, nticks: TICKS };
  if (axis.type !== "category") return {};
  const names = [...new Set(trace.x)];
  return spaced(names.map((value, i) => ({ value, text: String(value), position: (i + 0.5) / names.length })), size);
}

/**
 * @param {Part} axis whose rows have one height each
 * @param {number} height pixels of the chart
 * @returns {string[]} its names in as many small lines as a row has space for
 */
function inRows(axis, height) {
  const rows = axis.range ? Math.abs(axis.range[1] - axis.range[0]) : axis.ticktext.length;
  const most = Math.max(1, Math.floor((height - 2 * AXIS) / Math.max(1, rows) / SMALLEST));
  const fold = (/** @type {string} */ name, /** @type {number} */ letters) =>
    name.split("<br>").flatMap((part) => lines(part, letters));
  const longest = Math.max(...axis.ticktext.map((/** @type {string} */ name) => name.length));
  const fits = (/** @type {number} */ letters) =>
    axis.ticktext.every((/** @type {string} */ name) => fold(name, letters).length <= most);
  let letters = BESIDE;
  while (letters < longest && !fits(letters)) letters += 2;
  return axis.ticktext.map((/** @type {string} */ name) => fold(name, letters).join("<br>"));
}

/**
 * @param {object[]} data
 * @param {Part} layout
 * @param {{width: number, height: number}} size pixels
 * @returns {Part} its axes as a phone has space for them
 */
function axes(data, layout, { width, height }) {
  /** @type {Part} */
  const found = {};
  for (const trace of /** @type {Part[]} */ (data)) {
    const [across, down] = ["x", "y"].map((side) => `${side}axis${String(trace[`${side}axis`] ?? side).slice(1)}`);
    const [bottom, beside] = [layout[across] ?? {}, layout[down] ?? {}];
    const names = namesOf(data, trace.yaxis);
    const rows = Array.isArray(beside.ticktext) ? inRows(beside, height) : null;
    if (rows) found[down] = { ...beside, ticktext: rows, tickfont: TINY };
    else if (names.some((name) => name.length > BESIDE)) {
      found[down] = { ...beside, tickmode: "array", tickvals: names, ticktext: names.map(folded) };
    }
    const letters = Math.max(0, ...(rows ?? []).flatMap((text) => text.split("<br>")).map((text) => text.length));
    found[across] = { ...bottom, ...along(trace, bottom, width - MARGIN - LETTER * letters) };
  }
  const upright = Object.entries(found).filter(([name]) => name.startsWith("yaxis"));
  const names = upright.flatMap(([, axis]) => axis.ticktext ?? []);
  const beside = Math.max(0, ...names.flatMap((name) => String(name).split("<br>")).map((line) => line.length));
  const heads = (layout.annotations ?? []).map((/** @type {Part} */ one) =>
    one.xref === "paper" && one.x === 0 ? headed(one, width, beside) : one,
  );
  return { ...layout, ...found, annotations: heads };
}

/**
 * @param {Part} head the name above some rows, at the left end of the plot
 * @param {number} width pixels of the chart
 * @param {number} beside letters of the names left of the plot, above which the head may begin
 * @returns {Part} the head in small letters and in lines that fit
 */
function headed(head, width, beside) {
  const words = lines(head.text.replace(/<\/?b>/g, ""), Math.floor((width - MARGIN) / LETTER));
  const font = { ...head.font, ...(words.length > 1 ? TINY : SMALL) };
  return { ...head, text: words.map((line) => `<b>${line}</b>`).join("<br>"), font, xshift: -TINY_LETTER * beside };
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
 * @param {object[]} data
 * @param {number} letters of a line
 * @returns {object[]} the traces with names that fit into a legend
 */
function withFolded(data, letters) {
  return data.map((/** @type {Part} */ trace) =>
    trace.name?.length > letters ? { ...trace, name: lines(trace.name, letters).join("<br>") } : trace,
  );
}

/**
 * @param {object[]} data
 * @returns {object[]} the traces; figures stand in the cells of a map, whose bar of colours would take a quarter of it
 */
function withoutBars(data) {
  return data.map((/** @type {Part} */ trace) =>
    trace.texttemplate ? { ...trace, showscale: false, textfont: SMALL } : trace,
  );
}

/**
 * @param {Part[]} shown traces of the legend
 * @param {{width: number, letters: number, isPhone: boolean}} size
 * @returns {number} pixels of a legend below the plot; 0 where it is small enough to stay above it
 */
function below(shown, { width, letters, isPhone }) {
  const longest = Math.min(letters, Math.max(...shown.map((trace) => trace.name.length)));
  const lying = Math.ceil(shown.length / Math.max(1, Math.floor(width / (longest * LETTER + COLUMN))));
  const isLong = isPhone ? shown.length > FEW || shown.some((trace) => trace.name.length > LETTERS) : lying > ABOVE;
  if (!isLong) return 0;
  if (!isPhone) return lying * ROW;
  const rows = shown.map((trace) => ROW + LINE * (lines(trace.name).length - 1) + (trace.legendgroup ? GAP : 0));
  return rows.reduce((sum, row) => sum + row, 0);
}

/**
 * The traces and layout of a chart of this size, and the pixels by which it has to be higher.
 * @param {object[]} data
 * @param {Part} layout
 * @param {{width: number, height: number}} size pixels
 * @returns {{data: object[], layout: Part, more: number}}
 */
export function fitted(data, layout, { width, height }) {
  const isPhone = width < NARROW;
  const letters = isPhone ? LETTERS : Math.floor(width / (LETTER + 2));
  const shown = named(data);
  const more = shown.length > 1 && layout.showlegend !== false ? below(shown, { width, letters, isPhone }) : 0;
  const narrow = isPhone ? axes(data, layout, { width, height }) : { ...layout, ...wideAxes(data, layout, width) };
  const drawn = withFolded(isPhone ? withoutBars(data) : data, letters);
  if (!more) return { data: drawn, layout: narrow, more };
  const tall = layout.height ? { height: layout.height + more } : {};
  const orientation = isPhone ? "v" : "h";
  const legend = { ...layout.legend, orientation, x: 0, xanchor: "left", ...BOTTOM, maxheight: more + AXIS };
  const margin = { ...layout.margin, t: 24, b: AXIS + more };
  return { data: drawn, layout: { ...narrow, ...tall, margin, legend }, more };
}
