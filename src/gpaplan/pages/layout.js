"use strict";
/*
 * Where the vertices and actions of a graph are placed. Nothing here touches the page.
 *
 * A layered layout: vertices stand in layers by their distance from the vertices that no action leads to, actions in the
 * layers between. So an edge never skips a layer on its way forward; what leads back or to the same layer is drawn as a
 * bow. Within a layer things are ordered by the mean place of their neighbours, then moved as close to them as
 * the others in the layer allow. There is no randomness: the same graph is always drawn the same way on
 * screens of the same shape.
 *
 * Coordinates are (along, across): `along` grows from layer to layer, `across` within a layer. A layout runs either from
 * top to bottom or from left to right; `placeGraph` tries both and takes the one that fits a screen better.
 */

const GAP_ALONG = 34;   // between layers
const GAP_ACROSS = 26;  // between neighbours in a layer
const GAP_PARTS = 70;   // between parts that no edge connects
const SWEEPS = 12;

/**
 * @param {{width: number, height: number}[]} vertices
 * @param {{width: number, height: number, source: number, targets: number[]}[]} actions
 * @param {number} shape that the drawing should have: its width in terms of its height
 * @returns {{downward: boolean, width: number, height: number, vertices: {x: number, y: number}[],
 *            actions: {x: number, y: number}[]}} the centres of all, and how large the drawing is
 */
function placeGraph(vertices, actions, shape) {
  const sizes = [...vertices, ...actions];
  const layers = layersOf(vertices.length, actions);
  const neighbours = neighboursOf(vertices.length, actions, layers);
  const parts = partsOf(vertices.length, actions, layers);
  parts.forEach(part => sortLayers(part, neighbours));
  let best = null;
  for (const room of [Infinity, 3, 1.5]) {
    for (const downward of [true, false]) {
      const limit = room * Math.sqrt(downward ? shape : 1 / shape);
      const placed = parts.map(part => placeLayers(wrapped(part, sizes, limit, downward), neighbours, sizes, downward));
      const places = pack(placed, downward, shape);
      // Layers in several rows are harder to read, so they must gain a lot.
      if (best === null || scaleOnScreen(places, shape) > scaleOnScreen(best, shape) * (room === Infinity ? 1 : 1.6)) {
        best = places;
      }
    }
  }
  const {centres, ...rest} = best;
  return {...rest, vertices: vertices.map((_, i) => centres[i]), actions: actions.map((_, i) => centres[vertices.length + i])};
}

/** For each vertex, the length of the shortest way from a start to it. */
function ranksOf(count, actions) {
  const next = Array.from({length: count}, () => []);
  const previous = Array.from({length: count}, () => []);
  for (const {source, targets} of actions) {
    for (const target of targets) {
      if (target !== source) {
        next[source].push(target);
        previous[target].push(source);
      }
    }
  }
  const all = [...next.keys()];
  const ranks = distances(next, all.filter(v => previous[v].length === 0), new Array(count).fill(-1));
  // A cycle that nothing leads into begins where it is farthest from the end.
  const toEnd = distances(previous, all.filter(v => next[v].length === 0), new Array(count).fill(-1));
  for (const v of all.filter(v => ranks[v] < 0).sort((a, b) => toEnd[b] - toEnd[a] || a - b)) {
    if (ranks[v] < 0) {
      distances(next, [v], ranks);
    }
  }
  return ranks;
}

/** Breadth-first search from the starts through vertices that have no distance yet. */
function distances(next, starts, known) {
  let frontier = starts;
  frontier.forEach(v => { known[v] = 0; });
  for (let distance = 1; frontier.length > 0; distance++) {
    const reached = [];
    for (const v of frontier) {
      for (const w of next[v]) {
        if (known[w] < 0) {
          known[w] = distance;
          reached.push(w);
        }
      }
    }
    frontier = reached;
  }
  return known;
}

/** Layers of nodes; node i is vertex i, node count + i is action i. Even layers hold vertices, odd ones actions. */
function layersOf(count, actions) {
  const ranks = ranksOf(count, actions);
  const layers = Array.from({length: 2 * Math.max(-1, ...ranks) + 2}, () => []);
  ranks.forEach((rank, v) => layers[2 * rank].push(v));
  actions.forEach(({source}, i) => layers[2 * ranks[source] + 1].push(count + i));
  return layers.filter((layer, i) => layer.length > 0 || i < layers.length - 1);
}

/** The layers of each connected part of the automaton, largest part first. */
function partsOf(count, actions, layers) {
  const leader = layers.flat().map((_, node) => node);
  const find = node => {
    while (leader[node] !== node) {
      node = leader[node] = leader[leader[node]];
    }
    return node;
  };
  actions.forEach(({source, targets}, i) => [source, ...targets].forEach(v => { leader[find(v)] = find(count + i); }));
  const parts = new Map();
  layers.forEach((layer, i) => layer.forEach(node => {
    const part = parts.get(find(node)) ?? [];
    parts.set(find(node), part);
    while (part.length <= i) {
      part.push([]);
    }
    part[i].push(node);
  }));
  return [...parts.values()].sort((a, b) => b.flat().length - a.flat().length);
}

/** For each node, its neighbours in the layer before and in the layer after. */
function neighboursOf(count, actions, layers) {
  const layerOf = [];
  layers.forEach((layer, i) => layer.forEach(node => { layerOf[node] = i; }));
  const before = layerOf.map(() => []);
  const after = layerOf.map(() => []);
  const join = (from, to) => {
    if (layerOf[to] === layerOf[from] + 1) {
      after[from].push(to);
      before[to].push(from);
    }
  };
  actions.forEach(({source, targets}, i) => {
    join(source, count + i);
    targets.forEach(target => join(count + i, target));
  });
  return {before, after};
}

