// The workbench: one state is looked at; every click leads to another one, and the server is asked about it.
"use strict";

const byId = id => document.getElementById(id);
const before = [];
let known = {initial: [], variables: [], static: [], fixed: []};
let state = [], steps = [], step = -1, asked = 0;

async function ask(question) {
  let answer;
  try {
    const headers = {"Content-Type": "application/json"};
    answer = await (await fetch("ask", {method: "POST", headers, body: JSON.stringify(question)})).json();
  } catch {
    answer = {error: "The workbench does not answer any more; start it again: gpaplan serve"};
  }
  byId("error").hidden = answer.error === undefined;
  byId("error").textContent = answer.error ?? "";
  return answer;
}

/** An element with a text, or with parts. */
function made(tag, content, settings = {}) {
  const element = Object.assign(document.createElement(tag), settings);
  element.append(...[content].flat());
  return element;
}

function link(text, action) {
  const button = made("button", text, {type: "button", className: "link"});
  button.addEventListener("click", action);
  return button;
}

// --- the state, and what to do in it ---

function showPicture(svg) {
  byId("picture").src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

async function look(wanted, from = state) {
  const number = ++asked;
  byId("summary").textContent = "Looking ahead …";
  const answer = await ask({ask: "look", state: wanted});
  if (answer.error !== undefined || number !== asked) return;
  if (from !== null && from.length > 0) before.push(from);
  state = answer.state;
  byId("back").disabled = before.length === 0;
  showPicture(answer.picture);
  byId("warning").textContent = answer.warning ? `This state cannot come about: ${answer.warning}.` : "";
  const acted = answer.acted?.action ? ` Acting, one would take ${answer.acted.action}: ${answer.acted.reason}.` : "";
  byId("summary").textContent = answer.summary + acted;
  byId("ruled").hidden = answer.actions.every(each => each.rule === "");
  byId("actions").replaceChildren(...answer.actions.map(each => {
    const name = link(each.action, () => whatIf(each.action));
    const cells = [name, each.cost, each.verdict, each.rule].map(content => made("td", content));
    return made("tr", cells, {className: each.taken ? "taken" : ""});
  }));
  byId("outcomes").replaceChildren();
  showAtoms();
}

async function whatIf(action) {
  const answer = await ask({ask: "outcomes", state, action});
  if (answer.error !== undefined) return;
  const items = answer.outcomes.map(each => made("li", link(each.words, () => look(each.state))));
  byId("outcomes").replaceChildren(made("p", `After ${action}:`), made("ul", items));
}

/** Rows of atoms as chips; those that hold are pressed. */
function showChips(id, rows, held, change) {
  const words = byId("find").value.toLowerCase();
  const found = rows.filter(row => row.some(atom => atom.includes(words))).slice(0, 100);
  byId(id).replaceChildren(...found.map(row => made("p", row.map(atom => {
    const chip = made("button", atom, {type: "button", className: "chip"});
    chip.setAttribute("aria-pressed", held.includes(atom));
    chip.addEventListener("click", () => change(atom, row));
    return chip;
  }))));
}

/** A row for each variable, of whose atoms only one holds; and rows of what never changes. */
function showAtoms() {
  showChips("atoms", known.variables.map(each => each.atoms), state, (atom, row) => {
    const others = state.filter(each => !row.includes(each));
    look(state.includes(atom) ? others : [...others, atom]);
  });
  byId("never").hidden = known.fixed.length === 0;
  showChips("fixed", known.fixed, known.static, async atom => {
    const others = known.static.filter(each => each !== atom);
    const answer = await ask({ask: "world", state, static: known.static.includes(atom) ? others : [...others, atom]});
    if (answer.error !== undefined) return;
    known = answer;
    before.length = 0;
    byId("known").textContent = "another problem: what was found of the one before is forgotten";
    look(answer.initial, null);
    checkRules();
  });
}

// --- solving ---

const number = value => value === null || value === undefined ? "none yet" : String(Number(value.toPrecision(6)));

async function follow(question) {
  const answer = await ask({ask: question});
  const parts = answer.expanded === undefined ? [] : [`cost ${number(answer.value)}`, `bound ${number(answer.lower_bound)}`, `gap ${number(answer.gap)}`, `${answer.expanded} states`];
  byId("known").textContent = [...parts, answer.text ?? ""].join(" · ");
  const isOver = answer.is_over !== false;
  byId("solve").textContent = isOver ? "Solve" : "Stop";
  if (isOver) look(state, null);
  else if (question !== "stop") setTimeout(follow, 200, "progress");
}

// --- trials ---

async function runTrials() {
  const answer = await ask({ask: "trials", state});
  if (answer.error !== undefined) return;
  steps = [];
  byId("trials").replaceChildren(...answer.trials.map((trial, i) => {
    let atoms = trial.initial;
    const items = [{text: "begin", atoms}, ...trial.steps.map(each => {
      atoms = [...atoms.filter(atom => !(each.deleted ?? []).includes(atom)), ...(each.added ?? [])];
      return {text: each.action, atoms};
    })].map((each, place) => {
      const at = steps.length;
      const name = link(each.text, () => stepTo(at));
      steps.push({atoms: each.atoms, name, where: `trial ${i + 1}, step ${place} of ${trial.steps.length}`});
      return made("li", name);
    });
    const end = `Trial ${i + 1}: ${trial.steps.length} steps, cost ${number(trial.cost)}, ${trial.end}`;
    return made("details", [made("summary", end), made("ol", items, {start: 0})], {open: i === 0});
  }));
  if (steps.length > 0) stepTo(0);
}

function stepTo(wanted) {
  if (steps.length === 0) return;
  steps[step]?.name.removeAttribute("aria-current");
  step = Math.max(0, Math.min(wanted, steps.length - 1));
  const {atoms, name, where} = steps[step];
  name.setAttribute("aria-current", "true");
  name.closest("details").open = true;
  byId("where").textContent = where;
  look(atoms, null);
}

// --- rules ---

let waiting = 0;

async function checkRules() {
  const text = byId("rules").value;
  if (text.trim() === "") return byId("verdict").replaceChildren();
  const answer = await ask({ask: "rules", text});
  if (text !== byId("rules").value) return;
  if (answer.error !== undefined) {
    byId("error").hidden = true;
    return byId("verdict").replaceChildren(made("p", answer.error, {className: "fails"}));
  }
  byId("verdict").replaceChildren(
    ...answer.problems.map(each => made("p", `${each.problem}: ${each.verdict}`, {className: each.fails ? "fails" : ""})),
    made("ol", answer.rules.map(each => made("li", `${each.words} (decides in ${each.states} states)`))));
  look(state, null);
}

byId("picture").addEventListener("load", ({target}) => { target.style.minWidth = `${0.7 * target.naturalWidth}px`; }); // to be read
byId("solve").addEventListener("click", () => follow(byId("solve").textContent === "Solve" ? "solve" : "stop"));
byId("initial").addEventListener("click", () => look(known.initial));
byId("back").addEventListener("click", () => look(before.pop(), null));
byId("find").addEventListener("input", showAtoms);
byId("run").addEventListener("click", runTrials);
byId("previous").addEventListener("click", () => stepTo(step - 1));
byId("next").addEventListener("click", () => stepTo(step + 1));
byId("rules").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(checkRules, 400); });
document.addEventListener("keydown", event => {
  const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  if (by !== undefined && steps.length > 0 && !event.target.closest("textarea, input")) stepTo(step + by);
});
ask({ask: "begin"}).then(answer => {
  if (answer.error !== undefined) return;
  known = answer;
  byId("schemas").textContent = answer.schemas.join(", ");
  byId("rules").value = answer.rules;
  byId("rules").placeholder = `${answer.schemas[0] ?? "move"}:`;
  state = answer.initial;
  showPicture(answer.picture);
  showAtoms();
  look(state, null);
  checkRules();
});
