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
  document.querySelectorAll("svg").forEach(svg => svg.setAttribute("width", svg.viewBox.baseVal.width * byId("size").value));
  document.querySelectorAll("svg").forEach(svg => svg.setAttribute("height", svg.viewBox.baseVal.height * byId("size").value));
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
chooseLevel();
select(location.hash);
