// The plan form: sentences of the live preview are put beside the inputs they are about, and the steps that were
// open stay open when the server sends them again.

const MARK = "data-live-problem";

/**
 * @param {string} name an input's name
 * @returns {Element | null} the row of the form it stands in
 */
function rowOf(name) {
  const input = document.querySelector(`#plan-form [name="${CSS.escape(name)}"]`);
  return input?.closest(".form-row") ?? null;
}

/**
 * @param {Element} row
 * @param {string[]} sentences
 */
function say(row, sentences) {
  for (const old of row.querySelectorAll(`.form-error:not([${MARK}])`)) old.remove(); // said again here
  const box = document.createElement("div");
  box.className = "form-error";
  box.setAttribute(MARK, "");
  for (const sentence of new Set(sentences)) {
    const line = document.createElement("div");
    line.textContent = sentence;
    box.append(line);
  }
  row.append(box);
  openAround(row);
}

/** @param {Element} element */
function openAround(element) {
  for (let box = element.closest("details"); box; box = box.parentElement?.closest("details") ?? null) box.open = true;
}

/** Replace every sentence beside an input by those of the newest preview. */
function showProblems() {
  const source = document.getElementById("plan-problems");
  if (!source) return;
  for (const old of document.querySelectorAll(`[${MARK}]`)) old.remove();
  /** @type {Record<string, string[]>} */
  const problems = JSON.parse(source.textContent ?? "{}");
  for (const [name, sentences] of Object.entries(problems)) {
    const row = rowOf(name);
    if (row) say(row, sentences);
  }
}

// A refusal is about what was sent: it goes when the input is changed, and comes back if it is still true.
document.addEventListener("input", (event) => {
  const row = event.target instanceof Element ? event.target.closest("#plan-form .form-row") : null;
  for (const old of row?.querySelectorAll(".form-error") ?? []) old.remove();
  for (const input of row?.querySelectorAll(".is-invalid") ?? []) input.classList.remove("is-invalid");
});

// Advice of the preview: its button enters the value, and the form asks for a new preview as after typing.
document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-advice-input]") : null;
  if (!button) return;
  const name = button.getAttribute("data-advice-input") ?? "";
  const value = button.getAttribute("data-advice-value") ?? "";
  const input = document.querySelector(`#plan-form [name="${CSS.escape(name)}"]`);
  if (input instanceof HTMLSelectElement) {
    for (const option of input.options) option.selected = option.value === value;
  } else if (input instanceof HTMLInputElement) {
    input.value = value;
  } else {
    return;
  }
  openAround(input);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
});

/** @type {Map<string, boolean>} open or closed, by name */
let before = new Map();

/** @param {Element} details */
function nameOf(details) {
  const key = details.closest(".plan-step")?.querySelector("input[name=step]");
  return `${key instanceof HTMLInputElement ? key.value : ""} ${details.getAttribute("data-group")}`;
}

/** @returns {HTMLDetailsElement[]} */
function detailsOfSteps() {
  return [...document.querySelectorAll(".plan-step details")].filter((one) => one instanceof HTMLDetailsElement);
}

document.addEventListener("htmx:beforeSwap", () => {
  before = new Map(detailsOfSteps().map((details) => [nameOf(details), details.open]));
});

document.addEventListener("htmx:afterSettle", () => {
  const added = detailsOfSteps().filter((details) => !before.has(nameOf(details)) && details.dataset.group === "step");
  for (const details of detailsOfSteps()) details.open = before.get(nameOf(details)) ?? details.open;
  if (added.length === 1 && added[0]) added[0].open = true;
  showProblems();
});
