// Requests to benchlab itself: the session's cookie, the CSRF token, and a clear error.

/** What the server answered with when it was not a success. */
export class RequestError extends Error {
  /** @param {Response} response */
  constructor(response) {
    super(`${response.status} ${response.statusText}`.trim());
    this.name = "RequestError";
    this.status = response.status;
  }
}

/** @returns {string} the CSRF token of this session; empty where the page has no form */
export function csrfToken() {
  const field = document.querySelector("input[name=csrfmiddlewaretoken]");
  if (field instanceof HTMLInputElement) return field.value;
  return document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
}

/**
 * Ask the server. A redirect means that the session has ended: the page is loaded again, which leads to
 * the login and back.
 * @param {string} url
 * @param {RequestInit} [options]
 * @returns {Promise<Response>} any answer, also 304 and errors
 */
export async function ask(url, options = {}) {
  const headers = new Headers(options.headers);
  headers.set("X-Requested-With", "fetch");
  if (options.method && options.method !== "GET") headers.set("X-CSRFToken", csrfToken());
  const response = await fetch(url, { credentials: "same-origin", ...options, headers });
  if (response.redirected && new URL(response.url).pathname !== new URL(url, location.href).pathname) {
    location.reload();
  }
  return response;
}

/**
 * JSON from the server.
 * @param {string} url
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 * @throws {RequestError} when the status is not 2xx
 */
export async function askJson(url, options = {}) {
  const headers = new Headers(options.headers);
  headers.set("Accept", "application/json");
  const response = await ask(url, { ...options, headers });
  if (!response.ok) throw new RequestError(response);
  return response.json();
}

/**
 * Send JSON by POST.
 * @param {string} url
 * @param {unknown} body
 * @returns {Promise<any>}
 */
export function postJson(url, body) {
  return askJson(url, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });
}
