import { make, symbol } from "../helpers/dom.js";

/**
 * Opens a menu at an element or a point. Arrow keys and letters move in it, and Escape closes it.
 *
 *     openMenu(button, [
 *       { label: "Rename", act: rename },
 *       { label: "Delete", act: remove, isDangerous: true, group: 1 },
 *     ]);
 *
 * A line separates groups. After a long press, `isPeek`, the menu is in the middle of the window,
 * and `picture` is shown above the commands.
 *
 * @param {Element | {x: number, y: number}} at
 * @param {{label: string, act: () => void, symbol?: string, key?: string, isDangerous?: boolean,
 *   isDisabled?: boolean, isChecked?: boolean, group?: number}[]} items
 * @param {{label?: string, isPeek?: boolean, picture?: HTMLElement}} [options]
 * @returns {Promise<void>} settles after the menu has closed
 */
export function openMenu(at, items, { label, isPeek = false, picture } = {}) {
  const menu = make("div", { className: isPeek ? "menu peek" : "menu", popover: isPeek ? "manual" : "auto", attributes: { role: "menu" } });
  if (label) menu.setAttribute("aria-label", label);
  if (picture) menu.append(picture);
  let group = items[0]?.group;
  for (const item of items) {
    if (item.group !== group) menu.append(make("hr", { attributes: { role: "separator" } }));
    group = item.group;
    menu.append(itemOf(item, menu));
  }
  menu.addEventListener("keydown", (event) => moveIn(menu, event));
  menu.addEventListener("contextmenu", (event) => event.preventDefault());
  document.body.append(menu);
  const before = document.activeElement;
  menu.showPopover();
  place(menu, at, isPeek);
  enabled(menu)[0]?.focus({ preventScroll: true });
  // The finger that opened the menu is still down. Lifting it must neither close the menu nor
  // choose the command that lies under it.
  let isHeld = isPeek;
  const press = ({ target }) => (menu.contains(target) ? (isHeld = false) : menu.hidePopover());
  if (isPeek) addEventListener("pointerdown", press, true);
  if (isPeek) coverPage(menu);
  menu.addEventListener("click", (event) => isHeld && event.detail > 0 && event.stopPropagation(), true);
  return new Promise((resolve) => {
    menu.addEventListener("toggle", ({ newState }) => {
      if (newState !== "closed") return;
      removeEventListener("pointerdown", press, true);
      menu.remove();
      if (document.activeElement === document.body) before?.focus?.({ preventScroll: true });
      resolve();
    });
  });
}

function itemOf({ label, act, symbol: name, key, isDangerous, isDisabled, isChecked }, menu) {
  const role = isChecked === undefined ? "menuitem" : "menuitemradio";
  const button = make(
    "button",
    { type: "button", className: isDangerous ? "dangerous" : "", disabled: isDisabled ?? false, tabIndex: -1, attributes: { role } },
    make("span", { textContent: label }),
  );
  if (isChecked !== undefined) button.setAttribute("aria-checked", String(isChecked));
  if (isChecked) button.append(symbol("check"));
  else if (name) button.append(symbol(name));
  else if (key) button.append(make("kbd", { textContent: key, ariaHidden: "true" }));
  button.addEventListener("click", () => {
    menu.hidePopover();
    act();
  });
  button.addEventListener("pointerenter", () => button.focus({ preventScroll: true }));
  return button;
}

const enabled = (menu) => [...menu.querySelectorAll("button:not(:disabled)")];

function moveIn(menu, event) {
  const buttons = enabled(menu);
  const at = buttons.indexOf(document.activeElement);
  const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && event.key !== " " ? event.key.toLowerCase() : null;
  const byLetter = letter && [...buttons.slice(at + 1), ...buttons].find(({ textContent }) => textContent.trim().toLowerCase().startsWith(letter));
  const next = {
    ArrowDown: buttons[(at + 1) % buttons.length],
    ArrowUp: buttons.at(at <= 0 ? -1 : at - 1),
    Home: buttons[0],
    End: buttons.at(-1),
  }[event.key] ?? byLetter;
  if (event.key === "Tab" || event.key === "Escape") menu.hidePopover();
  // No key of the page below may act while a menu is open.
  event.stopPropagation();
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/**
 * Lets a press beside a popover that dims the page only close it. Browsers deliver the press to
 * what is under it, so this drops the press and its click.
 * @param {HTMLElement} popover
 */
export function coverPage(popover) {
  const drop = (event) => {
    // A key also clicks.
    if (event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const press = (event) => {
    removeEventListener("click", drop, true);
    if (!popover.isConnected) return removeEventListener("pointerdown", press, true);
    if (popover.contains(event.target)) return;
    event.stopPropagation();
    addEventListener("click", drop, { capture: true, once: true });
  };
  addEventListener("pointerdown", press, true);
}

/** Places a popover below an element or at a point, or on the other side if there is no room. */
export function place(popover, at, isCentered = false) {
  const { width, height } = popover.getBoundingClientRect();
  const box = at instanceof Element ? at.getBoundingClientRect() : { left: at.x, right: at.x, top: at.y, bottom: at.y };
  const gap = at instanceof Element ? 6 : 2;
  const margin = 8;
  let left = box.left + width + margin > innerWidth ? box.right - width : box.left;
  let top = box.bottom + gap + height + margin > innerHeight ? box.top - gap - height : box.bottom + gap;
  if (isCentered) [left, top] = [(innerWidth - width) / 2, (innerHeight - height) / 2];
  popover.style.left = `${Math.round(Math.max(margin, Math.min(left, innerWidth - width - margin)))}px`;
  popover.style.top = `${Math.round(Math.max(margin, Math.min(top, innerHeight - height - margin)))}px`;
}
