const focusable = "a[href], button, input, select, textarea, [tabindex]";
const field = "input, select, textarea";
/** Focus that leaves these goes back to where it was before, and not to another part of them. */
const large = "main, body";
const mostRecent = 8;

/** The element with the focus, and its ancestors. */
let chain = [];
let recent = [];
/** Whether the element with the focus was taken out of the page; it may have been put back. */
let wasTaken = false;
/**
 * Returns the element for a focus that can go nowhere else.
 * @type {(() => HTMLElement | null) | null}
 */
let fallback = null;

/**
 * Moves the focus on when the element that has it is removed, hidden or disabled. A browser would
 * put it on the body, where a keyboard begins at the top again. The focus goes to what took the
 * element's place, else to what was near it, else back to where it was before, else to what
 * `otherwise` returns. Another call only replaces `otherwise`.
 * @param {() => HTMLElement | null} otherwise
 */
export function keepFocus(otherwise) {
  const isKept = fallback !== null;
  fallback = otherwise;
  if (isKept) return;
  const look = () => requestAnimationFrame(restore);
  if (document.activeElement !== document.body) remember(document.activeElement);
  document.addEventListener("focusin", ({ target }) => remember(target));
  document.addEventListener("focusout", ({ relatedTarget }) => relatedTarget === null && look());
  // A browser need not tell that the focused element is gone.
  const isHidden = ({ type, target }) => type === "attributes" && target.contains(chain[0]);
  const isTaken = ({ removedNodes }) => [...removedNodes].some((node) => node.contains(chain[0]));
  const observer = new MutationObserver((records) => {
    if (chain.length === 0) return;
    const isChanged = records.some((record) => isHidden(record) || isTaken(record));
    if (isChanged && document.activeElement === document.body) wasTaken = true;
    if (isChanged || !chain[0].isConnected) look();
  });
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["hidden", "disabled", "inert"] });
}

function remember(element) {
  wasTaken = false;
  chain = [];
  for (let one = element; one; one = one.parentElement) chain.push(one);
  recent = [element, ...recent.filter((other) => other !== element)].slice(0, mostRecent);
}

function restore() {
  const [gone, ...around] = chain;
  if (!gone || isReachable(document.activeElement)) return;
  const isThere = isReachable(gone);
  // The person has left the element, by a click next to it.
  if (isThere && !wasTaken) return void (chain = []);
  wasTaken = false;
  // In the grid, keys act on cells. A cell may show another asset by now.
  const isInGrid = around.some(({ localName }) => localName === "photo-grid");
  if (isThere && !isInGrid) return gone.focus({ preventScroll: true });
  const candidates = isInGrid ? [fallback()] : [near(gone, around), recent.find(isReachable), fallback()];
  for (const candidate of candidates) {
    candidate?.focus({ preventScroll: true });
    if (candidate && document.activeElement === candidate) return;
  }
}

/** Returns what took the place of an element, or else what is first in the part that it was in. */
function near(gone, around) {
  for (const part of around) {
    if (part.matches(large)) return null;
    if (!part.isConnected) continue;
    if (part.matches(focusable) && isReachable(part)) return part;
    const found = [...part.querySelectorAll(focusable)].filter(isReachable);
    const same = found.find((one) => nameOf(one) === nameOf(gone));
    // A field would take the next key as text.
    const next = same ?? found.find((one) => !one.matches(field));
    if (next) return next;
  }
  return null;
}

const nameOf = (element) => `${element.localName} ${element.ariaLabel ?? element.textContent}`;

const isReachable = (element) =>
  element.isConnected && element !== document.body && !element.disabled && !element.closest("[inert]") && element.checkVisibility({ visibilityProperty: true });
