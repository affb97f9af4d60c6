// The page of a graph: what is shown at which level and size, what is found, and what is selected. Links do the rest.
"use strict";

const byId = id => document.getElementById(id);
const levels = [...document.querySelectorAll(".level")];
const boxes = [...document.querySelectorAll("svg a")];

function chooseLevel() {
  levels.forEach((each, i) => { each.hidden = i !== byId("level").selectedIndex; });
}

/** Mark what has all the words, in its name or in what is known of it. */
function search() {
  const words = byId("query").value.toLowerCase().split(/\s+/).filter(word => word !== "");
  const known = box => document.querySelector(box.getAttribute("href")).textContent.toLowerCase();
  const found = boxes.filter(box => words.length > 0 && words.every(word => known(box).includes(word)));
  boxes.forEach(box => box.classList.toggle("match", found.includes(box)));
  const here = found.filter(box => !box.closest(".level").hidden);
  byId("matches").textContent = words.length > 0 ? `${here.length} found` : "";
  here[0]?.scrollIntoView({block: "nearest", inline: "nearest"});
}

function resize() {
  for (const svg of document.querySelectorAll("svg"))
    for (const side of ["width", "height"]) svg.setAttribute(side, svg.viewBox.baseVal[side] * byId("size").value);
}

/** As much of the drawing as there is room for, with labels that can be read: of 8 pixels at least. */
function fit() {
  const svg = document.querySelector(".level:not([hidden]) svg");
  const {width, height} = svg.viewBox.baseVal, room = svg.parentElement;
  byId("size").value = Math.max(0.8, Math.min(room.clientWidth / width, room.clientHeight / height));
  resize();
}

/** Show what a link leads to. (In the frame of a notebook a link leads nowhere by itself.) */
function select(link) {
  document.querySelectorAll(".item").forEach(item => { item.classList.toggle("shown", `#${item.id}` === link); });
  boxes.forEach(box => box.classList.toggle("selected", box.getAttribute("href") === link));
  document.querySelector(".item.shown")?.scrollIntoView({block: "nearest"});
}

document.addEventListener("click", event => {
  const link = event.target.closest("a");
  if (link !== null) {
    event.preventDefault();
    select(link.getAttribute("href"));
  }
});
byId("levels").hidden = levels.length === 1;
byId("level").addEventListener("change", () => { chooseLevel(); search(); });
byId("query").addEventListener("input", search);
byId("size").addEventListener("input", resize);
byId("fit").addEventListener("click", fit);
byId("fit").disabled = boxes.length === 0;
chooseLevel();
select(location.hash);