/** Order each layer so that few edges cross: by the mean place of the neighbours, forth and back a few times. */
function sortLayers(layers, {before, after}) {
  const place = [];
  const settle = layer => layer.forEach((node, i) => { place[node] = i / layer.length; });
  const sort = (layer, neighbours) => {
    const key = new Map(layer.map(node => [node, mean(neighbours[node].map(n => place[n])) ?? place[node]]));
    layer.sort((a, b) => key.get(a) - key.get(b) || place[a] - place[b]);
    settle(layer);
  };
  layers.forEach(settle);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    layers.slice(1).forEach(layer => sort(layer, before));
    layers.slice(0, -1).reverse().forEach(layer => sort(layer, after));
  }
  layers.slice(1).forEach(layer => sort(layer, before));
}

/** Layers much broader than a screen, in proportion to all, as several rows that stand in turn. */
function wrapped(layers, sizes, room, downward) {
  const broad = ({width, height}) => (downward ? width : height) + GAP_ACROSS;
  const area = layers.flat().reduce((sum, node) => sum + (sizes[node].width + GAP_ACROSS) * (sizes[node].height + GAP_ALONG), 0);
  const limit = room * Math.sqrt(area);
  return layers.flatMap(layer => {
    const count = Math.ceil(layer.reduce((sum, node) => sum + broad(sizes[node]), 0) / limit) || 1;
    return Array.from({length: count}, (_, row) => layer.filter((_, i) => i % count === row));
  });
}

/** Give every node its centre, without changing the order in any layer. */
function placeLayers(layers, {before, after}, sizes, downward) {
  const extent = node => downward ? sizes[node].width : sizes[node].height;
  const depth = node => downward ? sizes[node].height : sizes[node].width;
  const across = [];
  const gaps = layers.map(layer => layer.map((node, i) => i && (extent(layer[i - 1]) + extent(node)) / 2 + GAP_ACROSS));
  layers.forEach((layer, i) => {
    let position = 0;
    layer.forEach((node, j) => { across[node] = position += gaps[i][j]; });
    layer.forEach(node => { across[node] -= position / 2; });
  });
  const pull = (i, wanted) => {
    const places = apart(layers[i].map(node => mean(wanted(node).map(n => across[n])) ?? across[node]), gaps[i]);
    layers[i].forEach((node, j) => { across[node] = places[j]; });
  };
  const order = [...layers.keys()];
  for (let sweep = 0; sweep < 2 * SWEEPS; sweep++) {
    order.forEach(i => pull(i, node => before[node]));
    order.slice().reverse().forEach(i => pull(i, node => after[node]));
  }
  order.forEach(i => pull(i, node => [...before[node], ...after[node]]));

  const along = [];
  let position = 0;
  for (const layer of layers) {
    const thick = Math.max(0, ...layer.map(depth));
    layer.forEach(node => { along[node] = position + thick / 2; });
    position += thick + GAP_ALONG;
  }
  const nodes = layers.flat();
  const low = Math.min(...nodes.map(node => across[node] - extent(node) / 2));
  const high = Math.max(...nodes.map(node => across[node] + extent(node) / 2));
  const centres = nodes.map(node => [node, along[node], across[node] - low]);
  return {centres, length: position - GAP_ALONG, breadth: high - low};
}

/** Put parts side by side, in as many rows as make the drawing fit a screen best. */
function pack(parts, downward, shape) {
  const ends = [];
  parts.slice(0, 40).forEach(({breadth}) => ends.push((ends.at(-1) ?? 0) + breadth + GAP_PARTS));
  return ends.map(room => packRows(parts, room, downward)).reduce((best, each) => (scaleOnScreen(each, shape) > scaleOnScreen(best, shape) ? each : best));
}

function packRows(parts, room, downward) {
  const centres = [];
  let [along, across, row, widest] = [0, 0, 0, 0];
  for (const part of parts) {
    if (across > 0 && across + part.breadth > room) {
      [along, across, row] = [along + row + GAP_PARTS, 0, 0];
    }
    part.centres.forEach(([node, a, b]) => {
      centres[node] = downward ? {x: across + b, y: along + a} : {x: along + a, y: across + b};
    });
    widest = Math.max(widest, across + part.breadth);
    across += part.breadth + GAP_PARTS;
    row = Math.max(row, part.length);
  }
  const length = along + row;
  return {downward, centres, width: downward ? widest : length, height: downward ? length : widest};
}

/** How large a drawing can be shown on a screen. */
function scaleOnScreen({width, height}, shape) {
  return Math.min(shape / width, 1 / height);
}

/**
 * The places nearest to the wanted ones (least squares) that keep the order and the gaps: neighbours that want to be
 * closer than allowed form a block, which stands at the mean of what its members want.
 */
function apart(wanted, gaps) {
  const blocks = [];
  let offset = 0;
  const offsets = gaps.map(gap => (offset += gap));
  wanted.forEach((place, i) => {
    let block = {sum: place - offsets[i], size: 1};
    while (blocks.length > 0 && blocks.at(-1).sum / blocks.at(-1).size >= block.sum / block.size) {
      const last = blocks.pop();
      block = {sum: last.sum + block.sum, size: last.size + block.size};
    }
    blocks.push(block);
  });
  return blocks.flatMap(({sum, size}) => new Array(size).fill(sum / size)).map((place, i) => place + offsets[i]);
}

function mean(numbers) {
  return numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0) / numbers.length;
}
