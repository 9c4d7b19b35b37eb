// <button data-copy="#id"> copies the text of another element; data-copy-text copies the text given.

/**
 * Copy by the clipboard API, or by a selection where the page came over plain HTTP and has no such API.
 * @param {string} text
 */
async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** @param {HTMLElement} button */
async function copyFrom(button) {
  const source = button.dataset.copy && document.querySelector(button.dataset.copy);
  await copyText(button.dataset.copyText ?? (source ? (source.textContent ?? "").trim() : ""));
  const words = button.querySelector("span") ?? button;
  const before = words.textContent;
  words.textContent = button.dataset.copied ?? before;
  window.setTimeout(() => (words.textContent = before), 1500);
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element && event.target.closest("[data-copy], [data-copy-text]");
  if (button instanceof HTMLElement) void copyFrom(button);
});
