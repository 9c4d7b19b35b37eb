// Forms with data-hints: the help of a field is behind a button beside its label. The attribute's value begins the button's name. Without
// this script all help is shown. The field stays described by it, for those who hear the page.

/** @param {ParentNode} root */
export function startHints(root) {
  for (const hint of root.querySelectorAll("form[data-hints] .form-hint[id]")) {
    const row = hint.closest(".form-row");
    const label = row?.querySelector(".form-label, .form-check");
    if (!row || !label || !(hint instanceof HTMLElement) || row.querySelector(".hint-button")) continue;
    if (!hint.textContent?.trim()) continue;
    label.after(button(hint, (label.textContent ?? "").replace("*", "").trim()));
    hint.hidden = true;
  }
}

/**
 * @param {HTMLElement} hint
 * @param {string} label
 */
function button(hint, label) {
  const result = document.createElement("button");
  const words = hint.closest("form")?.dataset.hints ?? "";
  result.type = "button";
  result.className = "hint-button";
  result.textContent = "?";
  result.title = (hint.textContent ?? "").trim();
  result.setAttribute("aria-label", `${words} ${label}`);
  result.setAttribute("aria-expanded", "false");
  result.setAttribute("aria-controls", hint.id);
  result.addEventListener("click", () => {
    hint.hidden = !hint.hidden;
    result.setAttribute("aria-expanded", String(!hint.hidden));
  });
  return result;
}
