// Forms with data-hints: the help of a field is behind a button beside its label, which the attribute names. Without this
// script all help is shown. The field stays described by it, for those who hear the page.

/** @param {ParentNode} root */
export function startHints(root) {
  for (const hint of root.querySelectorAll("form[data-hints] .form-hint[id]")) {
    const row = hint.closest(".form-row");
    const label = row?.querySelector(".form-label, .form-check");
    if (!row || !label || !(hint instanceof HTMLElement) || row.querySelector(".hint-button")) continue;
    if (!hint.textContent?.trim()) continue;
    label.after(button(hint));
    hint.hidden = true;
  }
}

/** @param {HTMLElement} hint */
function button(hint) {
  const result = document.createElement("button");
  result.type = "button";
  result.className = "hint-button";
  result.textContent = "?";
  result.title = (hint.textContent ?? "").trim();
  result.setAttribute("aria-label", hint.closest("form")?.dataset.hints ?? "");
  result.setAttribute("aria-expanded", "false");
  result.setAttribute("aria-controls", hint.id);
  result.addEventListener("click", () => {
    hint.hidden = !hint.hidden;
    result.setAttribute("aria-expanded", String(!hint.hidden));
  });
  return result;
}
