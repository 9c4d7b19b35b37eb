// A table wider than its card scrolls in it: the keyboard reaches it then, and passes by one that fits.

const seen = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const region = /** @type {HTMLElement | null} */ (target.closest(".table-responsive"));
    if (region) reach(region);
  }
});

/** @param {ParentNode} root */
export function startScrolling(root) {
  for (const region of root.querySelectorAll(".table-responsive:not([tabindex])")) {
    seen.observe(region);
    // The table may grow while its card does not.
    if (region.firstElementChild) seen.observe(region.firstElementChild);
    // The observer reports with the next frame, which may be late.
    if (region instanceof HTMLElement) reach(region);
  }
}

/** @param {HTMLElement} region */
function reach(region) {
  const scrolls = region.scrollWidth > region.clientWidth || region.scrollHeight > region.clientHeight;
  if (scrolls) region.tabIndex = 0;
  else region.removeAttribute("tabindex");
}
