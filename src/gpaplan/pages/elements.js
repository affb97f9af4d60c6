"use strict";
/*
 * Making the elements of a page. Names come from files that anybody may have written, so text enters a page as text only.
 */

const byId = id => document.getElementById(id);

/** An element of the page with its attributes, and its children: elements, or texts. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.append(...children);
  return element;
}

const list = (entries, attributes = {}) =>
  make("ul", attributes, ...entries.map(entry => make("li", {}, ...[entry].flat())));
const terms = (pairs, marks) =>
  make("dl", {class: marks}, ...pairs.flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, value)]));
const counted = (count, one, many = one + "s") => `${count} ${count === 1 ? one : many}`;
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
