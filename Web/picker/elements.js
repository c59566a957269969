/** The elements of the picker's page. */
export const find = (selector) => document.querySelector(selector);

export const [grid, albumList, tray, options] = ["photo-grid", ".albums", ".tray", ".options"].map(find);
export const [bar, cancelButton, addButton, countButton] = [".picker-bar", ".cancel", ".add", ".count"].map(find);
export const [searchField, tabs] = [".search", ".tabs"].map(find);
