// Start the behaviour of every page, also in fragments that are inserted: autocomplete, confirmations, copy buttons,
// polling and charts.
import { showAges } from "./ages.js";
import { startConfirming } from "./confirm.js";
import "./copy.js";
import "./deferred.js";
import { startAutocomplete } from "./autocomplete.js";
import { startHints } from "./hints.js";
import { startLists } from "./list_table.js";
import { startPolling } from "./polling.js";
import { startTableFocus } from "./table_focus.js";
import "./palette.js";
import "./tabs.js";
import "./unsaved.js";

/** @param {ParentNode} root */
function start(root) {
  showAges(root);
  startAutocomplete(root);
  startConfirming(root);
  startHints(root);
  startLists(root);
  startPolling(root);
  startTableFocus(root);
  if (root.querySelector("[data-chart], [data-chart-soon]")) {
    void import("./chart.js").then((module) => module.startCharts(root));
  }
}

start(document);
for (const field of document.querySelectorAll("input[data-browser-zone]")) {
  if (field instanceof HTMLInputElement) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
document.addEventListener("htmx:afterSettle", () => start(document));
document.addEventListener("benchlab:inserted", () => start(document));
