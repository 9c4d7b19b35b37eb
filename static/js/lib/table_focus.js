// Make tables that scroll in their card focusable by keyboard (WCAG 2.1.1); other tables stay out of the tab order.

const seen = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const region = /** @type {HTMLElement | null} */ (target.closest(".table-responsive"));
    if (region) updateTabIndex(region);
  }
});

/** @param {ParentNode} root */
export function startTableFocus(root) {
  for (const region of root.querySelectorAll(".table-responsive:not([tabindex])")) {
    seen.observe(region);
    // The table may grow while its card does not.
    if (region.firstElementChild) seen.observe(region.firstElementChild);
    // The observer reports with the next frame, which may be late.
    if (region instanceof HTMLElement) updateTabIndex(region);
  }
}

/** @param {HTMLElement} region */
function updateTabIndex(region) {
  const scrolls = region.scrollWidth > region.clientWidth || region.scrollHeight > region.clientHeight;
  if (scrolls) region.tabIndex = 0;
  else region.removeAttribute("tabindex");
}
