// Forms that ask first. A form with a word keeps its button shut until the word, or its short form, is typed;
// the server checks again.

/**
 * @param {HTMLFormElement} form
 * @param {string[]} words
 */
function guardByWord(form, words) {
  const input = form.querySelector("input[name=confirm]");
  const button = form.querySelector("button[type=submit]");
  if (!(input instanceof HTMLInputElement) || !(button instanceof HTMLButtonElement)) return;
  const check = () => (button.disabled = !words.includes(input.value.trim()));
  input.addEventListener("input", check);
  check();
}

/** @type {WeakSet<HTMLFormElement>} */
const guarded = new WeakSet();

/** @param {ParentNode} root */
export function startConfirming(root) {
  for (const form of root.querySelectorAll("form[data-confirm-word]")) {
    if (!(form instanceof HTMLFormElement) || guarded.has(form)) continue;
    guarded.add(form);
    const { confirmWord = "", confirmShort = "" } = form.dataset;
    guardByWord(form, confirmShort ? [confirmWord, confirmShort] : [confirmWord]);
  }
}

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.dataset.confirm || form.dataset.confirmWord) return;
    if (!window.confirm(form.dataset.confirm)) {
      event.preventDefault();
      event.stopImmediatePropagation(); // htmx listens too
    }
  },
  true,
);
