// Forms with data-unsaved: leaving the page with entered values that are not sent shows the browser's question.

let unsaved = false;

/** @param {Event} event */
function mark(event) {
  if (event.target instanceof Element && event.target.matches("form[data-unsaved] [name]")) unsaved = true;
}

document.addEventListener("input", mark);
document.addEventListener("change", mark);
document.addEventListener("submit", () => {
  unsaved = false;
});
addEventListener("beforeunload", (event) => {
  if (unsaved) event.preventDefault();
});
