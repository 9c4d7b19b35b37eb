// The comparison: the chart's metric and the opened distribution become part of the address, so that it can be shared.
import { chartOf } from "../lib/chart.js";

/**
 * @param {string} name
 * @param {string} value empty: taken out
 */
function keepInAddress(name, value) {
  const address = new URL(location.href);
  address.searchParams.delete(name);
  if (value) address.searchParams.append(name, value);
  history.replaceState(history.state, "", address);
  const copy = document.querySelector("[data-copy-text]");
  if (copy instanceof HTMLElement) copy.dataset.copyText = address.href;
}

for (const select of document.querySelectorAll("select[data-chart-switch]")) {
  if (!(select instanceof HTMLSelectElement)) continue;
  select.addEventListener("change", () => {
    const element = document.getElementById(select.dataset.chartSwitch ?? "");
    const query = select.selectedOptions[0]?.dataset.query ?? "";
    if (!element) return;
    element.dataset.figureUrl = `${select.dataset.url}?${query}`;
    void chartOf(element)?.load();
    keepInAddress("chart", select.value);
  });
}

for (const details of document.querySelectorAll("details[data-group]")) {
  if (!(details instanceof HTMLDetailsElement)) continue;
  details.addEventListener("toggle", () => {
    const mine = details.dataset.group ?? "";
    const current = new URL(location.href).searchParams.get("group");
    if (details.open) keepInAddress("group", mine);
    else if (current === mine) keepInAddress("group", "");
  });
}
