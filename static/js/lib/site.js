// What every page starts: pickers, confirmations, copy buttons, polling and charts, also in fragments that come later.
import { showAges } from "./ages.js";
import { startConfirming } from "./confirm.js";
import "./copy.js";
import "./later.js";
import { startPickers } from "./pickers.js";
import { startPolling } from "./poll.js";
import { startScrolling } from "./scrolling.js";
import "./search.js";

/** @param {ParentNode} root */
function start(root) {
  showAges(root);
  startPickers(root);
  startConfirming(root);
  startPolling(root);
  startScrolling(root);
  if (root.querySelector("[data-chart], [data-chart-soon]")) {
    void import("./chart.js").then((module) => module.startCharts(root));
  }
}

start(document);
document.addEventListener("htmx:afterSettle", () => start(document));
document.addEventListener("benchlab:inserted", () => start(document));
