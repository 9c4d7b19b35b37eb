// The form of a tuning profile: the search shows the settings whose label, name or help contains every word.

const search = document.getElementById("setting-search");
const groups = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("#setting-groups > details")]);
const opened = new Set(groups.filter((group) => group.open));

search?.addEventListener("input", () => {
  const words = search instanceof HTMLInputElement ? search.value.toLowerCase().split(/\s+/).filter(Boolean) : [];
  for (const group of groups) {
    const rows = /** @type {HTMLElement[]} */ ([...group.querySelectorAll(".form-row")]);
    for (const row of rows) {
      const text = `${row.dataset.field} ${row.textContent}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    group.hidden = rows.every((row) => row.hidden);
    group.open = words.length ? !group.hidden : opened.has(group);
  }
});

// The search belongs to no field of the profile: Enter in it does not send the form.
search?.addEventListener("keydown", (event) => {
  if (event.key === "Enter") event.preventDefault();
});
