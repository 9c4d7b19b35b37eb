// Times that say how long ago they were: <time datetime="..." data-ago="text">, or data-ago="title" for the hint.
// The server writes the moment itself, so that a page stays the same.
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];
const words = new Intl.RelativeTimeFormat(document.documentElement.lang || "en", { style: "short" });

/** @param {string} moment */
function relative(moment) {
  const seconds = (Date.parse(moment) - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return words.format(Math.trunc(seconds / size), unit);
}

/** @param {ParentNode} root */
export function showAges(root) {
  for (const time of root.querySelectorAll("time[data-ago]")) {
    if (!(time instanceof HTMLTimeElement)) continue;
    if (time.dataset.ago === "title") time.title = relative(time.dateTime);
    else time.textContent = relative(time.dateTime);
  }
}

setInterval(() => showAges(document), 60_000);
