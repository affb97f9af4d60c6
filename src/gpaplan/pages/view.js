"use strict";
/*
 * The view of a drawing: what part of it is seen, and how large. It is dragged, zoomed by wheel, fingers and buttons.
 *
 * Text is either large enough to be read or not drawn: all of it close by, only the names of vertices from afar, and
 * none where everything is smaller than a name.
 */

const TEXT = 12;         // pixels of the drawing's text at scale 1
const SMALLEST = 7;      // pixels: no text is smaller,
const NAMES = 9;         // no name, and on a phone no text at all
const FAR = 0.13;        // below this scale not even names are written
const NARROW = 600;      // pixels: on a phone
const CROWDED = 0.3;     // below this scale a graph on a phone is opened at its start,
const READING = 1;       // at this scale

/**
 * @param {SVGElement} drawing what is looked at
 * @param {SVGElement} view what is moved in it
 * @param {(element: Element | null) => void} clicked called with the thing that was clicked, or null
 */
function viewOf(drawing, view, clicked = () => {}) {
  const seen = {x: 0, y: 0, scale: 1};
  let size = {width: 1, height: 1};
  let start;  // what to look at first
  let home = null;  // what made the view as it is and does so again in a window of another size; null once it was moved

  /** The scale from which on everything is written. */
  const near = () => (frame().width < NARROW ? NAMES : SMALLEST) / TEXT;
  const frame = () => ({width: drawing.clientWidth || 1, height: drawing.clientHeight || 1});
  const fitting = () => {
    const {width, height} = frame();
    return Math.min((width - Math.min(120, width / 6)) / size.width, (height - Math.min(60, height / 8)) / size.height, 1.4);
  };

  function look(x, y, scale) {
    home = null;
    Object.assign(seen, {x, y, scale});
    view.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(5)})`);
    drawing.classList.toggle("far", scale < near());
    drawing.classList.toggle("farthest", scale < FAR);
    view.style.setProperty("--far-text", `${clamp(TEXT / scale, 20, NAMES / FAR).toFixed(1)}px`);
  }

  function zoom(factor, x = frame().width / 2, y = frame().height / 2) {
    const scale = clamp(seen.scale * factor, Math.max(0.005, Math.min(0.02, fitting())), 4);
    look(x - (x - seen.x) * scale / seen.scale, y - (y - seen.y) * scale / seen.scale, scale);
  }

  function fit() {
    const scale = Math.max(fitting(), 0.005);
    look((frame().width - size.width * scale) / 2, (frame().height - size.height * scale) / 2, scale);
    home = fit;
  }

  /** Look at all of it or, on a phone, at what it begins with if all of it would be too small. */
  function arrange() {
    fit();
    if (seen.scale < CROWDED && frame().width < NARROW && start !== undefined) {
      const x = clamp(frame().width / 2 - start.x * READING, frame().width - (size.width + 20) * READING, 20);
      look(x, 20 - (start.y - start.height / 2) * READING, READING);
    }
    home = arrange;
  }

  /** Look at something new. */
  function open({width, height}, first) {
    size = {width, height};
    start = first;
    arrange();
  }

  function centre(item, scale = Math.max(seen.scale, near())) {
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

  // --- fingers and the mouse ---

  const held = new Map();  // where each pointer is
  let moved = false;

  const middle = () => {
    const points = [...held.values()];
    const sum = key => points.reduce((total, point) => total + point[key], 0) / points.length;
    const [x, y] = [sum("x"), sum("y")];
    return {x, y, spread: Math.max(1, ...points.map(point => Math.hypot(point.x - x, point.y - y)))};
  };

  drawing.addEventListener("pointerdown", event => {
    if (event.button === 0) {
      moved = moved && held.size > 0;
      held.set(event.pointerId, {x: event.clientX, y: event.clientY});
    }
  });
  drawing.addEventListener("pointermove", event => {
    const point = held.get(event.pointerId);
    if (point === undefined || (!moved && Math.hypot(event.clientX - point.x, event.clientY - point.y) <= 4)) {
      return;
    }
    if (!moved) {
      moved = true;
      drawing.classList.add("panning");
    }
    drawing.setPointerCapture(event.pointerId);
    const before = middle();
    held.set(event.pointerId, {x: event.clientX, y: event.clientY});
    const after = middle();
    look(seen.x + after.x - before.x, seen.y + after.y - before.y, seen.scale);
    if (held.size > 1) {
      const area = drawing.getBoundingClientRect();
      zoom(after.spread / before.spread, after.x - area.left, after.y - area.top);
    }
  });
  const release = event => {
    const wasHeld = held.delete(event.pointerId);
    if (held.size > 0) {
      return;
    }
    drawing.classList.remove("panning");
    if (event.type === "pointerup" && wasHeld && !moved) {
      clicked(event.target.closest("g[role=button]"));
    }
    moved = false;
  };
  drawing.addEventListener("pointerup", release);
  drawing.addEventListener("pointercancel", release);
  drawing.addEventListener("wheel", event => {
    event.preventDefault();
    const area = drawing.getBoundingClientRect();
    const lines = event.deltaMode === 0 ? event.deltaY : event.deltaY * 30;
    zoom(Math.exp(-clamp(lines, -120, 120) / 400), event.clientX - area.left, event.clientY - area.top);
  }, {passive: false});
  new ResizeObserver(() => home?.()).observe(drawing);
  byId("zoom-in").addEventListener("click", () => zoom(1.25));
  byId("zoom-out").addEventListener("click", () => zoom(0.8));
  byId("zoom-fit").addEventListener("click", fit);

  return {open, fit, zoom, centre, reveal, shape: () => (frame().width < frame().height ? 0.6 : 4 / 3)};
}
