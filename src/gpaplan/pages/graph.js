"use strict";
/*
 * The page of a graph, an automaton's or a policy's: the drawing, the search, and the details of what is selected.
 *
 * The data is in the element #data, made by gpaplan/automata/page.py and gpaplan/policies/page.py:
 *
 *   title, name        the heading, and the title of the document
 *   about              {heading, text}: what is seen here
 *   empty              what to say if there is nothing to draw
 *   unlisted           what is true of facts that a state does not list
 *   searched           what can be searched for
 *   legend             [[mark, text], …]
 *   tables             [{heading, mark, columns, rows}, …]
 *   level              which of the levels to show first
 *   levels             the graph at one abstraction level or several: [{words, counts, terms, facts, vertices, edges}, …]
 *     facts            [[short, in words], …], or [[text], …] where both are the same
 *     vertices         [{facts, marks, kind, sections}, …]; marks: initial, final, cut; sections: [{heading, mark, items, note, ordered}, …]
 *     edges            [{source, action, label, schema, targets, chances, sections}, …]; a chance is a text, or there are none
 *
 * What is referred to by a number is at that place of its list.
 */
(() => {
  const data = JSON.parse(byId("data").textContent);
  const details = byId("details");
  const query = byId("query");
  const view = viewOf(byId("drawing"), byId("view"), element => select(element && items.find(item => item.element === element)));
  let graph = data.levels[data.level];
  let vertices = [];
  let items = [];

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
    describe(item);
  }

  function describe(item) {
    details.replaceChildren(...(item === null ? overview() : item.type === "vertex" ? aboutVertex(item) : aboutEdge(item)));
    details.classList.toggle("asked", item !== null);
    details.scrollTop = 0;
  }

  /** Whether an edge begins or ends in a vertex, or two things share an edge. */
  const touches = (edge, other) => edge.type === "edge" && other.type === "vertex"
    && (edge.source === other.index || edge.targets.includes(other.index));

  /** A link to another thing in the graph. */
  function link(item, text = item.name) {
    const anchor = make("a", {href: `#${item.name}`, class: "link", "data-item": item.name}, text);
    anchor.addEventListener("click", event => {
      event.preventDefault();
      select(item);
      view.reveal(item);
      details.focus({preventScroll: true});
    });
    return anchor;
  }

  const links = indices => indices.flatMap((index, i) => i === 0 ? [link(vertices[index])] : [", ", link(vertices[index])]);

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

  const section = ({heading, mark, items: entries, note, ordered = false}) => [
    make("h3", {}, heading),
    ...(entries.length > 0 ? [list(entries, {class: mark}, ordered)] : []),
    ...(note ? [make("p", {class: "note"}, note)] : []),
  ];

  function aboutVertex(vertex) {
    const from = vertex.outgoing.map(edge => [link(edge, edge.action), " → ", ...links(edge.targets)]);
    const into = vertex.incoming.map(edge => [link(vertices[edge.source]), " by ", link(edge, edge.action)]);
    return [
      close(),
      make("h2", {}, `State ${vertex.name}`),
      ...(vertex.kind ? [make("p", {class: "kind"}, `${vertex.kind[0].toUpperCase()}${vertex.kind.slice(1)}.`)] : []),
      ...section({heading: "What holds", mark: "words", items: vertex.words, note: data.unlisted}),
      ...section({heading: `Actions from here (${from.length})`, mark: "edges", items: from}),
      ...section({heading: `Actions that may lead here (${into.length})`, mark: "edges", items: into}),
      ...vertex.sections.flatMap(section),
    ];
  }

  function aboutEdge(edge) {
    const source = vertices[edge.source];
    const targets = edge.targets.map((target, i) =>
      [...(edge.chances.length > 0 ? [`${edge.chances[i]}: `] : []), link(vertices[target]), changes(source, vertices[target])]);
    return [
      close(),
      make("h2", {}, `Action ${edge.name}`),
      make("p", {class: "action-text"}, edge.action),
      make("h3", {}, "From"),
      make("p", {}, link(source)),
      ...section({heading: `May lead to (${edge.targets.length})`, mark: "targets", items: targets}),
      ...edge.sections.flatMap(section),
    ];
  }

  /** What holds in one vertex and not in another. */
  function changes({words: before}, {words: after}) {
    const lost = before.filter(words => !after.includes(words)).map(words => make("li", {class: "lost"}, `no more: ${words}`));
    const gained = after.filter(words => !before.includes(words)).map(words => make("li", {class: "gained"}, `now: ${words}`));
    return lost.length + gained.length > 0
      ? make("ul", {class: "changes"}, ...lost, ...gained) : make("p", {class: "note"}, "the same: nothing changes that is seen here");
  }

  function table({heading, mark, columns, rows}) {
    const row = (name, cells) => make("tr", {}, ...cells.map(text => make(name, name === "th" ? {scope: "col"} : {}, text)));
    return [make("h3", {}, heading), rows.length === 0
      ? make("p", {class: "note"}, "None is recorded.")
      : make("table", {class: mark}, make("thead", {}, row("th", columns)), make("tbody", {}, ...rows.map(cells => row("td", cells))))];
  }

  function overview() {
    const schemas = new Map();
    graph.edges.forEach(({schema}) => schemas.set(schema, (schemas.get(schema) ?? 0) + 1));
    return [
      make("h2", {}, data.about.heading),
      make("p", {}, data.about.text),
      terms(graph.terms),
      ...data.tables.flatMap(table),
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
    const wanted = query.value.toLowerCase().split(/\s+/).filter(term => term !== "");
    const found = item => wanted.every(term => item.name === term || item.haystack.includes(term));
    matches = wanted.length === 0 ? [] : items.filter(found);
    current = -1;
    byId("drawing").classList.toggle("searching", wanted.length > 0);
    const hits = new Set(matches);
    for (const item of items) {
      item.element.classList.toggle("match", hits.has(item));
      item.element.classList.remove("current");
    }
    report(wanted.length > 0);
  }

  function report(searching) {
    const states = matches.filter(item => item.type === "vertex").length;
    const total = `${counted(states, "state")}, ${counted(matches.length - states, "action")}`;
    byId("matches").textContent = !searching ? "" : matches.length === 0 ? "no match"
      : current < 0 ? total : `${current + 1} of ${matches.length}: ${matches[current].name}`;
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
    view.centre(item);
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

  const COMMANDS = {
    "+": () => view.zoom(1.25), "=": () => view.zoom(1.25), "-": () => view.zoom(0.8), 0: view.fit, Escape: leave, "/": () => query.focus(),
  };

  function pressed(event) {
    const typing = event.target === query || event.target === byId("level");
    if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape")) {
      return;
    }
    if (event.key in COMMANDS) {
      event.preventDefault();
      COMMANDS[event.key]();
    }
  }

  // --- start --------------------------------------------------------------------------------------------------------

  /** Draw the graph, at one of the levels. */
  function show(chosen) {
    graph = chosen;
    byId("counts").textContent = graph.counts.join(" · ");
    const drawn = drawGraph(byId("view"), graph, view.shape());
    ({vertices, items} = drawn);
    items.forEach(item => item.element.addEventListener("focus", () => {
      items.forEach(each => each.element.setAttribute("tabindex", each === item ? "0" : "-1"));
      view.reveal(item);
    }));
    items[0]?.element.setAttribute("tabindex", "0");
    select(null);
    view.open(drawn, vertices.find(vertex => vertex.marks.includes("initial")) ?? vertices[0]);
    search();
  }

  /** What a mark looks like, and what it means. */
  function legendEntry([mark, text]) {
    const picture = draw(byId("drawing"), "svg", {width: 26, height: 16, "aria-hidden": "true"});
    const group = draw(picture, "g", {class: mark});
    const [inset, round] = mark === "final" ? [1, 7] : mark === "action" ? [2, 6] : [2, 2];
    draw(group, "rect", {class: "box", x: inset, y: inset, width: 26 - 2 * inset, height: 16 - 2 * inset, rx: round});
    if (mark === "final") {
      draw(group, "rect", {class: "inner", x: 4, y: 4, width: 18, height: 8, rx: 4});
    } else if (mark === "initial") {
      draw(group, "rect", {class: "bar", x: 2, y: 2, width: 5, height: 12});
    }
    return make("li", {}, picture, text);
  }

  document.title = data.name;
  byId("title").textContent = data.title;
  query.placeholder = data.searched;
  byId("legend").append(...data.legend.map(legendEntry));
  byId("level").append(...data.levels.map(({words}, i) => make("option", {value: i}, words)));
  byId("level").value = data.level;
  byId("levels").hidden = data.levels.length === 1;
  show(graph);
  if (items.length === 0) {
    byId("empty").textContent = data.empty;
    byId("empty").hidden = false;
    for (const id of ["query", "level", "zoom-in", "zoom-out", "zoom-fit"]) {
      byId(id).disabled = true;
    }
    byId("legend").hidden = true;
    return;
  }
  byId("level").addEventListener("change", event => show(data.levels[event.target.value]));
  byId("about").addEventListener("click", () => details.classList.toggle("asked"));
  query.addEventListener("input", search);
  query.addEventListener("keydown", pressedInSearch);
  byId("drawing").addEventListener("keydown", pressedInDrawing);
  document.addEventListener("keydown", pressed);
})();
