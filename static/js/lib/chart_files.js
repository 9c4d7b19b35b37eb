// A chart as a file: PNG, SVG, or the series that it draws.
import { chartRows, csv } from "./chart_data.js";
import { themed } from "./chart_theme.js";

/** Colours of a page on paper: a picture is put beside text that is not ours. */
const PAPER = { text: "#182433", grid: "#d7dce2", surface: "#ffffff", family: "Arial, sans-serif" };
const TITLE_HEIGHT = 32;

/**
 * @typedef {object} Drawn
 * @property {import("./chart_data.js").Figure} figure
 * @property {any} plot the element that Plotly draws into
 * @property {any} library Plotly
 * @property {string} name of the file, without its end
 * @property {string} label what the chart shows
 */

/**
 * @param {Drawn} drawn
 * @param {string} kind "png", "svg" or "csv"
 */
export async function download(drawn, kind) {
  if (kind === "csv") {
    const text = new Blob([csv(chartRows(drawn.figure))], { type: "text/csv;charset=utf-8" });
    const address = URL.createObjectURL(text);
    save(address, `${drawn.name}.csv`);
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return;
  }
  const { clientWidth: width, clientHeight: height } = drawn.plot;
  const options = { format: kind, width, height: height + TITLE_HEIGHT, scale: kind === "png" ? 2 : 1 };
  save(await drawn.library.toImage(onPaper(drawn), options), `${drawn.name}.${kind}`);
}

/**
 * The figure as it is on the page (its zoom too), in the colours of paper and with its title.
 * @param {Drawn} drawn
 */
function onPaper({ figure, plot, label }) {
  const layout = themed(structuredClone(figure.layout ?? {}), PAPER);
  for (const [name, axis] of Object.entries(plot.layout ?? {})) {
    const range = /^[xy]axis\d*$/.test(name) && axis?.range;
    if (range) layout[name] = { ...layout[name], range: [...range], autorange: false };
  }
  layout.font = { ...layout.font, family: PAPER.family };
  layout.paper_bgcolor = layout.plot_bgcolor = PAPER.surface;
  if (!layout.title?.text) {
    const text = label.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    layout.title = { text, x: 0.01, xanchor: "left", y: 0.98, yanchor: "top", font: { size: 14 } };
    layout.margin = { ...layout.margin, t: (layout.margin?.t ?? 32) + TITLE_HEIGHT };
  }
  return { data: structuredClone(figure.data), layout };
}

/**
 * @param {string} address
 * @param {string} name
 */
function save(address, name) {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
