// Sending files: dropping them, folders with their paths, and how far the sending is. Without this script the form
// works as a plain one.

const form = /** @type {HTMLFormElement} */ (document.getElementById("import-form"));
const drop = /** @type {HTMLElement} */ (document.getElementById("import-drop"));
const pasted = /** @type {HTMLTextAreaElement} */ (document.getElementById("import-text"));
const status = /** @type {HTMLElement} */ (document.getElementById("import-chosen"));
const KIB = 1024;
const MIB = 1024 * KIB;
const PASTED = "pasted.txt";

/** @type {{ path: string, file: File }[]} files that were dropped; those in the inputs come on top */
let dropped = [];

/** Everything that is chosen now. */
function chosen() {
  const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=file]"));
  const files = [...inputs].flatMap((input) => [...(input.files ?? [])]);
  const all = [...dropped, ...files.map((file) => ({ path: file.webkitRelativePath || file.name, file }))];
  // As a file it may be longer than a field of a form.
  if (pasted.value.trim()) all.push({ path: PASTED, file: new File([pasted.value], PASTED) });
  return all;
}

/**
 * @param {string} text
 * @param {boolean} bad
 */
function say(text, bad = false) {
  status.textContent = text;
  status.classList.toggle("is-bad", bad);
}

/** @param {number} bytes */
function inWords(bytes) {
  return bytes < MIB ? `${Math.ceil(bytes / KIB)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;
}

/** Say how much is chosen; true when it can be sent. */
function review() {
  const files = chosen();
  const size = files.reduce((sum, each) => sum + each.file.size, 0);
  if (size > Number(form.dataset.mostMib) * MIB) {
    say(form.dataset.tooLarge ?? "", true);
    return false;
  }
  const words = form.dataset.chosen ?? "";
  say(files.length ? words.replace("{files}", String(files.length)).replace("{size}", inWords(size)) : "");
  return files.length > 0;
}

/**
 * All files below a dropped entry, with their paths.
 * @param {FileSystemEntry} entry
 * @returns {Promise<{ path: string, file: File }[]>}
 */
async function below(entry) {
  if (entry.isFile) {
    const one = /** @type {FileSystemFileEntry} */ (entry);
    const file = await new Promise((resolve, reject) => one.file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ""), file }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const files = [];
  for (;;) {
    // A reader gives its entries in portions and an empty one at the end.
    const portion = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!portion.length) return files;
    for (const inner of portion) files.push(...(await below(inner)));
  }
}

/** @param {DragEvent} event */
async function take(event) {
  const items = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
  const entries = items.filter((entry) => entry !== null);
  const plain = [...(event.dataTransfer?.files ?? [])].map((file) => ({ path: file.name, file }));
  const files = entries.length ? (await Promise.all(entries.map(below))).flat() : plain;
  dropped = [...dropped, ...files];
  review();
}

/** Send everything with its paths; the answer is a page, its address or an error's text. */
function send() {
  const body = new FormData(form);
  body.delete("file");
  body.delete("text");
  for (const { path, file } of chosen()) {
    body.append("path", path);
    body.append("file", file, file.name);
  }
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.upload.addEventListener("progress", (event) => {
    const percent = event.lengthComputable ? Math.floor((100 * event.loaded) / event.total) : 0;
    const words = percent < 100 ? form.dataset.sending : form.dataset.reading;
    say((words ?? "").replace("{percent}", String(percent)));
  });
  request.addEventListener("load", () => answered(request));
  request.addEventListener("error", () => failed(form.dataset.lost ?? ""));
  request.send(body);
}

/** @param {XMLHttpRequest} request */
function answered(request) {
  if (request.status < 300) {
    location.assign(request.responseURL);
    return;
  }
  const page = new DOMParser().parseFromString(request.responseText, "text/html");
  const sentence = page.querySelector("#import-form .alert, .form-error, .empty-subtitle, main p");
  failed(sentence?.textContent?.trim() || form.dataset.lost || "");
}

/** @param {string} sentence */
function failed(sentence) {
  say(sentence, true);
  for (const button of form.querySelectorAll("button")) button.disabled = false;
}

form.addEventListener("change", review);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!review()) {
    if (!status.classList.contains("is-bad")) say(form.dataset.nothing ?? "", true);
    return;
  }
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  send();
});
for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("is-over");
  });
}
drop.addEventListener("dragleave", () => drop.classList.remove("is-over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("is-over");
  void take(event);
});
