// The title of a running run's page shows its progress, and a notification of the browser its end.

const STORED = "benchlab-notify-";

/** @returns {HTMLElement | null} the status part of the page, which the server renders */
function statusPart() {
  return document.querySelector("#run-status [data-run-title]");
}

/** @param {HTMLButtonElement} button */
function isWanted(button) {
  return localStorage.getItem(STORED + button.dataset.notify) === "1" && Notification.permission === "granted";
}

/** @param {HTMLButtonElement} button */
async function toggle(button) {
  const key = STORED + button.dataset.notify;
  if (isWanted(button)) {
    localStorage.removeItem(key);
  } else if ((await Notification.requestPermission()) === "granted") {
    localStorage.setItem(key, "1");
  } else {
    button.title = button.dataset.wordsDenied ?? "";
    button.disabled = true;
  }
  button.setAttribute("aria-pressed", String(isWanted(button)));
}

/** @param {HTMLButtonElement | null} button */
function update(button) {
  const status = statusPart();
  const title = status?.dataset.runTitle ?? "";
  if (!status || !title) return;
  document.title = `${title} · benchlab`;
  const reason = status.dataset.runEnded;
  if (reason === undefined || !button || button.hidden) return;
  if (isWanted(button)) {
    const notification = new Notification(title, { body: reason, tag: `benchlab-run-${button.dataset.notify}` });
    notification.addEventListener("click", () => window.focus());
  }
  localStorage.removeItem(STORED + button.dataset.notify);
  button.hidden = true;
}

const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-notify]"));
if (button && "Notification" in window && window.isSecureContext) {
  button.hidden = false;
  button.setAttribute("aria-pressed", String(isWanted(button)));
  button.addEventListener("click", () => void toggle(button));
}
document.getElementById("run-status")?.addEventListener("benchlab:inserted", () => update(button));
