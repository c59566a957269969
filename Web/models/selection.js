import { Ranges } from "./ranges.js";

/**
 * The selection of a view, as a pure state machine. A place is an asset's index in the view's
 * order, so a range never depends on what is loaded.
 *
 * `chosen` are the selected places. `anchor` is where a range begins, and `lead` is where it ends.
 * `base` is what was chosen before the present range or gesture, which replaces only its own part.
 * `before` is what Escape restores during a gesture, and `dragged` is what a drag takes along.
 * `picked` has the same places as `chosen`, in the order in which they were chosen.
 *
 * @typedef {"idle" | "selecting" | "banding" | "sweeping" | "dragging"} Mode
 * @typedef {{mode: Mode, chosen: Ranges, anchor: number, lead: number, base: Ranges,
 *   before: Ranges | null, dragged: Ranges, picked: [number, number][], isSelectMode: boolean,
 *   isRemoving: boolean}} Selection
 * @typedef {{type: "open", place: number} | {type: "menu", places: Ranges,
 *   place: number} | {type: "drag", places: Ranges} | {type: "cleared", places: Ranges}} Effect
 */

/** @type {Selection} */
export const nothingSelected = {
  mode: "idle", chosen: Ranges.none, anchor: -1, lead: -1, base: Ranges.none, before: null, dragged: Ranges.none, picked: [],
  isSelectMode: false, isRemoving: false,
};

/**
 * Returns the state after an event, and what the page has to do.
 *
 *     next(nothingSelected, { type: "click", place: 3, toggle: true }).state.chosen.list  // [[3, 4]]
 *
 * @param {Selection} state
 * @param {{type: string}} event
 * @returns {{state: Selection, effect: Effect | null}}
 */
export function next(state, event) {
  const answer = events[event.type]?.(state, event) ?? state;
  const { effect = null, ...after } = answer;
  return { state: settled(inOrder(state, after)), effect };
}

/** Returns the places that have to be followed when the view changes. @param {Selection} state */
export function followedPlaces({ chosen, base, before, dragged, anchor, lead }) {
  const places = chosen.union(base).union(before ?? Ranges.none).union(dragged);
  if (places.isEmpty) return places;
  return [anchor, lead].filter((place) => place >= 0).reduce((all, place) => all.add(place, place + 1), places);
}

/** Takes what a step has unchosen from the order of choosing, and appends what it has chosen. */
function inOrder({ chosen: before, picked }, state) {
  if (state.chosen === before || state.picked !== picked) return state;
  const gone = before.minus(state.chosen);
  const kept = gone.isEmpty ? state.picked : state.picked.flatMap((range) => Ranges.of(range).minus(gone).list);
  return { ...state, picked: [...kept, ...state.chosen.minus(before).list] };
}

const isGesture = (mode) => mode === "banding" || mode === "sweeping" || mode === "dragging";

/** Outside of gestures, the mode follows from what is chosen. */
function settled(state) {
  if (isGesture(state.mode)) return state;
  const mode = state.isSelectMode || !state.chosen.isEmpty ? "selecting" : "idle";
  return mode === state.mode ? state : { ...state, mode };
}

const rangeBetween = (one, other) => [Math.min(one, other), Math.max(one, other) + 1];

/** Chooses a place, or unchooses it, and begins further ranges there. */
function toggled(state, place) {
  const chosen = state.chosen.has(place) ? state.chosen.remove(place, place + 1) : state.chosen.add(place, place + 1);
  return { ...state, chosen, anchor: place, lead: place, base: chosen };
}

/**
 * Extends from the anchor, or from the focused place if nothing is chosen. The range replaces the
 * last one, unless it is to be added.
 */
function extended(state, place, { from = state.lead, isAdding = false } = {}) {
  const isBeginning = state.chosen.isEmpty && from >= 0;
  const anchor = state.anchor >= 0 && !isBeginning ? state.anchor : from >= 0 ? from : place;
  const base = isAdding ? state.chosen : state.base;
  return { ...state, chosen: base.add(...rangeBetween(anchor, place)), anchor, lead: place, base };
}

const cleared = (state) => ({ ...nothingSelected, lead: state.lead });

/** Returns what is chosen after a sweep or a band over some places. */
const swept = (state, places) => (state.isRemoving ? state.base.minus(places) : state.base.union(places));

