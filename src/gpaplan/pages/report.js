// The tables of a report: a click on a column's name sorts by it, and the field above shows the rows that have all its words.
"use strict";

/** What a row is sorted by: the number of its cell (data-sort), else its text. */
function keyOf(row, column) {
  const {dataset, textContent} = row.cells[column];
  return dataset.sort === undefined ? textContent : Number(dataset.sort);
}

/** Numbers before texts, which come last either way: a text among numbers says that nothing is known. */
function compare(a, b, direction) {
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return direction * (typeof a === "number" ? a - b : a.localeCompare(b, "en", {numeric: true}));
}

function sortBy(header) {
  const table = header.closest("table");
  const direction = header.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  table.querySelectorAll("th[aria-sort]").forEach(each => each.removeAttribute("aria-sort"));
  header.setAttribute("aria-sort", direction < 0 ? "descending" : "ascending");
  const key = row => keyOf(row, header.cellIndex);
  table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => compare(key(a), key(b), direction)));
}

const rows = [...document.querySelectorAll("tbody tr")];
const query = document.getElementById("query");

function filter() {
  const words = query.value.toLowerCase().split(/\s+/);
  rows.forEach(row => { row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word)); });
  document.getElementById("shown").textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} rows`;
}

document.querySelectorAll("th button").forEach(button => button.addEventListener("click", () => sortBy(button.closest("th"))));
document.getElementById("filter").hidden = false;
query.addEventListener("input", filter);
filter();
