import { make } from "../helpers/dom.js";

const duration = 8_000;

let region;
let timer;
let isUnderPointer = false;

/**
 * Says what has happened, at the bottom of the window. The message leaves after eight seconds, but
 * not while the pointer or the focus is on it. A new message replaces it.
 *
 *     showToast("3 moved to Recently Deleted", { action: { label: "Undo", act: undo } });
 *
 * @param {string} text
 * @param {{action?: {label: string, act: () => void}}} [options]
 * @returns {() => void} takes the message away, unless another one has replaced it
 */
export function showToast(text, { action } = {}) {
  const toast = make("div", { className: "toast" }, make("span", { textContent: text }));
  if (action) {
    const button = make("button", { type: "button", textContent: action.label });
    button.addEventListener("click", () => {
      hideToast();
      action.act();
    });
    toast.append(button);
  }
  toastRegion().replaceChildren(toast);
  wait();
  return () => toast.isConnected && hideToast();
}

export function hideToast() {
  clearTimeout(timer);
  region?.replaceChildren();
}

/** Puts the focus on the message's button. @returns {boolean} whether there is one */
export function focusToast() {
  const button = region?.querySelector("button");
  button?.focus();
  return button != null;
}

function wait() {
  clearTimeout(timer);
  if (!isUnderPointer && !region.contains(document.activeElement)) timer = setTimeout(hideToast, duration);
}

function toastRegion() {
  if (region) return region;
  region = document.querySelector(".toasts") ?? document.body.appendChild(make("div", { className: "toasts" }));
  region.setAttribute("role", "status");
  region.addEventListener("focusin", wait);
  // The focus has not moved yet when it leaves.
  region.addEventListener("focusout", () => setTimeout(wait));
  for (const type of ["pointerenter", "pointerleave"]) {
    region.addEventListener(type, () => {
      isUnderPointer = type === "pointerenter";
      wait();
    });
  }
  return region;
}
