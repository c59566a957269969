/** @import { AssetCell } from "./asset-cell.js" */
/** @import { Ranges } from "../models/ranges.js" */
import { make } from "../helpers/dom.js";
import { words } from "../words.js";

/**
 * Shows in a cell whether its asset is selected, and gives it the circle that selects it.
 * @param {AssetCell} cell
 * @param {Ranges} chosen
 */
export function markCell({ element, index, asset }, chosen) {
  let circle = element.querySelector(".circle");
  if (!circle) {
    circle = make("span", { className: "circle", tabIndex: -1, attributes: { role: "checkbox", "aria-label": words.selection.item } });
    element.append(circle);
  }
  const isSelected = asset !== undefined && chosen.has(index);
  element.classList.toggle("selected", isSelected);
  element.setAttribute("aria-selected", String(isSelected));
  circle.setAttribute("aria-checked", String(isSelected));
}

/**
 * Shows in the heading of a day whether its assets are selected, and gives it the circle for them.
 * @param {HTMLElement} heading
 * @param {number} day the day's index
 * @param {"none" | "some" | "all"} coverage
 */
export function markHeading(heading, day, coverage) {
  let circle = heading.querySelector(".day-circle");
  if (!circle) {
    circle = make("button", { type: "button", className: "day-circle", tabIndex: -1, attributes: { role: "checkbox" } });
    heading.append(circle);
  }
  circle.dataset.day = String(day);
  circle.setAttribute("aria-checked", { none: "false", some: "mixed", all: "true" }[coverage]);
  circle.setAttribute("aria-label", words.selection.day(heading.firstChild?.textContent ?? ""));
}
