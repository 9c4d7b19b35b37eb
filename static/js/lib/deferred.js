// Parts of a page that htmx fetches (components/deferred.html). A failed request shows an error with a button to
// retry. After the end of the session the page reloads, which leads to the login page.

/** @param {EventTarget | null} target */
function partOf(target) {
  return target instanceof HTMLElement && target.matches("[data-deferred]") ? target : null;
}

/** @param {EventTarget | null} target @param {boolean} failed */
function mark(target, failed) {
  const part = partOf(target);
  if (!part) return;
  part.ariaBusy = String(!failed);
  part.querySelector("[data-deferred-wait]")?.toggleAttribute("hidden", failed);
  part.querySelector("[data-deferred-error]")?.toggleAttribute("hidden", !failed);
}

document.addEventListener("htmx:beforeRequest", (event) => mark(event.target, false));
for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, (event) => mark(event.target, true));
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!(event instanceof CustomEvent) || !partOf(event.target)) return;
  const { xhr, pathInfo } = event.detail;
  if (new URL(xhr.responseURL).pathname === new URL(pathInfo.requestPath, location.href).pathname) return;
  event.preventDefault();
  location.reload();
});
