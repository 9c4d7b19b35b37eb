// Charts on a phone: a legend of many or long names goes below the plot and takes room of its own.

/** @typedef {import("./chart_data.js").Part} Part */

const NARROW = 480; // pixels of the plot
const [ROW, LINE] = [19, 16]; // pixels of a name in a legend, and of each further line of it
const AXIS = 56; // pixels of the horizontal axis with its title
const FEW = 3;
const LETTERS = 38; // of a name in one line of a phone

/**
 * @param {object[]} data
 * @returns {Part[]} the traces that stand in the legend
 */
function named(data) {
  return /** @type {Part[]} */ (data).filter((trace) => trace.showlegend !== false && trace.name);
}

/**
 * @param {string} name
 * @returns {string[]} in lines that fit, broken between words
 */
function lines(name) {
  const found = [""];
  for (const word of name.split(" ")) {
    const last = found[found.length - 1];
    if (last && last.length + word.length >= LETTERS) found.push(word);
    else found[found.length - 1] = last ? `${last} ${word}` : word;
  }
  return found;
}

/**
 * The traces and layout of a chart in this room, and the pixels by which it has to be higher.
 * @param {object[]} data
 * @param {Part} layout
 * @param {{width: number, height: number}} room pixels
 * @returns {{data: object[], layout: Part, more: number}}
 */
export function fitted(data, layout, { width, height }) {
  const shown = named(data);
  const isLong = shown.length > FEW || shown.some((trace) => trace.name.length > LETTERS);
  if (width >= NARROW || layout.showlegend === false || shown.length < 2 || !isLong) {
    return { data, layout, more: 0 };
  }
  const more = shown.reduce((sum, trace) => sum + ROW + LINE * (lines(trace.name).length - 1), 0);
  const y = -AXIS / Math.max(AXIS, height - 2 * AXIS);
  const below = { orientation: "h", x: 0, xanchor: "left", y, yanchor: "top", maxheight: more + ROW };
  return {
    data: data.map((/** @type {Part} */ trace) => (trace.name ? { ...trace, name: lines(trace.name).join("<br>") } : trace)),
    layout: { ...layout, margin: { ...layout.margin, t: 24 }, legend: { ...layout.legend, ...below } },
    more,
  };
}
