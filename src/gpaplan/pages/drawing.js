"use strict";
/*
 * A graph as a drawing: boxes for its vertices, pills for its actions, lines from a vertex to an action and on to all
 * that may come of it. `placeGraph` says where things go.
 */

const FACTS_SHOWN = 4;       // lines in a vertex
const LETTERS_SHOWN = 38;    // in a line
const LETTER = 7.25;         // width of a letter of the drawing's font
const LINE = 16;             // height of a line

const shortened = text => text.length > LETTERS_SHOWN ? text.slice(0, LETTERS_SHOWN - 1) + "…" : text;

/** A fact in words, where it has any. */
const inWords = ([text, words = text]) => words;

/**
 * Draw a graph. What is returned can be looked at, selected and searched: vertices v0, v1, …, and edges e0, e1, …
 *
 * @param {SVGElement} view where to draw
 * @param {{facts: string[][], vertices: object[], edges: object[]}} graph as gpaplan/pages/graph.js describes it
 * @param {number} shape the width of the screen in terms of its height
 */
function drawGraph(view, graph, shape) {
  view.replaceChildren();
  const holders = graph.facts.map(() => 0);
  graph.vertices.forEach(({facts}) => facts.forEach(fact => { holders[fact]++; }));

  /** The facts that tell a vertex from others, the rarest if there are many, in short. */
  function distinctive(facts) {
    const telling = facts.filter(fact => holders[fact] < graph.vertices.length);
    const chosen = telling.length <= FACTS_SHOWN ? telling : telling.slice()
      .sort((a, b) => holders[a] - holders[b] || a - b).slice(0, FACTS_SHOWN - 1).sort((a, b) => a - b);
    const lines = chosen.map(fact => shortened(graph.facts[fact][0]));
    return telling.length > chosen.length ? [...lines, `… and ${telling.length - chosen.length} more`] : lines;
  }

  const vertices = graph.vertices.map((vertex, i) => {
    const lines = distinctive(vertex.facts);
    const letters = Math.max(10, ...lines.map(line => line.length));
    const words = vertex.facts.map(fact => inWords(graph.facts[fact]));
    return {
      ...vertex, type: "vertex", index: i, name: `v${i}`, lines, words, outgoing: [], incoming: [],
      width: letters * LETTER + 24, height: (lines.length + 1) * LINE + 16,
      haystack: vertex.facts.map(fact => graph.facts[fact].join(" ")).join(" ").toLowerCase(),
    };
  });
  const edges = graph.edges.map((edge, i) => ({
    ...edge, type: "edge", index: i, name: `e${i}`, width: shortened(edge.label).length * LETTER + 22, height: 26,
    haystack: edge.action.toLowerCase(),
  }));
  edges.forEach(edge => {
    vertices[edge.source].outgoing.push(edge);
    edge.targets.forEach(target => vertices[target].incoming.push(edge));
  });
  const items = [...vertices, ...edges];
  if (items.length === 0) {
    return {vertices, edges, items, width: 1, height: 1, downward: true};
  }

  const places = placeGraph(vertices, edges, shape);
  vertices.forEach((vertex, i) => Object.assign(vertex, places.vertices[i]));
  edges.forEach((edge, i) => Object.assign(edge, places.actions[i]));
  const lines = draw(view, "g", {class: "lines"});
  const path = linesBetween(vertices, places.downward);
  edges.forEach(edge => drawLines(lines, edge, vertices, path));
  edges.forEach(edge => drawAction(view, edge));
  vertices.forEach(vertex => drawVertex(view, vertex));
  return {vertices, edges, items, width: places.width, height: places.height};
}

function drawVertex(view, vertex) {
  const {name, width, height, marks, words, kind} = vertex;
  const group = drawItem(view, vertex, ["vertex", ...marks].join(" "), `State ${name}${kind ? `, ${kind}` : ""}: ${words.join("; ")}`);
  const final = marks.includes("final");
  draw(group, "rect", {class: "box", x: -width / 2, y: -height / 2, width, height, rx: final ? 14 : 4});
  if (final) {
    draw(group, "rect", {class: "inner", x: -width / 2 + 3, y: -height / 2 + 3, width: width - 6, height: height - 6, rx: 11});
  } else if (marks.includes("initial")) {
    draw(group, "rect", {class: "bar", x: -width / 2, y: -height / 2, width: 6, height});
  }
  draw(group, "text", {class: "name", x: -width / 2 + 12, y: -height / 2 + 19}, name);
  draw(group, "text", {class: "far-name", y: "0.35em"}, name);
  vertex.lines.forEach((line, i) =>
    draw(group, "text", {class: "fact", x: -width / 2 + 12, y: -height / 2 + 19 + (i + 1) * LINE}, line));
}

function drawAction(view, edge) {
  const {action, label, width, height} = edge;
  const group = drawItem(view, edge, "action", `Action ${action} from v${edge.source} to ${edge.targets.map(t => `v${t}`).join(", ")}`);
  draw(group, "rect", {class: "box", x: -width / 2, y: -height / 2, width, height, rx: height / 2});
  draw(group, "text", {class: "schema", y: "0.35em"}, shortened(label));
}

function drawItem(view, item, marks, label) {
  item.element = draw(view, "g", {
    class: marks, id: item.name, role: "button", tabindex: "-1", "aria-label": label, transform: `translate(${item.x} ${item.y})`,
  });
  draw(item.element, "title", {}, label.length > 2000 ? label.slice(0, 2000) + "…" : label);
  return item.element;
}

/** The lines of a hyperedge: from its source to its action, and on to each of its targets. */
function drawLines(parent, edge, vertices, path) {
  edge.strokes = draw(parent, "g", {class: "hyperedge"});
  draw(edge.strokes, "path", {d: path(vertices[edge.source], edge)});
  edge.targets.forEach(target => draw(edge.strokes, "path", {d: path(edge, vertices[target]), "marker-end": "url(#arrow)"}));
}

/** What tells the path of a line, for a layout that runs down or to the right. */
function linesBetween(vertices, downward) {
  // Lines are thought in (along, across), as in the layout, and turned at the end.
  const inLayers = ({x, y, width, height}) => downward
    ? {along: y, across: x, depth: height / 2, reach: width / 2} : {along: x, across: y, depth: width / 2, reach: height / 2};
  const point = (along, across) => (downward ? [across, along] : [along, across]).map(n => n.toFixed(1)).join(" ");

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
    const others = vertices[edge.source].outgoing.filter(each => each !== edge);
    const after = others.filter(each => place(each) > place(edge)).length;
    const left = others.length > 0 ? 2 * after > others.length : place(target) < place(edge) - 1;
    return left ? -1 : 1;
  }

  return (from, to) => from.type === "vertex" || (downward ? to.y > from.y : to.x > from.x) ? forward(from, to) : back(from, to);
}
