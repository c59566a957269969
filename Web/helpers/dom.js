/**
 * Makes an element. Text is always set as text.
 *
 *     make("a", { className: "name", href: url, textContent: hostileFileName })
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {object} [properties] properties of the element, and `attributes` without a property
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, { attributes = {}, ...properties } = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Makes one of the page's symbols, drawn from `symbols.svg`.
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function symbol(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `/symbols.svg#${name}`);
  svg.setAttribute("class", "symbol");
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/** Returns whether the person prefers reduced motion. */
export const wantsLessMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Returns whether the person prefers that little is loaded. */
export const wantsLessData = () => navigator.connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;
