// The command palette: Ctrl-K, "/" and the search field of the menu open a dialog that lists pages, actions and search
// results. Arrow keys select, Enter opens, Escape closes.
import { ask } from "./fetch.js";

const TYPING = "input, textarea, select, [contenteditable]";
const WAIT_MS = 150;

class Palette {
  /** @param {HTMLDialogElement} dialog */
  constructor(dialog) {
    this.dialog = dialog;
    this.input = /** @type {HTMLInputElement} */ (dialog.querySelector("input[name=q]"));
    this.suggestions = /** @type {HTMLElement} */ (dialog.querySelector("[data-palette-suggestions]"));
    this.status = /** @type {HTMLElement} */ (dialog.querySelector("[data-palette-status]"));
    this.timer = 0;
    this.request = new AbortController();
    this.input.addEventListener("input", () => this.typed());
    dialog.addEventListener("keydown", (event) => this.pressed(event));
    dialog.addEventListener("click", (event) => {
      const close = event.target instanceof Element && event.target.closest("[data-palette-close]");
      if (close || event.target === dialog) dialog.close();
    });
  }

  open() {
    if (this.dialog.open) return;
    this.dialog.showModal();
    this.input.focus();
    this.input.select();
    this.typed();
  }

  /** @returns {string} the typed words, in lower case */
  text() {
    return this.input.value.trim().toLowerCase();
  }

  /** @returns {HTMLElement[]} the options that are shown */
  options() {
    return /** @type {HTMLElement[]} */ ([...this.dialog.querySelectorAll("[role=option]:not([hidden])")]);
  }

  /** @returns {HTMLElement | null} */
  selected() {
    return this.dialog.querySelector("[role=option][aria-selected=true]:not([hidden])");
  }

  typed() {
    const words = this.text().split(/\s+/);
    for (const group of this.dialog.querySelectorAll("[data-palette-group]")) {
      const options = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("[role=option]")]);
      for (const option of options) {
        const label = (option.textContent ?? "").toLowerCase();
        option.hidden = !words.every((word) => label.includes(word));
      }
      group.toggleAttribute("hidden", options.every((option) => option.hidden));
    }
    this.status.textContent = "";
    this.select(this.text() ? this.options()[0] : undefined);
    this.request.abort();
    window.clearTimeout(this.timer);
    if (this.text()) this.timer = window.setTimeout(() => void this.suggest(), WAIT_MS);
    else this.insert("");
  }

  async suggest() {
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      const query = new URLSearchParams({ q: this.input.value.trim() });
      const response = await ask(`${this.dialog.dataset.suggestionsUrl}?${query}`, { signal });
      const html = response.ok ? await response.text() : "";
      if (signal.aborted) return;
      this.insert(html);
      if (!response.ok) this.status.textContent = this.status.dataset.failed ?? "";
      else if (!this.options().length) this.status.textContent = this.status.dataset.none ?? "";
    } catch {
      if (!signal.aborted) this.status.textContent = this.status.dataset.failed ?? "";
    }
  }

  /** @param {string} html */
  insert(html) {
    const address = this.selected()?.getAttribute("href");
    this.suggestions.innerHTML = html;
    const same = this.options().find((option) => option.getAttribute("href") === address);
    this.select(same ?? (this.text() ? this.options()[0] : undefined));
  }

  /** @param {HTMLElement | undefined} option */
  select(option) {
    for (const other of this.dialog.querySelectorAll("[role=option]")) {
      other.setAttribute("aria-selected", String(other === option));
    }
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.isComposing) return;
    const options = this.options();
    const selected = this.selected();
    const index = selected ? options.indexOf(selected) : -1;
    if (event.key === "ArrowDown") this.select(options[(index + 1) % options.length]);
    else if (event.key === "ArrowUp") this.select(options.at(index > 0 ? index - 1 : -1));
    else if (event.key === "Escape") this.dialog.close();
    else if (event.key === "Enter" && event.target === this.input && selected) selected.click();
    else return;
    event.preventDefault();
  }
}

const dialog = document.querySelector("dialog[data-palette]");
const palette = dialog instanceof HTMLDialogElement ? new Palette(dialog) : undefined;

/** @param {KeyboardEvent} event */
function isShortcut(event) {
  if (event.altKey) return false;
  if (event.key.toLowerCase() === "k") return !event.shiftKey && event.ctrlKey !== event.metaKey;
  if (event.key !== "/" || event.ctrlKey || event.metaKey) return false;
  return !(event.target instanceof Element && event.target.closest(TYPING));
}

document.addEventListener("keydown", (event) => {
  if (!palette || !isShortcut(event)) return;
  event.preventDefault();
  palette.open();
});

document.addEventListener("click", (event) => {
  const opener = event.target instanceof Element && event.target.closest("[data-palette-open]");
  if (!palette || !opener || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  palette.open();
});
