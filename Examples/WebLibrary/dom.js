/** Makes an element: `make("span", { className: "badge" }, "0:12")`. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Returns whether the person prefers that little is loaded. */
export const wantsLessData = () => navigator.connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;

/** Lets a picture grow from one place into another while `change` is made. */
export async function grow(from, to, change, className = "") {
  if (!document.startViewTransition) return change();
  document.documentElement.className = className;
  from.style.viewTransitionName = "photo";
  const transition = document.startViewTransition(() => {
    from.style.viewTransitionName = "";
    change();
    to.style.viewTransitionName = "photo";
  });
  await transition.finished;
  to.style.viewTransitionName = "";
}

/** Returns a length of time as 1:05. */
export function duration(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

// Moves the focus to the open dialog or the page if the focused element was removed, hidden,
// disabled or covered.
let focused = null;
addEventListener("focusin", ({ target }) => (focused = target));
const moveFocus = () => {
  if (!focused || document.activeElement !== document.body) return;
  if (focused.isConnected && !focused.disabled && !focused.closest("[inert]") && focused.checkVisibility()) return;
  const dialogs = [...document.querySelectorAll("dialog[open], [role=dialog]")];
  for (const place of [...dialogs.reverse(), document.querySelector("main")]) {
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
  }
};
// A disabled button loses the focus only after the next frame.
new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(moveFocus)))
  .observe(document, { childList: true, subtree: true, attributeFilter: ["hidden", "disabled", "open", "inert"] });
