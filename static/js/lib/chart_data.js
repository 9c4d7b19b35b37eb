// The series of a chart as a table: what is drawn, in the units of its axes.

/**
 * @typedef {object} Figure
 * @property {object[]} data
 * @property {Record<string, any>} [layout]
 * @property {Record<string, any>} [config]
 * @property {number} [shown] points drawn, where the server left some out
 * @property {number} [total] points that there are
 */

/** @typedef {string | number | null | undefined} Cell */
/** @typedef {Record<string, any>} Part a trace, an axis or a layout of Plotly */

const MARKUP = /<[^>]*>/g;

/**
 * @param {unknown} text
 * @returns {string} without Plotly's own markup
 */
function plain(text) {
  return String(text ?? "").replace(/<br\s*\/?>/g, " ").replace(MARKUP, "").trim();
}

/**
 * @param {unknown} value
 * @returns {Cell[]}
 */
function cells(value) {
  return Array.isArray(value) ? value : [];
}

/**
 * The axis that a trace is drawn on.
 * @param {Part} trace
 * @param {Part} layout
 * @param {"x" | "y"} side
 * @returns {Part}
 */
function axisOf(trace, layout, side) {
  if (trace.type === "surface") return layout.scene?.[`${side}axis`] ?? {};
  const name = String(trace[`${side}axis`] ?? side);
  return layout[`${side}axis${name.slice(1)}`] ?? {};
}

/**
 * Positions on an axis of names become these names, also of what is drawn a little beside its position.
 * @param {Cell[]} values
 * @param {Part} axis
 * @returns {Cell[]}
 */
function named(values, axis) {
  const words = cells(axis.ticktext);
  const ranked = axis.type !== "log" && cells(axis.tickvals).every((value, index) => value === index);
  return words.length && ranked ? values.map((value) => plain(words[Math.round(Number(value))])) : values;
}

/**
 * @param {Part | undefined} error Plotly's error_x or error_y
 * @param {Cell[]} values
 * @param {number} index
 * @returns {Cell[]} the ends of the interval
 */
function ends(error, values, index) {
  const [up, middle] = [cells(error?.array)[index], values[index]];
  if (typeof up !== "number" || typeof middle !== "number") return ["", ""];
  const down = error?.arrayminus ? error.arrayminus[index] : up;
  return [typeof down === "number" ? middle - down : "", middle + up];
}

/**
 * @typedef {object} Point
 * @property {string} series
 * @property {string} drawn how: "lines", "bar"
 * @property {Cell} x
 * @property {Cell} y
 * @property {Cell[]} ends
 * @property {Cell} z
 * @property {string} note
 */

/**
 * @param {Part} trace
 * @param {Part} layout
 * @returns {Point[]}
 */
function pointsOf(trace, layout) {
  const [xs, ys] = [cells(trace.x), cells(trace.y)];
  const across = named(xs, axisOf(trace, layout, "x"));
  const down = named(ys, axisOf(trace, layout, "y"));
  const series = plain(trace.name ?? trace.legendgroup);
  const drawn = String(trace.mode ?? trace.type ?? "");
  if (Array.isArray(trace.z)) return cellsOf(trace, across, down, { series, drawn });
  const [error, along] = trace.error_x ? [trace.error_x, xs] : [trace.error_y, ys];
  const length = Math.max(xs.length, ys.length);
  return Array.from({ length }, (_, index) => ({
    series,
    drawn,
    x: xs.length ? across[index] : index,
    y: ys.length ? down[index] : index,
    ends: ends(error, along, index),
    z: "",
    note: Array.isArray(trace.text) ? plain(trace.text[index]) : "",
  }));
}

/**
 * A map's cells. Where its colours stand for powers, the values themselves lie beside them.
 * @param {Part} trace
 * @param {Cell[]} across
 * @param {Cell[]} down
 * @param {{series: string, drawn: string}} same
 * @returns {Point[]}
 */
function cellsOf(trace, across, down, same) {
  const own = trace.customdata;
  const values = cells(own?.[0]).some((cell) => typeof cell === "number") ? own : trace.z;
  return values.flatMap((/** @type {Cell[]} */ row, /** @type {number} */ y) =>
    row.map((z, x) => ({ ...same, x: across[x] ?? x, y: down[y] ?? y, ends: ["", ""], z, note: "" })),
  );
}

/**
 * @param {Part[]} traces
 * @param {Part} layout
 * @param {"x" | "y"} side
 * @returns {string[]} the different titles of an axis
 */
function titles(traces, layout, side) {
  return [...new Set(traces.map((trace) => plain(axisOf(trace, layout, side).title?.text)))];
}

/**
 * A head and a row a point. Columns that no point fills are left out.
 * @param {{data: Part[], layout?: Part}} figure
 * @returns {Cell[][]}
 */
export function chartRows(figure) {
  const layout = figure.layout ?? {};
  const traces = figure.data.filter((trace) => trace.visible !== false);
  const [xs, ys] = [titles(traces, layout, "x"), titles(traces, layout, "y")];
  const unit = plain(traces.find((trace) => trace.colorbar)?.colorbar.title?.text);
  const head = [
    "series", xs.length === 1 && xs[0] ? xs[0] : "x", ys.length === 1 && ys[0] ? ys[0] : "y",
    "low", "high", unit ? `value (${unit})` : "value", "note", "drawn as", "x axis", "y axis",
  ];
  const rows = traces.flatMap((trace) => {
    const x = xs.length > 1 ? plain(axisOf(trace, layout, "x").title?.text) : "";
    const y = ys.length > 1 ? plain(axisOf(trace, layout, "y").title?.text) : "";
    return pointsOf(trace, layout).map((point) => [
      point.series, point.x, point.y, ...point.ends, point.z, point.note, point.drawn, x, y,
    ]);
  });
  const filled = head.map((_, column) => column < 3 || rows.some((row) => !isEmpty(row[column])));
  return [head, ...rows].map((row) => row.filter((_, column) => filled[column]));
}

/** @param {Cell} cell */
function isEmpty(cell) {
  return cell === "" || cell === null || cell === undefined;
}

/**
 * Lines with CRLF ends (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe
 * in front (OWASP, "CSV Injection").
 * @param {Cell[][]} rows
 * @returns {string}
 */
export function csv(rows) {
  return rows.map((row) => `${row.map(written).join(",")}\r\n`).join("");
}

/** @param {Cell} cell */
function written(cell) {
  if (typeof cell === "number" || isEmpty(cell)) return String(cell ?? "");
  const text = /^[=+\-@\t\r]/.test(String(cell)) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
