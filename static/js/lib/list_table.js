// Lists: a check box that selects all rows of the page, and a menu that hides columns. Hidden columns are stored in the
// browser for each list; `?columns=name,state` in the address overrides them. Heads with data-column-off are hidden
// until they are chosen. Rows that are inserted later follow their table.

const HIDDEN = "benchlab.hidden-columns:";

/** @param {ParentNode} root */
export function startLists(root) {
  for (const table of root.querySelectorAll("table[data-list]")) {
    if (!(table instanceof HTMLTableElement)) continue;
    labelCells(table);
    if (table.dataset.listStarted === undefined) {
      table.dataset.listStarted = "";
      startSelection(table);
      startColumns(table);
    } else if (headsOf(table).length > 1) {
      hide(table, headsOf(table), hiddenColumns(headsOf(table)));
    }
  }
}

/**
 * @param {HTMLTableElement} table
 * @returns {HTMLElement[]}
 */
function headsOf(table) {
  return /** @type {HTMLElement[]} */ ([...table.querySelectorAll("thead th[data-column]")]);
}

/**
 * Write the head of its column to each cell: on a phone a row is a card (css/app.css).
 * @param {HTMLTableElement} table
 */
function labelCells(table) {
  const labels = [...(table.tHead?.rows[0]?.cells ?? [])].map((head) => (head.textContent ?? "").trim());
  for (const row of table.tBodies[0]?.rows ?? []) {
    for (const cell of row.cells) cell.dataset.label = labels[cell.cellIndex] ?? "";
  }
}

/** @param {HTMLTableElement} table */
function startSelection(table) {
  const all = table.querySelector("[data-select-all]");
  if (!(all instanceof HTMLInputElement)) return;
  const boxes = () => /** @type {HTMLInputElement[]} */ ([...table.querySelectorAll("tbody input[type=checkbox][form]")]);
  const update = () => {
    const checked = boxes().filter((box) => box.checked).length;
    all.checked = checked > 0 && checked === boxes().length;
    all.indeterminate = checked > 0 && !all.checked;
  };
  all.addEventListener("change", () => {
    for (const box of boxes()) box.checked = all.checked;
  });
  table.tBodies[0]?.addEventListener("change", update);
  update();
}

/** @param {HTMLTableElement} table */
function startColumns(table) {
  const menu = document.querySelector("[data-columns-menu]");
  const tools = menu?.closest("[hidden]");
  const heads = headsOf(table);
  if (!menu || !(tools instanceof HTMLElement) || heads.length < 2) return;
  const hidden = hiddenColumns(heads);
  const show = () => hide(table, heads, hidden);
  // The first column names the row, so it stays.
  for (const head of heads.slice(1)) {
    const label = document.createElement("label");
    label.className = "dropdown-item form-check-item";
    const box = document.createElement("input");
    box.type = "checkbox";
    box.className = "form-check-input";
    box.checked = !hidden.has(head.dataset.column ?? "");
    box.addEventListener("change", () => {
      const key = head.dataset.column ?? "";
      if (box.checked) hidden.delete(key);
      else hidden.add(key);
      store(hidden);
      show();
    });
    label.append(box, (head.textContent ?? "").trim());
    menu.append(label);
  }
  tools.hidden = false;
  show();
}

/**
 * Return the hidden columns: all that the address leaves out, else those stored in the browser.
 * @param {HTMLElement[]} heads
 * @returns {Set<string>}
 */
function hiddenColumns(heads) {
  const named = new URLSearchParams(location.search).get("columns");
  const keys = heads.slice(1).map((head) => head.dataset.column ?? "");
  if (named) return new Set(keys.filter((key) => !named.split(",").includes(key)));
  const off = heads.filter((head) => head.dataset.columnOff !== undefined).map((head) => head.dataset.column ?? "");
  try {
    const stored = localStorage.getItem(HIDDEN + location.pathname)?.split(",") ?? off;
    return new Set(keys.filter((key) => stored.includes(key)));
  } catch {
    return new Set(off);
  }
}

/** @param {Set<string>} hidden */
function store(hidden) {
  try {
    localStorage.setItem(HIDDEN + location.pathname, [...hidden].join(","));
  } catch {
    // A browser without storage shows all columns on the next page.
  }
  const address = new URL(location.href);
  if (!address.searchParams.has("columns")) return;
  address.searchParams.delete("columns");
  history.replaceState(history.state, "", address);
}

/**
 * @param {HTMLTableElement} table
 * @param {HTMLElement[]} heads
 * @param {Set<string>} hidden
 */
function hide(table, heads, hidden) {
  for (const head of heads) {
    const isHidden = hidden.has(head.dataset.column ?? "");
    const { cellIndex } = /** @type {HTMLTableCellElement} */ (head);
    for (const row of table.rows) row.cells[cellIndex]?.toggleAttribute("hidden", isHidden);
  }
}
