export const find = (selector) => document.querySelector(selector);

/**
 * Returns the elements in which photos are chosen.
 * @param {ParentNode} parent the picker's page, or a dialog
 */
export function elementsIn(parent) {
  const [grid, albumList, tray, tabs, searchField] = ["photo-grid", ".albums", ".tray", ".tabs", ".search"].map((name) => parent.querySelector(name));
  const [cancelButton, addButton, countButton] = [".cancel", ".add", ".count"].map((name) => parent.querySelector(name));
  return { grid, albumList, tray, tabs, searchField, cancelButton, addButton, countButton };
}
