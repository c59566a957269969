/** @import { PhotoGrid } from "./photo-grid.js" */

/**
 * Returns the action of a key on the selection of a grid, or null. Space and Ctrl+Space toggle.
 * Shift with arrows extends, Ctrl with arrows moves only the focus, and Ctrl+A selects all.
 * @param {KeyboardEvent} event
 * @param {PhotoGrid} grid
 * @param {(event: {type: string}) => unknown} apply applies an event of the state machine
 * @returns {(() => void) | null}
 */
export function selectionKey(event, grid, apply) {
  const { key, shiftKey, altKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && !altKey && key.toLowerCase() === "a") return () => void apply({ type: "all", total: grid.snapshot.total });
  const from = grid.focusedIndex;
  if (key === " " && from >= 0) return () => void apply({ type: "toggle", place: from });
  if (altKey || !(shiftKey || isCommand)) return null;
  const place = grid.placeOf(key, { isAll: isCommand });
  if (place === null) return null;
  return () => {
    apply({ type: "move", from, place, shift: shiftKey });
    grid.focusByKey(key, place);
  };
}
