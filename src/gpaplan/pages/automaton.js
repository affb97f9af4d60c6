"use strict";
/*
 * What the page of an automaton shows and does: the drawing, the view of it, the search, and the details of what is
 * selected. The data is in the element #automaton, as gpaplan/page.py describes it; `placeGraph` says where things go.
 *
 * Names come from files that anybody may have written, so text enters the page as text only.
 */
(() => {
  const data = JSON.parse(document.getElementById("automaton").textContent);
  const byId = id => document.getElementById(id);
  const drawing = byId("drawing");
  const view = byId("view");
  const details = byId("details");
  const query = byId("query");

  const FACTS_SHOWN = 4;       // lines in a vertex
  const LETTERS_SHOWN = 38;    // in a line
  const LETTER = 6.05;         // width of a letter of the drawing's font
  const LINE = 14;             // height of a line
  const FAR = 0.42;            // below this scale only names are drawn

  // --- making elements ---------------------------------------------------------------------------------------------

  /** Give an element its attributes, and its children: elements, or texts. */
  function furnish(element, attributes, children) {
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    element.append(...children);
    return element;
  }

  /** An element of the page. */
  const make = (name, attributes = {}, ...children) => furnish(document.createElement(name), attributes, children);

  /** An element of the drawing. */
  function draw(parent, name, attributes = {}, ...children) {
    const element = furnish(document.createElementNS(drawing.namespaceURI, name), attributes, children);
    parent.append(element);
    return element;
  }

  const shortened = text => text.length > LETTERS_SHOWN ? text.slice(0, LETTERS_SHOWN - 1) + "…" : text;
  const counted = (count, one, many = one + "s") => `${count} ${count === 1 ? one : many}`;

  // --- the things that can be selected: vertices v0, v1, …, then edges e0, e1, … -----------------------------------

  const holders = data.facts.map(() => 0);
  data.vertices.forEach(({facts}) => facts.forEach(fact => { holders[fact]++; }));
  const outgoing = data.vertices.map(() => []);
  const incoming = data.vertices.map(() => []);
  data.edges.forEach(({source, targets}, i) => {
    outgoing[source].push(i);
    targets.forEach(target => incoming[target].push(i));
  });

  /** The facts that tell a vertex from others, the rarest if there are many, in short. */
  function distinctive(facts) {
    const telling = facts.filter(fact => holders[fact] < data.vertices.length);
    const chosen = telling.length <= FACTS_SHOWN ? telling : telling.slice()
      .sort((a, b) => holders[a] - holders[b] || a - b).slice(0, FACTS_SHOWN - 1).sort((a, b) => a - b);
    const lines = chosen.map(fact => shortened(data.facts[fact][0]));
    return telling.length > chosen.length ? [...lines, `… and ${telling.length - chosen.length} more`] : lines;
  }

  const vertices = data.vertices.map((vertex, i) => {
    const lines = distinctive(vertex.facts);
    const letters = Math.max(10, ...lines.map(line => line.length));
    const texts = vertex.facts.map(fact => data.facts[fact].join(" "));
    return {
      kind: "vertex", index: i, name: `v${i}`, lines, width: letters * LETTER + 22, height: (lines.length + 1) * LINE + 14,
      final: outgoing[i].length === 0,
      initial: incoming[i].every(edge => data.edges[edge].source === i),
      haystack: texts.join(" ").toLowerCase(),
    };
  });
  const edges = data.edges.map((edge, i) => ({
    kind: "edge", index: i, name: `e${i}`, width: shortened(edge.schema).length * LETTER + 20, height: 22,
    source: edge.source, targets: edge.targets, haystack: edge.action.toLowerCase(),
  }));
  const items = [...vertices, ...edges];

  // --- the drawing -------------------------------------------------------------------------------------------------

  let downward = true;
  let size = {width: 1, height: 1};

  function drawAll() {
    const places = placeGraph(vertices, edges);
    ({downward} = places);
    size = places;
    vertices.forEach((vertex, i) => Object.assign(vertex, places.vertices[i]));
    edges.forEach((edge, i) => Object.assign(edge, places.actions[i]));
    const lines = draw(view, "g", {class: "lines"});
    edges.forEach(edge => drawLines(lines, edge));
    edges.forEach(drawAction);
    vertices.forEach(drawVertex);
    items[0].element.setAttribute("tabindex", "0");
  }

  function drawVertex(vertex) {
    const marks = `vertex${vertex.final ? " final" : ""}${vertex.initial ? " initial" : ""}`;
    const {name, width, height} = vertex;
    const texts = data.vertices[vertex.index].facts.map(fact => data.facts[fact][1]);
    const group = drawItem(vertex, marks, `State ${name}${vertex.final ? ", no action from here" : ""}: ${texts.join("; ")}`);
    draw(group, "rect", {class: "box", x: -width / 2, y: -height / 2, width, height, rx: vertex.final ? 14 : 4});
    if (vertex.final) {
      draw(group, "rect", {class: "inner", x: -width / 2 + 3, y: -height / 2 + 3, width: width - 6, height: height - 6, rx: 11});
    } else if (vertex.initial) {
      draw(group, "rect", {class: "bar", x: -width / 2, y: -height / 2, width: 6, height});
    }
    draw(group, "text", {class: "name", x: -width / 2 + 12, y: -height / 2 + 17}, name);
    draw(group, "text", {class: "far-name", y: "0.35em"}, name);
    vertex.lines.forEach((line, i) =>
      draw(group, "text", {class: "fact", x: -width / 2 + 12, y: -height / 2 + 17 + (i + 1) * LINE}, line));
  }

  function drawAction(edge) {
    const {action, schema} = data.edges[edge.index];
    const group = drawItem(edge, "action", `Action ${action} from v${edge.source} to ${edge.targets.map(t => `v${t}`).join(", ")}`);
    const {width, height} = edge;
    draw(group, "rect", {class: "box", x: -width / 2, y: -height / 2, width, height, rx: height / 2});
    draw(group, "text", {class: "schema", y: "0.35em"}, shortened(schema));
  }

  function drawItem(item, marks, label) {
    const group = draw(view, "g", {
      class: marks, id: item.name, role: "button", tabindex: "-1", "aria-label": label, transform: `translate(${item.x} ${item.y})`,
    });
    group.addEventListener("focus", () => {
      items.forEach(each => each.element.setAttribute("tabindex", each === item ? "0" : "-1"));
      reveal(item);
    });
    draw(group, "title", {}, label.length > 2000 ? label.slice(0, 2000) + "…" : label);
    item.element = group;
    return group;
  }

  /** The lines of a hyperedge: from its source to its action, and on to each of its targets. */
  function drawLines(parent, edge) {
    edge.strokes = draw(parent, "g", {class: "hyperedge"});
    draw(edge.strokes, "path", {d: forward(vertices[edge.source], edge)});
    for (const target of edge.targets) {
      const to = vertices[target];
      const ahead = downward ? to.y > edge.y : to.x > edge.x;
      draw(edge.strokes, "path", {d: ahead ? forward(edge, to) : back(edge, to), "marker-end": "url(#arrow)"});
    }
  }

  // Lines are thought in (along, across), as in the layout, and turned at the end.
  const inLayers = ({x, y, width, height}) => downward
    ? {along: y, across: x, depth: height / 2, reach: width / 2} : {along: x, across: y, depth: width / 2, reach: height / 2};
  const point = (along, across) => (downward ? [across, along] : [along, across]).map(n => n.toFixed(1)).join(" ");
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

  /** From the far side of one thing to the near side of another in a later layer, as straight as may be. */
  function forward(from, to) {
    const [a, b] = [inLayers(from), inLayers(to)];
    const start = clamp(b.across, a.across - a.reach * 0.7, a.across + a.reach * 0.7);
    const end = clamp(start, b.across - b.reach * 0.7, b.across + b.reach * 0.7);
    const [first, last] = [a.along + a.depth, b.along - b.depth];
    const bend = (last - first) / 2;
    return `M${point(first, start)} C${point(first + bend, start)} ${point(last - bend, end)} ${point(last, end)}`;
  }

  /** From the flank of an action to the far side of a vertex in an earlier layer, as a bow around the action's source. */
  function back(from, to) {
    const [a, b, around] = [from, to, vertices[from.source]].map(inLayers);
    const side = outerSide(from, to);
    const start = a.across + side * a.reach;
    const last = b.along + b.depth;
    if (to.index === from.source) {
      const end = clamp(start + side * 14, b.across - b.reach * 0.9, b.across + b.reach * 0.9);
      return `M${point(a.along, start)} C${point(a.along, start + side * 18)} ${point(last + 18, end + side * 9)} ${point(last, end)}`;
    }
    const outside = around.across + side * (around.reach + 12);
    const end = clamp(outside, b.across - b.reach * 0.85, b.across + b.reach * 0.85);
    const turn = start + (outside - start) * 4 / 3;
    const bow = outside + side * Math.max(10, (a.along - last) / 12);
    return `M${point(a.along, start)} C${point(a.along, turn)} ${point((a.along + last) / 2, bow)} ${point(last, end)}`;
  }

  /** The side (-1 or 1) on which fewer other actions of the same source stand; without others, that of the target. */
  function outerSide(edge, target) {
    const place = each => inLayers(each).across;
    const others = outgoing[edge.source].filter(i => i !== edge.index);
    const after = others.filter(i => place(edges[i]) > place(edge)).length;
    const left = others.length > 0 ? 2 * after > others.length : place(target) < place(edge) - 1;
    return left ? -1 : 1;
  }

  // --- the view: what part of the drawing is seen, and how large ----------------------------------------------------

  const seen = {x: 0, y: 0, scale: 1};
  let everything = true;  // whether the view was fitted last, not moved

  function look(x, y, scale) {
    everything = false;
    Object.assign(seen, {x, y, scale});
    view.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(5)})`);
    drawing.classList.toggle("far", scale < FAR);
  }

  const frame = () => ({width: drawing.clientWidth || 1, height: drawing.clientHeight || 1});

  function zoom(factor, x = frame().width / 2, y = frame().height / 2) {
    const scale = clamp(seen.scale * factor, Math.max(0.005, Math.min(0.02, fitting())), 4);
    look(x - (x - seen.x) * scale / seen.scale, y - (y - seen.y) * scale / seen.scale, scale);
  }

  const fitting = () => Math.min((frame().width - 120) / size.width, (frame().height - 100) / size.height, 1.4);

  function fit() {
    const scale = Math.max(fitting(), 0.005);
    look((frame().width - size.width * scale) / 2, (frame().height - 40 - size.height * scale) / 2, scale);
    everything = true;
  }

  function centre(item, scale = Math.max(seen.scale, FAR * 1.6)) {
    look(frame().width / 2 - item.x * scale, frame().height / 2 - item.y * scale, scale);
  }

  /** Move the view only if the thing is out of sight. */
  function reveal(item) {
    const x = item.x * seen.scale + seen.x;
    const y = item.y * seen.scale + seen.y;
    if (x < 20 || y < 20 || x > frame().width - 20 || y > frame().height - 20) {
      centre(item, seen.scale);
    }
  }

  function pan() {
    let held = null;
    drawing.addEventListener("pointerdown", event => {
      if (event.button === 0) {
        held = {x: event.clientX, y: event.clientY, from: {...seen}, moved: false};
      }
    });
    drawing.addEventListener("pointermove", event => {
      if (held === null) {
        return;
      }
      const [x, y] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.moved && Math.hypot(x, y) > 4) {
        held.moved = true;
        drawing.setPointerCapture(event.pointerId);
        drawing.classList.add("panning");
      }
      if (held.moved) {
        look(held.from.x + x, held.from.y + y, seen.scale);
      }
    });
    const release = event => {
      const clicked = event.type === "pointerup" && held !== null && !held.moved;
      held = null;
      drawing.classList.remove("panning");
      if (clicked) {
        const element = event.target.closest("g[role=button]");
        select(element === null ? null : items.find(item => item.element === element));
      }
    };
    drawing.addEventListener("pointerup", release);
    drawing.addEventListener("pointercancel", release);
    drawing.addEventListener("wheel", event => {
      event.preventDefault();
      const area = drawing.getBoundingClientRect();
      const lines = event.deltaMode === 0 ? event.deltaY : event.deltaY * 30;
      zoom(Math.exp(-clamp(lines, -120, 120) / 400), event.clientX - area.left, event.clientY - area.top);
    }, {passive: false});
  }

  // --- selecting, and the details of what is selected ---------------------------------------------------------------

  let selected = null;

  function select(item) {
    selected = item;
    for (const each of items) {
      const near = item !== null && (item === each || touches(item, each) || touches(each, item));
      each.element.classList.toggle("selected", each === item);
      each.element.classList.toggle("near", near && each !== item);
      each.element.setAttribute("aria-pressed", String(each === item));
      each.strokes?.classList.toggle("near", near);
    }
    details.replaceChildren(...(item === null ? overview() : item.kind === "vertex" ? aboutVertex(item) : aboutEdge(item)));
    details.scrollTop = 0;
  }

  /** Whether an edge begins or ends in a vertex, or two things share an edge. */
  const touches = (edge, other) => edge.kind === "edge" && other.kind === "vertex"
    && (edge.source === other.index || edge.targets.includes(other.index));

  /** A link to another thing in the automaton. */
  function link(item, text = item.name) {
    const anchor = make("a", {href: `#${item.name}`, class: "link", "data-item": item.name}, text);
    anchor.addEventListener("click", event => {
      event.preventDefault();
      select(item);
      reveal(item);
      details.focus({preventScroll: true});
    });
    return anchor;
  }

  const list = (entries, attributes = {}) => make("ul", attributes, ...entries.map(entry => make("li", {}, ...[entry].flat())));
  const links = (indices, between = ", ") =>
    indices.flatMap((index, i) => i === 0 ? [link(vertices[index])] : [between, link(vertices[index])]);
  const wordsOf = vertex => data.vertices[vertex.index].facts.map(fact => data.facts[fact][1]);

  function close() {
    const button = make("button", {type: "button", id: "close", "aria-label": "Close the details (Escape)"}, "×");
    button.addEventListener("click", leave);
    return button;
  }

  function leave() {
    const before = selected;
    select(null);
    before?.element.focus({preventScroll: true});
  }

  function aboutVertex(vertex) {
    const {covers} = data.vertices[vertex.index];
    const kind = vertex.final ? "No action from here: like a goal." : vertex.initial ? "No action leads here: like a start." : "";
    return [
      close(),
      make("h2", {}, `State ${vertex.name}`),
      ...(kind ? [make("p", {class: "kind"}, kind)] : []),
      make("h3", {}, "What holds"),
      list(wordsOf(vertex), {class: "words"}),
      make("p", {class: "note"}, "Relations that are not listed hold for nothing."),
      make("h3", {}, `Actions from here (${outgoing[vertex.index].length})`),
      list(outgoing[vertex.index].map(i => [link(edges[i], data.edges[i].action), " → ", ...links(edges[i].targets)]), {class: "edges"}),
      make("h3", {}, `Actions that may lead here (${incoming[vertex.index].length})`),
      list(incoming[vertex.index].map(i => [link(vertices[edges[i].source]), " by ", link(edges[i], data.edges[i].action)]), {class: "edges"}),
      make("h3", {}, "Training states that it covers"),
      ...(covers.length > 0
        ? [list(covers, {class: "covers"}), make("p", {class: "note"}, "At most three are recorded.")]
        : [make("p", {class: "note"}, "None is recorded.")]),
    ];
  }

  function aboutEdge(edge) {
    const {action, schema, roles, origins} = data.edges[edge.index];
    const source = vertices[edge.source];
    return [
      close(),
      make("h2", {}, `Action ${edge.name}`),
      make("p", {class: "action-text"}, action),
      ...(roles.length > 0
        ? [make("h3", {}, `Arguments of ${schema}`), make("ol", {class: "roles"}, ...roles.map(role => make("li", {}, `an object that is ${role}`)))]
        : []),
      make("h3", {}, "From"),
      make("p", {}, link(source)),
      make("h3", {}, `May lead to (${edge.targets.length})`),
      list(edge.targets.map(target => [link(vertices[target]), changes(source, vertices[target])]), {class: "targets"}),
      make("h3", {}, "Learned from"),
      origins.length > 0
        ? list(origins.map(([problem, count]) => `${problem}: ${counted(count, "transition")}`), {class: "origins"})
        : make("p", {class: "note"}, "Nothing is recorded."),
    ];
  }

  /** What holds in one vertex and not in another. */
  function changes(source, target) {
    const [before, after] = [wordsOf(source), wordsOf(target)];
    const lost = before.filter(words => !after.includes(words)).map(words => make("li", {class: "lost"}, `no more: ${words}`));
    const gained = after.filter(words => !before.includes(words)).map(words => make("li", {class: "gained"}, `now: ${words}`));
    return lost.length + gained.length > 0
      ? make("ul", {class: "changes"}, ...lost, ...gained) : make("p", {class: "note"}, "the same: nothing changes that the abstraction sees");
  }

  function overview() {
    const training = data.training.map(([problem, states, cost]) =>
      make("tr", {}, make("td", {}, problem), make("td", {}, states), make("td", {}, cost ?? "unknown")));
    const schemas = new Map();
    data.edges.forEach(({schema}) => schemas.set(schema, (schemas.get(schema) ?? 0) + 1));
    const terms = (pairs, marks) => make("dl", {class: marks}, ...pairs.flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, value)]));
    return [
      make("h2", {}, "This automaton"),
      make("p", {}, "Each box is an abstract state: what is left of a state when the names and numbers of objects are forgotten. "
        + "An action may be taken in a box if all it can lead to is among its arrows. Click one for its details."),
      terms([["Abstraction", data.abstraction], ...data.settings]),
      make("h3", {}, `Training problems (${data.training.length})`),
      ...(training.length > 0 ? [make("table", {class: "training"},
        make("thead", {}, make("tr", {}, ...["problem", "states", "cost"].map(text => make("th", {scope: "col"}, text)))),
        make("tbody", {}, ...training))] : [make("p", {class: "note"}, "None is recorded.")]),
      make("h3", {}, "Edges by action"),
      terms([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)).map(([schema, count]) => [schema, String(count)]), "schemas"),
      make("h3", {}, "Keys"),
      terms([
        ["Tab", "to the search, the drawing, the details"], ["Arrows", "in the drawing: to the next thing in that direction"],
        ["Enter", "open what has the focus; in the search: next match (Shift: previous)"],
        ["Escape", "close the details, clear the search"], ["+  −  0", "zoom in, zoom out, show everything"], ["/", "search"],
      ], "keys"),
    ];
  }

  // --- the search ---------------------------------------------------------------------------------------------------

  let matches = [];
  let current = -1;

  function search() {
    const terms = query.value.toLowerCase().split(/\s+/).filter(term => term !== "");
    const found = item => terms.every(term => item.name === term || item.haystack.includes(term));
    matches = terms.length === 0 ? [] : items.filter(found);
    current = -1;
    drawing.classList.toggle("searching", terms.length > 0);
    const hits = new Set(matches);
    for (const item of items) {
      item.element.classList.toggle("match", hits.has(item));
      item.element.classList.remove("current");
    }
    report(terms.length > 0);
  }

  function report(searching) {
    const states = matches.filter(item => item.kind === "vertex").length;
    const total = `${counted(states, "state")}, ${counted(matches.length - states, "action")}`;
    byId("matches").textContent = !searching ? "" : matches.length === 0 ? "no match" : current < 0 ? total : `${current + 1} of ${matches.length}: ${matches[current].name}`;
  }

  function cycle(step) {
    if (matches.length === 0) {
      return;
    }
    matches[current]?.element.classList.remove("current");
    current = current < 0 ? (step > 0 ? 0 : matches.length - 1) : (current + step + matches.length) % matches.length;
    const item = matches[current];
    item.element.classList.add("current");
    select(item);
    centre(item);
    report(true);
  }

  // --- the keyboard -------------------------------------------------------------------------------------------------

  const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

  /** The nearest thing in a direction; being off to the side counts double. */
  function neighbour(from, [right, down]) {
    let [best, least] = [null, Infinity];
    for (const item of items) {
      const ahead = (item.x - from.x) * right + (item.y - from.y) * down;
      const aside = Math.abs((item.x - from.x) * down) + Math.abs((item.y - from.y) * right);
      if (item !== from && ahead > 1 && ahead + 2 * aside < least) {
        [best, least] = [item, ahead + 2 * aside];
      }
    }
    return best;
  }

  function pressedInDrawing(event) {
    const item = items.find(each => each.element === event.target);
    if (item === undefined) {
      return;
    }
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      select(item);
    } else if (event.key in ARROWS) {
      event.preventDefault();
      neighbour(item, ARROWS[event.key])?.element.focus({preventScroll: true});
    }
  }

  function pressedInSearch(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      cycle(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape" && query.value !== "") {
      event.preventDefault();
      event.stopPropagation();
      query.value = "";
      search();
    }
  }

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target === query && event.key !== "Escape")) {
      return;
    }
    const commands = {"+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit, Escape: leave, "/": () => query.focus()};
    if (event.key in commands) {
      event.preventDefault();
      commands[event.key]();
    }
  }

  // --- start --------------------------------------------------------------------------------------------------------

  document.title = `${data.domain}: policy automaton`;
  byId("title").textContent = data.domain;
  byId("counts").textContent = [
    counted(vertices.length, "abstract state"), counted(edges.length, "edge"), data.abstraction,
    `learned from ${counted(data.training.length, "problem")}`,
  ].join(" · ");
  if (items.length === 0) {
    byId("empty").textContent = "This automaton is empty: it allows no action yet. Learn one from solved problems (gpaplan learn) and it will be drawn here.";
    byId("empty").hidden = false;
    for (const id of ["query", "zoom-in", "zoom-out", "zoom-fit"]) {
      byId(id).disabled = true;
    }
    byId("legend").hidden = true;
    details.replaceChildren(...overview());
    return;
  }
  drawAll();
  fit();
  select(null);
  pan();
  new ResizeObserver(() => everything && fit()).observe(drawing);
  byId("zoom-in").addEventListener("click", () => zoom(1.25));
  byId("zoom-out").addEventListener("click", () => zoom(0.8));
  byId("zoom-fit").addEventListener("click", fit);
  query.addEventListener("input", search);
  query.addEventListener("keydown", pressedInSearch);
  drawing.addEventListener("keydown", pressedInDrawing);
  document.addEventListener("keydown", pressed);
})();
