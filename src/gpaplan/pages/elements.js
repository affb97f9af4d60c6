"use strict";
/*
 * Making the elements of a page. Names come from files that anybody may have written, so text enters a page as text only.
 */

const byId = id => document.getElementById(id);

/** Give an element its attributes, and its children: elements, or texts. */
function furnish(element, attributes, children) {
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.append(...children);
  return element;
}

/** An element of the page. */
const make = (name, attributes = {}, ...children) => furnish(document.createElement(name), attributes, children);

/** An element of a drawing. */
function draw(parent, name, attributes = {}, ...children) {
  const element = furnish(document.createElementNS(parent.namespaceURI, name), attributes, children);
  parent.append(element);
  return element;
}

const list = (entries, attributes = {}, ordered = false) =>
  make(ordered ? "ol" : "ul", attributes, ...entries.map(entry => make("li", {}, ...[entry].flat())));
const terms = (pairs, marks) =>
  make("dl", {class: marks}, ...pairs.flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, value)]));
const counted = (count, one, many = one + "s") => `${count} ${count === 1 ? one : many}`;
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
