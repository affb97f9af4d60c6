// The page of a trace: one step of a trial is looked at, and the abstract state in which it was taken is marked.
"use strict";

const steps = [...document.querySelectorAll(".step")];
let current = -1;

function show(wanted) {
  current = Math.max(0, Math.min(wanted, steps.length - 1));
  const step = steps[current];
  document.querySelectorAll(".here").forEach(each => each.classList.remove("here"));
  step.closest("details").open = true;
  document.getElementById("where").textContent = step.dataset.where;
  const box = document.querySelector(`svg a[href="#${CSS.escape(step.dataset.vertex)}"]`);
  [box, step].forEach(each => { each?.classList.add("here"); each?.scrollIntoView({block: "nearest", inline: "nearest"}); });
}

const MOVES = {ArrowLeft: () => show(current - 1), ArrowRight: () => show(current + 1), Home: () => show(0), End: () => show(steps.length - 1)};

if (steps.length > 0) {
  document.getElementById("previous").addEventListener("click", MOVES.ArrowLeft);
  document.getElementById("next").addEventListener("click", MOVES.ArrowRight);
  steps.forEach((step, i) => step.addEventListener("click", () => show(i)));
  document.addEventListener("keydown", event => {
    if (event.key in MOVES && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      MOVES[event.key]();
    }
  });
  show(0);
}
