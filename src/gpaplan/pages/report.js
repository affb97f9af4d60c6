// The tables of a report: a click on a column's name sorts by it, the form above shows some rows and hides the others.
"use strict";

// --- sorting: by numbers where a cell has one (data-sort), then by text; what is unknown comes last either way ---

function keyOf(row, column) {
  const cell = row.cells[column];
  const number = cell.dataset.sort;
  return number === undefined ? cell.textContent.trim() : number === "" ? null : Number(number);
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

function sortBy(header) {
  const table = header.closest("table");
  const column = Number(header.dataset.column);
  const descending = header.getAttribute("aria-sort") === "ascending";
  for (const each of table.querySelectorAll("th[aria-sort]")) each.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row, place) => ({ row, place, key: keyOf(row, column) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.place - b.place;
    return (descending ? -1 : 1) * compare(a.key, b.key) || a.place - b.place;
  });
  body.append(...keyed.map((each) => each.row));
}

for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => sortBy(button.closest("th")));
}

// --- filtering ---

const form = document.getElementById("filter");
const query = document.getElementById("query");
const domain = document.getElementById("domain");
const solver = document.getElementById("solver");
const exceptions = document.getElementById("exceptions");
const shown = document.getElementById("shown");
const blocks = [...document.querySelectorAll(".results")];

function filter() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  let visible = 0, all = 0;
  for (const block of blocks) {
    let some = false;
    for (const row of block.querySelectorAll("tbody tr")) {
      const text = row.textContent.toLowerCase();
      const fits = (!domain.value || block.dataset.domain === domain.value)
        && (!solver.value || row.dataset.solver === solver.value)
        && (!exceptions.checked || row.dataset.exception === "1")
        && words.every((word) => text.includes(word));
      row.hidden = !fits;
      some ||= fits;
      visible += fits;
      all += 1;
    }
    block.hidden = !some;
  }
  shown.textContent = visible === all ? `${all} rows` : `${visible} of ${all} rows`;
}

form.addEventListener("input", filter);
form.addEventListener("change", filter);
form.addEventListener("submit", (event) => event.preventDefault());
filter();
