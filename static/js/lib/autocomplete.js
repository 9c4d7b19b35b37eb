// <select data-autocomplete>: a select with search (TomSelect). data-autocomplete-max limits the options listed at
// once; data-placeholder is the text without a selection.
// data-autocomplete-url, also on a text field: typing fetches matches from the server.
// data-autocomplete-selected: JSON list with the present value of a text field and its text.
import { askJson } from "./fetch.js";

const FIELDS = "select[data-autocomplete]:not(.tomselected), input[data-autocomplete-url]:not(.tomselected)";

/** @param {HTMLSelectElement | HTMLInputElement} field */
function attach(field) {
  const many = field instanceof HTMLSelectElement && field.multiple;
  const url = field.dataset.autocompleteUrl;
  new window.TomSelect(field, {
    plugins: many ? { remove_button: { title: document.documentElement.dataset.removeWords } } : {},
    maxOptions: Number(field.dataset.autocompleteMax) || 200,
    placeholder: field.dataset.placeholder ?? field.getAttribute("placeholder") ?? "",
    allowEmptyOption: field instanceof HTMLSelectElement && !field.required,
    hidePlaceholder: true,
    ...(field instanceof HTMLInputElement ? selectedOption(field) : {}),
    ...(url ? remoteSource(url) : {}),
  });
  field.setAttribute("aria-hidden", "true"); // the label now names the input of TomSelect
}

/**
 * One value, shown by its name.
 * @param {HTMLInputElement} field
 */
function selectedOption(field) {
  const options = JSON.parse(field.dataset.autocompleteSelected ?? "[]");
  return { maxItems: 1, options, items: options.map((/** @type {any} */ one) => one.value) };
}

/** @param {string} url */
function remoteSource(url) {
  return {
    valueField: "value",
    labelField: "text",
    searchField: ["text", "value"],
    preload: "focus",
    shouldLoad: () => true,
    /** @param {string} text @param {(options?: object[]) => void} done */
    load: (text, done) => {
      askJson(`${url}?q=${encodeURIComponent(text)}`).then(
        (/** @type {any} */ body) => done(body.choices),
        () => done(),
      );
    },
  };
}

/** @param {ParentNode} root */
export function startAutocomplete(root) {
  for (const field of root.querySelectorAll(FIELDS)) {
    if (field instanceof HTMLSelectElement || field instanceof HTMLInputElement) attach(field);
  }
}
