// <select data-picker>: a select with search. Options come from the page; data-picker-max limits how many of them
// are listed at once, data-placeholder is shown while nothing is chosen.
// data-picker-url, also on a text field: the server is asked for more while somebody types; data-picker-chosen names what
// a text field holds already.
import { askJson } from "./fetch.js";

const PICKERS = "select[data-picker]:not(.tomselected), input[data-picker-url]:not(.tomselected)";

/** @param {HTMLSelectElement | HTMLInputElement} field */
function makePicker(field) {
  const many = field instanceof HTMLSelectElement && field.multiple;
  const url = field.dataset.pickerUrl;
  new window.TomSelect(field, {
    plugins: many ? ["remove_button"] : [],
    maxOptions: Number(field.dataset.pickerMax) || 200,
    placeholder: field.dataset.placeholder ?? field.getAttribute("placeholder") ?? "",
    allowEmptyOption: field instanceof HTMLSelectElement && !field.required,
    hidePlaceholder: true,
    ...(field instanceof HTMLInputElement ? chosen(field) : {}),
    ...(url ? asking(url) : {}),
  });
  field.setAttribute("aria-hidden", "true"); // the label now names the picker's own input
}

/**
 * One value, shown by its name.
 * @param {HTMLInputElement} field
 */
function chosen(field) {
  const options = JSON.parse(field.dataset.pickerChosen ?? "[]");
  return { maxItems: 1, options, items: options.map((/** @type {any} */ one) => one.value) };
}

/** @param {string} url */
function asking(url) {
  return {
    valueField: "value",
    labelField: "text",
    searchField: ["text", "value"],
    preload: "focus",
    shouldLoad: () => true,
    /** @param {string} words @param {(found?: object[]) => void} done */
    load: (words, done) => {
      askJson(`${url}?q=${encodeURIComponent(words)}`).then(
        (/** @type {any} */ answer) => done(answer.choices),
        () => done(),
      );
    },
  };
}

/** @param {ParentNode} root */
export function startPickers(root) {
  for (const field of root.querySelectorAll(PICKERS)) {
    if (field instanceof HTMLSelectElement || field instanceof HTMLInputElement) makePicker(field);
  }
}