const events = {
  /** A click or tap on a cell: `on` is its circle or its picture. */
  click(state, { place, on = "picture", by = "mouse", toggle = false, shift = false, focused = -1 }) {
    if (shift) return extended(state, place, { from: focused, isAdding: toggle });
    // A finger doesn't see the circle before something is selected.
    const isOnCircle = on === "circle" && (by !== "touch" || state.mode === "selecting");
    if (toggle || isOnCircle) return toggled(state, place);
    if (state.isSelectMode || (by === "touch" && state.mode === "selecting")) return toggled(state, place);
    return { ...state, lead: place, effect: { type: "open", place } };
  },

  /** A right click, the menu key, or a long press in normal mode. */
  menu(state, { place }) {
    const places = state.chosen.has(place) ? state.chosen : Ranges.of([place, place + 1]);
    return { ...state, lead: place, effect: { type: "menu", places, place } };
  },

  /** Keys move the focus. With Shift they extend the selection. */
  move(state, { from, place, shift = false }) {
    return shift ? extended(state, place, { from }) : { ...state, lead: place };
  },

  toggle: (state, { place }) => toggled(state, place),

  /** A heading's circle chooses its day, or unchooses it if all of it is chosen. */
  toggleRange(state, { first, end }) {
    const isAll = state.chosen.coverage(first, end) === "all";
    const chosen = isAll ? state.chosen.remove(first, end) : state.chosen.add(first, end);
    return { ...state, chosen, anchor: first, lead: end - 1, base: chosen };
  },

  all(state, { total }) {
    const chosen = Ranges.of([0, total]);
    return { ...state, chosen, base: chosen };
  },

  /** Escape, and the button that clears. A gesture is undone first. */
  clear(state) {
    if (isGesture(state.mode)) return events.cancel(state);
    return { ...cleared(state), effect: state.chosen.isEmpty ? null : { type: "cleared", places: state.chosen } };
  },

  enterSelectMode(state, { place = -1 }) {
    const entered = { ...state, isSelectMode: true };
    return place < 0 || state.chosen.has(place) ? entered : toggled(entered, place);
  },

  /** Chooses what was chosen before, from the history or after a clearing. */
  choose: (state, { places, isSelectMode = state.isSelectMode }) => ({
    ...state, chosen: places, base: places, anchor: places.first, lead: places.first, isSelectMode,
  }),

  startBand(state, { isAdding = false }) {
    const base = isAdding || state.mode === "selecting" ? state.chosen : Ranges.none;
    return { ...state, mode: "banding", before: state.chosen, base, isRemoving: false };
  },

  band: (state, { places }) => (state.mode === "banding" ? { ...state, chosen: swept(state, places) } : state),

  /** A finger's sweep from a chosen cell unchooses. */
  startSweep(state, { place }) {
    const isRemoving = state.chosen.has(place);
    const started = { ...state, mode: "sweeping", before: state.chosen, base: state.chosen, anchor: place, isRemoving };
    return events.sweep(started, { place });
  },

  sweep(state, { place }) {
    if (state.mode !== "sweeping") return state;
    return { ...state, lead: place, chosen: swept(state, Ranges.of(rangeBetween(state.anchor, place))) };
  },

  /** A drag from a chosen cell takes all that are chosen, and another takes its own cell alone. */
  startDrag(state, { place }) {
    const places = state.chosen.has(place) ? state.chosen : Ranges.of([place, place + 1]);
    return { ...state, mode: "dragging", before: state.chosen, dragged: places, effect: { type: "drag", places } };
  },

  end(state) {
    if (!isGesture(state.mode)) return state;
    const isDrag = state.mode === "dragging";
    return { ...state, mode: "idle", before: null, dragged: Ranges.none, base: isDrag ? state.base : state.chosen, isRemoving: false };
  },

  cancel(state) {
    if (!isGesture(state.mode)) return state;
    return { ...state, mode: "idle", chosen: state.before, base: state.before, before: null, dragged: Ranges.none, isRemoving: false };
  },

  /** The view has changed: `map` returns what ranges have become. */
  change(state, { map, total }) {
    const follow = (ranges) => map(ranges).within(0, total);
    const place = (index) => (index < 0 ? -1 : follow(Ranges.of([index, index + 1])).first);
    const picked = state.picked.flatMap((range) => follow(Ranges.of(range)).list);
    const chosen = follow(state.chosen);
    return {
      ...state, picked, chosen, base: follow(state.base), before: state.before && follow(state.before),
      dragged: state.dragged === state.chosen ? chosen : follow(state.dragged), anchor: place(state.anchor), lead: place(state.lead),
    };
  },

  /** Another collection is shown. */
  leave: () => nothingSelected,
};
