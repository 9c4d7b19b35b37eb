// A figure's colours in the page's theme: the server leaves paper, plot, font and grid colours to the page.

// Middle lightness, so that one set of lines reads on white and on dark; told apart without red against green.
const LINES = ["#4284f5", "#e07b00", "#1a9e78", "#d6457c", "#8a68e8", "#0098b0", "#a88400", "#7c838d"];

/**
 * @typedef {object} Colours
 * @property {string} text
 * @property {string} grid
 * @property {string} surface
 * @property {string} family
 */

/**
 * @param {Element} element
 * @returns {Colours} the theme's colours as this element has them
 */
export function colours(element) {
  const style = getComputedStyle(element);
  return {
    text: style.color,
    grid: style.getPropertyValue("--bl-grid").trim(),
    surface: style.getPropertyValue("--bl-surface").trim(),
    family: style.fontFamily,
  };
}

/**
 * A copy of `layout` with the theme's colours below those the figure sets itself.
 * @param {Record<string, any>} layout
 * @param {Colours} theme
 * @returns {Record<string, any>}
 */
export function themed(layout, theme) {
  const shown = {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    margin: { l: 64, r: 24, t: 32, b: 48 },
    colorway: LINES,
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
    ...layout,
    font: { color: theme.text, family: "inherit", size: 12, ...layout.font },
    hoverlabel: {
      bgcolor: theme.surface,
      bordercolor: theme.grid,
      font: { color: theme.text },
      ...layout.hoverlabel,
    },
    modebar: {
      bgcolor: "rgba(0,0,0,0)",
      color: theme.text,
      activecolor: theme.text,
      ...layout.modebar,
    },
  };
  return withAxes(shown, layout, theme);
}

/**
 * @param {Record<string, any>} shown
 * @param {Record<string, any>} layout
 * @param {Colours} theme
 */
function withAxes(shown, layout, theme) {
  const names = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));
  if (layout.scene) {
    shown.scene = withSceneAxes(layout.scene, theme);
    // A scene's words are drawn on a canvas, which knows no inheritance.
    shown.font.family = theme.family;
  }
  for (const name of new Set(["xaxis", "yaxis", ...names])) {
    shown[name] = {
      gridcolor: theme.grid,
      linecolor: theme.grid,
      zerolinecolor: theme.grid,
      automargin: true,
      ...layout[name],
    };
  }
  return shown;
}

/**
 * A surface has its axes in a scene of its own.
 * @param {Record<string, any>} scene
 * @param {Colours} theme
 */
function withSceneAxes(scene, theme) {
  const shown = { ...scene };
  for (const name of ["xaxis", "yaxis", "zaxis"]) {
    shown[name] = { color: theme.text, gridcolor: theme.grid, ...scene[name] };
  }
  return shown;
}
