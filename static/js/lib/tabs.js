// Scroll a row of tabs that is wider than the window to the page that is shown.

for (const list of document.querySelectorAll(".nav-tabs")) {
  const active = list.querySelector(".active");
  if (active) {
    const [row, tab] = [list.getBoundingClientRect(), active.getBoundingClientRect()];
    list.scrollLeft += tab.left + tab.width / 2 - row.left - row.width / 2;
  }
}
