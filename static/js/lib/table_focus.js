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
    region.addEventListener("contentvisibilityautostatechange", () => updateTabIndex(/** @type {HTMLElement} */ (region)));
    // The observer reports with the next frame, which may be late.
    if (region instanceof HTMLElement) updateTabIndex(region);
  }
}

/** @param {HTMLElement} region */
function updateTabIndex(region) {
  const scrolls = region.scrollWidth > region.clientWidth || region.scrollHeight > region.clientHeight;
  if (scrolls || isNotLaidOut(region)) region.tabIndex = 0;
  // Without the attribute it would lose the focus that brought it into view.
  else if (region !== document.activeElement) region.removeAttribute("tabindex");
}

/**
 * @param {HTMLElement} region
 * @returns {boolean} whether the browser leaves its table out until it comes near the screen (content-visibility)
 */
function isNotLaidOut(region) {
  const table = region.firstElementChild;
  return !!table && table.checkVisibility() && !table.checkVisibility({ contentVisibilityAuto: true });
}
