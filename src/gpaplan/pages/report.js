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
  const column = header.cellIndex;
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

// --- filtering: rows of the tables of results, whose third column is the solver ---

const form = document.getElementById("filter");
const query = document.getElementById("query");
const domain = document.getElementById("domain");
const solver = document.getElementById("solver");
const exceptions = document.getElementById("exceptions");
const shown = document.getElementById("shown");
const blocks = [...document.querySelectorAll(".results")];
const solverOf = (row) => row.cells[2].textContent;

function filter() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  let visible = 0, all = 0;
  for (const block of blocks) {
    let some = false;
    for (const row of block.querySelectorAll("tbody tr")) {
      const text = row.textContent.toLowerCase();
      const fits = (!domain.value || block.dataset.title === domain.value)
        && (!solver.value || solverOf(row) === solver.value)
        && (!exceptions.checked || row.querySelector(".exception") !== null)
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

function offer(select, names) {
  for (const name of new Set(names)) select.add(new Option(name, name));
}

offer(domain, blocks.map((block) => block.dataset.title));
offer(solver, [...document.querySelectorAll(".results tbody tr")].map(solverOf));
blocks[0].before(form);
form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("change", filter);
form.addEventListener("submit", (event) => event.preventDefault());
filter();
