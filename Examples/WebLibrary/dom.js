/** Makes an element: `make("span", { className: "badge" }, "0:12")`. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Returns whether the person prefers that little is loaded. */
export const wantsLessData = () => navigator.connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;

/**
 * Sets the variable `--height` of an element, so that its styles show an asset at no more than
 * 100 %. A pixel of a movie is a CSS pixel, since its controls need room on a dense screen.
 */
export function limitHeight(element, { mediaType, pixelHeight }) {
  const height = pixelHeight / (mediaType === "video" ? 1 : devicePixelRatio);
  element.style.setProperty("--height", height > 0 ? `${height}px` : "none");
}

/** The element that has the name of the growing picture, which no two may have at once. */
let named = null;
function name(element) {
  if (named) named.style.viewTransitionName = "";
  if (element) element.style.viewTransitionName = "photo";
  named = element;
}

/** Stands for the latest growth. It has the name, and an earlier one leaves it alone. */
let latest = null;

/** Lets a picture grow from one place into another while `change` is made. */
export async function grow(from, to, change, className = "") {
  if (!document.startViewTransition) return change();
  const own = (latest = {});
  document.documentElement.className = className;
  name(from);
  const transition = document.startViewTransition(() => {
    change();
    if (own === latest) name(to);
  });
  // Another growth, or a hidden page, skips this one. The change is made all the same.
  transition.ready.catch(() => {});
  try {
    await transition.finished;
  } finally {
    if (own === latest) name(null);
  }
}

/** Returns a length of time as 1:05. */
export function duration(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

// Moves the focus to the open dialog or the page if the focused element was removed, hidden,
// disabled or covered. A busy browser still calls such an element the active one. In a dialog that
// closes, it is visible until the dialog has faded.
let focused = null;
addEventListener("focusin", ({ target }) => (focused = target));
const isReachable = (element) =>
  element.isConnected && !element.disabled && !element.closest("[inert], dialog:not([open])") && element.checkVisibility();
const moveFocus = () => {
  if (!focused || isReachable(focused) || ![focused, document.body].includes(document.activeElement)) return;
  const dialogs = [...document.querySelectorAll("dialog[open], [role=dialog]")];
  for (const place of [...dialogs.reverse(), document.querySelector("main")]) {
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
  }
};
// The code that has changed the element may first give the focus to another one.
const look = () => requestAnimationFrame(() => requestAnimationFrame(moveFocus));
addEventListener("focusout", ({ relatedTarget }) => relatedTarget === null && look());
new MutationObserver(look)
  .observe(document, { childList: true, subtree: true, attributeFilter: ["hidden", "disabled", "open", "inert"] });
