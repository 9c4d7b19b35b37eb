// Passkeys: registration and assertion through Web Authentication (W3C, Level 3, JSON methods).

/** @returns {any} the server's options */
function options() {
  return JSON.parse(document.querySelector("#passkey-options")?.textContent ?? "{}").publicKey;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 */
function showError(form, text) {
  const part = form.querySelector("[data-passkey-error]");
  if (!(part instanceof HTMLElement)) return;
  part.textContent = text;
  part.hidden = false;
}

/**
 * @param {HTMLFormElement} form
 * @param {Credential | null} credential
 */
function send(form, credential) {
  const field = form.querySelector("[data-credential]");
  if (!(field instanceof HTMLInputElement) || !credential) throw new Error("no credential");
  field.value = JSON.stringify(/** @type {any} */ (credential).toJSON());
  form.submit();
}

/** @param {HTMLFormElement} form */
async function create(form) {
  const known = /** @type {any} */ (window.PublicKeyCredential);
  if (!known?.parseCreationOptionsFromJSON) {
    showError(form, form.dataset.old ?? "");
    return;
  }
  try {
    send(form, await navigator.credentials.create({ publicKey: known.parseCreationOptionsFromJSON(options()) }));
  } catch {
    showError(form, form.dataset.failed ?? "");
  }
}

/** @param {HTMLButtonElement} button */
async function get(button) {
  const form = button.form;
  if (!form) return;
  try {
    const known = /** @type {any} */ (window.PublicKeyCredential);
    send(form, await navigator.credentials.get({ publicKey: known.parseRequestOptionsFromJSON(options()) }));
  } catch {
    showError(form, button.dataset.failed ?? "");
  }
}

for (const form of document.querySelectorAll("form[data-passkey-create]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form instanceof HTMLFormElement) void create(form);
  });
}
for (const button of document.querySelectorAll("button[data-passkey-get]")) {
  if (button instanceof HTMLButtonElement) button.addEventListener("click", () => void get(button));
}
