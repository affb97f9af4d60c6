"use strict";
/*
 * The page to step through trials. The data is in the element #data, as gpaplan/traces/page.py describes it.
 *
 * Position k of a trial is the state after k steps: what the last step changed, and what is done next.
 */
(() => {
  const MOST_ATOMS = 400;  // of a state that are listed
  const data = JSON.parse(byId("data").textContent);
  const choice = byId("trial");
  const slider = byId("position");
  const amount = number => String(Number(number.toPrecision(8)));
  let trial = null;
  let position = 0;

  /** The places of the atoms that hold at the position. */
  function state() {
    const atoms = new Set(trial.initial);
    for (const {added, deleted} of trial.steps.slice(0, position)) {
      deleted.forEach(atom => atoms.delete(atom));
      added.forEach(atom => atoms.add(atom));
    }
    return [...atoms];
  }

  const spent = () => trial.steps.slice(0, position).reduce((sum, {cost}) => sum + cost, 0);

  // --- the step -----------------------------------------------------------------------------------------------------

  function heading() {
    return position === 0 ? "The start" : `After step ${position} of ${trial.steps.length}`;
  }

  function whatHappened() {
    if (position === 0) {
      return [];
    }
    const {action, cost, added, deleted} = trial.steps[position - 1];
    const changes = [
      ...deleted.map(atom => make("li", {class: "lost"}, data.atoms[atom])),
      ...added.map(atom => make("li", {class: "gained"}, data.atoms[atom])),
    ];
    return [
      make("h3", {}, "What happened"),
      make("p", {class: "last-action"}, make("span", {class: "action-name"}, action), ` at the cost ${amount(cost)}`),
      changes.length > 0 ? make("ul", {class: "changes"}, ...changes) : make("p", {class: "note"}, "Nothing changed."),
    ];
  }

  function whatIsNext() {
    if (position === trial.steps.length) {
      return [make("p", {class: "end"}, `The end: ${trial.words}. The trial costs ${amount(trial.cost)}.`)];
    }
    const {action, terms: known, vertex} = trial.steps[position];
    const seen = data.vertices[vertex] === undefined ? [] : [
      make("h3", {}, `What the automaton sees (${vertex})`), list(data.vertices[vertex], {class: "words"})];
    return [
      make("h3", {}, "What is done next"),
      make("p", {class: "next-action"}, make("span", {class: "action-name"}, action)),
      terms(known, "why"),
      ...seen,
    ];
  }

  function theState() {
    const fresh = new Set(position === 0 ? [] : trial.steps[position - 1].added);
    const atoms = state().map(atom => [data.atoms[atom], fresh.has(atom)]).sort(([a], [b]) => (a < b ? -1 : 1));
    const shown = atoms.slice(0, MOST_ATOMS);
    return [
      make("h3", {}, `The state (${counted(atoms.length, "atom")})`),
      make("ul", {class: "state"}, ...shown.map(([text, isNew]) => make("li", isNew ? {class: "new"} : {}, text))),
      ...(atoms.length > shown.length ? [make("p", {class: "note"}, `… and ${atoms.length - shown.length} more`)] : []),
    ];
  }

  function show(wanted) {
    position = clamp(wanted, 0, trial.steps.length);
    slider.value = position;
    byId("where").textContent = `step ${position} of ${trial.steps.length}, cost ${amount(spent())}`;
    byId("first").disabled = byId("previous").disabled = position === 0;
    byId("last").disabled = byId("next").disabled = position === trial.steps.length;
    byId("now").replaceChildren(
      make("h2", {}, heading()), make("p", {class: "cost-so-far"}, `Cost so far: ${amount(spent())}`),
      ...whatHappened(), ...whatIsNext(), ...theState(),
    );
    const rows = [...byId("path").querySelectorAll("tbody tr")];
    rows.forEach((row, i) => row.classList.toggle("here", i === position));
    const row = rows[position];
    const path = byId("path");
    if (row.offsetTop < path.scrollTop + 30 || row.offsetTop > path.scrollTop + path.clientHeight - 40) {
      path.scrollTop = row.offsetTop - path.clientHeight / 2;
    }
    highlight(trial.steps[position]?.vertex ?? null);
  }

  // --- the list of steps, and the automaton -------------------------------------------------------------------------

  function listSteps() {
    const row = (i, ...cells) => {
      const element = make("tr", {}, ...cells.map(cell => make("td", {}, cell)));
      element.addEventListener("click", () => show(i));
      return element;
    };
    byId("path").replaceChildren(make("table", {},
      make("thead", {}, make("tr", {}, ...["step", "next action", "cost"].map(text => make("th", {scope: "col"}, text)))),
      make("tbody", {}, ...trial.steps.map(({action, cost}, i) => row(i, String(i), action, amount(cost))),
        row(trial.steps.length, String(trial.steps.length), `the end: ${trial.words}`, ""))));
  }

  function highlight(vertex) {
    document.querySelectorAll("svg .here").forEach(each => each.classList.remove("here"));
    const box = vertex === null ? null : document.querySelector(`svg a[href="#${CSS.escape(vertex)}"]`);
    box?.classList.add("here");
    box?.scrollIntoView({block: "nearest", inline: "nearest"});
  }

  function choose(index) {
    choice.value = clamp(index, 0, data.trials.length - 1);
    trial = data.trials[choice.value];
    slider.max = trial.steps.length;
    listSteps();
    show(0);
  }

  // --- start --------------------------------------------------------------------------------------------------------

  document.title = data.name;
  byId("title").textContent = data.title;
  byId("counts").textContent = data.counts.join(" · ");
  if (data.trials.length === 0) {
    byId("empty").hidden = false;
    byId("controls").hidden = byId("now").hidden = byId("path").hidden = true;
    return;
  }
  choice.append(...data.trials.map(({end, cost, steps}, i) =>
    make("option", {value: i}, `${i + 1}: ${end}, ${counted(steps.length, "step")}, cost ${amount(cost)}`)));
  byId("graph").hidden = Object.keys(data.vertices).length === 0;
  choose(0);

  const MOVES = {
    first: () => show(0), previous: () => show(position - 1), next: () => show(position + 1), last: () => show(trial.steps.length),
  };
  Object.entries(MOVES).forEach(([id, move]) => byId(id).addEventListener("click", move));
  slider.addEventListener("input", () => show(Number(slider.value)));
  choice.addEventListener("change", () => choose(Number(choice.value)));
  const KEYS = {
    ArrowLeft: MOVES.previous, ArrowRight: MOVES.next, Home: MOVES.first, End: MOVES.last,
    PageUp: () => choose(Number(choice.value) - 1), PageDown: () => choose(Number(choice.value) + 1),
  };
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === choice || !(event.key in KEYS)) {
      return;
    }
    event.preventDefault();
    KEYS[event.key]();
  });
})();
