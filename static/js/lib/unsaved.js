// Forms with data-unsaved: leaving the page with entered values that are not stored shows the browser's question. A form
// that comes back with errors is not stored either.

/** @type {Set<Element>} */
const unsaved = new Set([...document.querySelectorAll("form[data-unsaved]")].filter((form) => form.querySelector(".form-error, .is-invalid")));

/** @param {Event} event */
function mark(event) {
  const form = event.target instanceof Element ? event.target.closest("form[data-unsaved]") : null;
  const named = event.target instanceof Element && event.target.matches("[name]");
  if (form && named) unsaved.add(form);
}

document.addEventListener("input", mark);
document.addEventListener("change", mark);
// An added or removed step is an entered value too.
document.addEventListener("stepschanged", () => {
  for (const form of document.querySelectorAll("form[data-unsaved]")) unsaved.add(form);
});
document.addEventListener("submit", (event) => {
  if (event.target instanceof Element) unsaved.delete(event.target);
});
addEventListener("beforeunload", (event) => {
  if (unsaved.size > 0) event.preventDefault();
});
