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

document.querySelector("form.compare-form")?.addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement && !event.target.multiple) event.target.form?.requestSubmit();
});

/** Both are on the page, or come with a workload that is opened. */
document.addEventListener("toggle", (event) => {
  const details = event.target;
  if (!(details instanceof HTMLDetailsElement) || !details.dataset.group) return;
  const mine = details.dataset.group;
  const current = new URL(location.href).searchParams.get("group");
  if (details.open) keepInAddress("group", mine);
  else if (current === mine) keepInAddress("group", "");
}, true);

document.addEventListener("htmx:afterSwap", (event) => {
  if (!(event.target instanceof HTMLElement) || event.target.id !== "details") return;
  const slug = event.target.querySelector(".workload")?.id.replace("workload-", "") ?? "";
  keepInAddress("group", slug);
  for (const link of document.querySelectorAll("[data-details]")) {
    if (!(link instanceof HTMLElement)) continue;
    link.closest("tr")?.classList.toggle("is-open", link.dataset.details === slug);
  }
});
