// <select data-picker>: a select with search. Options come from the page; data-picker-max limits how many of them
// are listed at once, data-placeholder is shown while nothing is chosen.

/** @param {HTMLSelectElement} select */
function makePicker(select) {
  new window.TomSelect(select, {
    plugins: select.multiple ? ["remove_button"] : [],
    maxOptions: Number(select.dataset.pickerMax) || 200,
    placeholder: select.dataset.placeholder ?? "",
    allowEmptyOption: !select.required,
    hidePlaceholder: true,
  });
  select.setAttribute("aria-hidden", "true"); // the label now names the picker's own input
}

/** @param {ParentNode} root */
export function startPickers(root) {
  for (const select of root.querySelectorAll("select[data-picker]:not(.tomselected)")) {
    if (select instanceof HTMLSelectElement) makePicker(select);
  }
}
