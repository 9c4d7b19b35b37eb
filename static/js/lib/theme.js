// Light or dark: what the user chose, else what the system says. A classic script in the head, so that
// the attribute stands before the first paint; a module would run after it and the page would flash.
(() => {
  "use strict";
  const KEY = "benchlab-theme";
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");

  /** @returns {string | null} "light", "dark", or null where the user never chose (or storage is off) */
  function chosen() {
    try {
      const value = localStorage.getItem(KEY);
      return value === "light" || value === "dark" ? value : null;
    } catch {
      return null;
    }
  }

  /** Set the attribute that Tabler's variables hang on, and tell the charts. */
  function apply() {
    const theme = chosen() ?? (system.matches ? "dark" : "light");
    if (root.dataset.bsTheme === theme) return;
    root.dataset.bsTheme = theme;
    document.dispatchEvent(new CustomEvent("benchlab:theme", { detail: theme }));
  }

  /** Switch to the other theme; choosing what the system says anyway means following it again. */
  function toggle() {
    const next = root.dataset.bsTheme === "dark" ? "light" : "dark";
    const follows = next === (system.matches ? "dark" : "light");
    try {
      if (follows) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, next);
    } catch {
      root.dataset.bsTheme = next; // without storage the choice holds for this page
      return;
    }
    apply();
  }

  apply();
  system.addEventListener("change", apply);
  window.addEventListener("storage", (event) => event.key === KEY && apply());
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("[data-theme-toggle]")) toggle();
  });
})();
