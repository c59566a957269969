import { GridGestures } from "../elements/grid-gestures.js";
import { selectionKey } from "../elements/selection-keys.js";
import { markHeading } from "../elements/selection-marks.js";
import { make } from "../helpers/dom.js";
import { PickingRange } from "../models/picking-range.js";
import { Picking } from "../models/picking.js";
import { Ranges } from "../models/ranges.js";
import { Tray } from "./tray.js";
import { words } from "./words.js";

/** The number of cells that one request names. */
const atOnce = 500;

/**
 * The choice of photos in the grid: by clicks and keys, with Shift, with a rubber band, or by a
 * finger's sweep. A tray shows what is chosen.
 *
 * Fires `choice` when the person has chosen otherwise, and `decision` when the only photo of a
 * picker is chosen.
 */
export class Choosing extends EventTarget {
  /** The cell of each chosen asset. @type {Map<string, import("../models/asset-pages.js").Cell>} */
  cells = new Map();
  /** The assets that were selected at first and that the page has already. @type {Set<string>} */
  preselected = new Set();
  #configuration;
  #addButton;
  #countButton;
  /** @type {import("./messages.js").Messages} */
  #messages;
  #isSingle;
  #browsing;
  #guard;
  #isOpen;
  #labelOf;
  #mayBeEmpty;
  /** @type {Picking} */
  #picking;
  #tray;
  /** The selection that was reported last. @type {Picking} */
  #told;
  #gestures;
  /** The range or gesture that began after the latest change by other means. */
  #range;
  /** The number of the latest step of a range. Results of earlier steps are dropped. */
  #step = 0;
  /** The loading of a step's assets; false if they can't be loaded. @type {Promise<boolean>} */
  #loading = Promise.resolve(true);
  #isLoading = false;
  /** The number of chosen assets of each date. @type {Map<string | null, number>} */
  #days = new Map();
  grid;

  /**
   * @param {object} options
   * @param {import("../models/picker-configuration.js").Configuration} options.configuration
   * @param {import("./browsing.js").Browsing} options.browsing
   * @param {ReturnType<typeof import("./elements.js").elementsIn>} options.elements
   * @param {import("./messages.js").Messages} options.messages
   * @param {import("../models/guard.js").Guard} [options.guard]
   * @param {() => boolean} options.isOpen whether the person may still choose
   * @param {(count: number) => string} [options.labelOf] the words of the button that adds
   * @param {boolean} [options.mayBeEmpty] whether nothing may be chosen
   * @param {EventTarget} [options.target] whose keys choose
   * @param {AbortSignal} [options.signal] ends it
   */
  constructor({ configuration, elements, messages, browsing, guard, isOpen, labelOf = words.add, mayBeEmpty = false, target = globalThis, signal }) {
    super();
    const { grid, tray, addButton, countButton } = elements;
    this.grid = grid;
    [this.#addButton, this.#countButton] = [addButton, countButton];
    this.#configuration = configuration;
    this.#messages = messages;
    this.#labelOf = labelOf;
    this.#mayBeEmpty = mayBeEmpty;
    this.#isSingle = configuration.selectionLimit === 1 && !configuration.isContinuous && configuration.preselected.length === 0;
    this.#browsing = browsing;
    this.#guard = guard;
    this.#isOpen = isOpen;
    this.#picking = this.#told = new Picking([], configuration.selectionLimit);
    this.#begin();
    this.#hideAddButton();
    countButton.disabled = configuration.disabled.has("stagingArea");
    countButton.addEventListener("click", () => this.#showTray(!this.#tray.isShown));
    // Captured, so that it comes before the grid's own handler, which only moves the focus.
    target.addEventListener("keydown", (event) => this.#pressed(event), { capture: true });
    grid.decorators.add((cell) => this.#mark(cell));
    grid.headingDecorators.add((heading, day) => this.#markDay(heading, day));
    this.#tray = new Tray(tray, {
      isOrdered: configuration.isOrdered,
      remove: (id) => this.#choose(this.#picking.without([id])),
      move: (id, after) => this.#choose(this.#picking.moving(id, after)),
    });
    this.#gestures = new GridGestures(this, signal);
    // Other photos may be at the places of the range now.
    browsing.addEventListener("change", () => {
      this.#gestures.cancel();
      this.#begin();
    });
  }

  get picking() {
    return this.#picking;
  }

  /** Selects otherwise for the page or the program, which is not told of it. */
  set picking(picking) {
    this.#told = picking;
    this.#picking = picking;
    this.#begin();
    this.redraw();
  }

  /** @returns {import("../models/selection.js").Selection} */
  get selection() {
    return this.#range.state;
  }

  /** Whether photos can only be chosen singly: only one can be chosen, or their order counts. */
  get isOneByOne() {
    return this.isSingle || this.#configuration.isOrdered;
  }

  /** Whether a click finishes. The page can end this by a new limit, and can't begin it. */
  get isSingle() {
    return this.#isSingle;
  }

  /**
   * Whether nothing ends the choosing but the window's end, so that what is chosen is given at
   * once.
   */
  get isImmediate() {
    return this.#configuration.isContinuous && this.#configuration.disabled.has("selectionActions");
  }

  /** @param {number} limit */
  limitTo(limit) {
    this.#isSingle &&= limit === 1;
    this.picking = this.#picking.limitedTo(limit);
    this.#hideAddButton();
  }

  /**
   * Keeps assets that the page has already.
   * @param {import("../models/asset-pages.js").Cell[]} cells
   */
  preselect(cells) {
    for (const cell of cells) this.preselected.add(cell.id);
    this.know(cells);
  }

  /**
   * Takes the cells of chosen assets that were not shown, for the tray and the headings.
   * @param {import("../models/asset-pages.js").Cell[]} cells
   * @param {{isShown?: boolean}} [options] whether the tray shows them
   */
  know(cells, { isShown = this.#tray.isShown } = {}) {
    for (const cell of cells) this.cells.set(cell.id, cell);
    this.redraw();
    this.#showTray(isShown);
  }

  /**
   * Waits until the latest range is loaded. Returns the chosen assets, or null if the range can't
   * be loaded: it was shown as chosen, and is not.
   */
  async settled() {
    return (await this.#loading) ? this.#picking.ids : null;
  }

  /** Cancels the rubber band, the sweep or the drag. Returns whether there was one. */
  cancelGesture() {
    if (this.#tray.cancel()) return true;
    if (!this.#gestures.isActive) return false;
    this.#gestures.cancel();
    return true;
  }

  #hideAddButton() {
    this.#addButton.hidden = this.isSingle || this.isImmediate;
  }

  /**
   * Applies an event of a person to the selection.
   * @param {{type: string, place?: number, shift?: boolean, at?: number}} event `at` is its time
   */
  apply(event) {
    const answer = { effect: null };
    // A gesture that has begun continues.
    if (!this.#range.isGesture && (!this.#isOpen() || this.#guard?.isOpen(event.at ?? performance.now()) === false)) return answer;
    if (event.type === "toggle" || (event.type === "click" && (!event.shift || this.isOneByOne))) {
      this.#toggle(event.place);
      return answer;
    }
    if (this.isOneByOne) return answer;
    if (event.type === "startSweep") {
      // A sweep that begins on a chosen photo deselects.
      const isChosen = this.#picking.numberOf(this.grid.snapshot.pages.at(event.place)?.id) > 0;
      this.#begin({ anchor: event.place, origin: isChosen ? Ranges.of([0, this.grid.snapshot.total]) : Ranges.none });
    }
    if (event.type === "toggleRange") {
      const { first, end, isChosen } = event;
      this.#begin({ origin: isChosen ? Ranges.of([first, end]) : Ranges.none });
    }
    const isChanged = this.#range.apply(event);
    if (isChanged || event.type === "end") this.#loading = this.#follow(event.type);
    return answer;
  }

  /**
   * Chooses the assets of a day, or unchooses them if all are chosen.
   * @param {number} day the day's index
   * @param {number} at the time of the click
   */
  toggleDay(day, at) {
    this.apply({ type: "toggleRange", ...this.grid.layout.assetsOfDay(day), isChosen: this.#coverageOf(day) === "all", at });
  }

  /** Begins another range, which adds to what is chosen. */
  #begin(options) {
    this.#step += 1;
    this.#range = new PickingRange(this.#picking, options);
  }

  async #toggle(place) {
    const { snapshot } = this.grid;
    if (this.#isLoading) await this.#loading;
    const cell = snapshot === this.grid.snapshot && snapshot.pages.at(place);
    if (!cell) return;
    this.cells.set(cell.id, cell);
    if (this.isSingle) {
      this.#picking = new Picking([cell.id], 1);
      return void this.dispatchEvent(new Event("decision"));
    }
    this.#choose(this.#picking.toggle(cell.id), place);
    this.#refuse(place);
  }

  /**
   * Chooses the photos of a range or a gesture so far, up to the limit of the selection. Returns
   * whether they could be loaded.
   */
  async #follow(type) {
    const step = ++this.#step;
    const range = this.#range;
    const { added, removed } = range;
    const wasRefused = this.#picking.isRefused;
    const loaded = [added, removed].map((ranges) => this.#loadedCells(ranges));
    // A gesture waits for nothing. At its end, the missing cells are loaded.
    if (range.isGesture && loaded.includes(null)) return true;
    const chosen = loaded[0] ?? (await this.#load(added, range));
    const given = loaded[1] ?? (await this.#load(removed));
    if (step !== this.#step || !this.#isOpen()) return true;
    if (!chosen || !given) {
      this.#loading = Promise.resolve(true);
      this.#begin();
      return false;
    }
    for (const cell of chosen) this.cells.set(cell.id, cell);
    const picking = range.picking(chosen.map(({ id }) => id), given.map(({ id }) => id));
    if (range.isGesture) this.#show(picking);
    else this.#take(picking);
    // The next range begins here, so that shrinking it does not deselect the photos of the gesture.
    if (type === "end") this.#begin({ anchor: range.state.anchor });
    if (type !== "end" && !(range.isGesture && wasRefused)) this.#refuse(range.state.lead);
    return true;
  }

  /** Returns the cells of ranges, or null if some are not loaded. */
  #loadedCells(ranges) {
    const cells = [];
    for (const [first, end] of ranges) {
      for (let place = first; place < end; place++) {
        const cell = this.grid.snapshot.pages.at(place);
        if (!cell) return null;
        cells.push(cell);
      }
    }
    return cells;
  }

  /**
   * Returns the cells of ranges, or null if they can't be loaded.
   * @param {[number, number][]} ranges
   * @param {PickingRange} [filling] the range whose loading ends once the selection is full
   */
  async #load(ranges, filling) {
    const { snapshot } = this.grid;
    const fetchAssets = this.#browsing.fetchAssets();
    const cells = [];
    this.#isLoading = true;
    try {
      for (const [first, end] of ranges) {
        for (let offset = first; offset < end; offset += atOnce) {
          const page = await fetchAssets(offset, Math.min(atOnce, end - offset));
          if (page.revision !== snapshot.revision) {
            // The person chooses again when the view shows the present revision.
            this.#browsing.refresh();
            return null;
          }
          cells.push(...page.assets);
          if (filling?.picking(cells.map(({ id }) => id)).isRefused) return cells;
        }
      }
    } catch {
      this.#messages.complain(words.unreachable);
      return null;
    } finally {
      this.#isLoading = false;
    }
    return cells;
  }

  #pressed(event) {
    if (event.defaultPrevented || event.isComposing || !this.grid.takesKeys) return;
    if (event.target !== document.body && !this.grid.contains(event.target)) return;
    const place = this.grid.indexOf(event.target);
    const isEnter = event.key === "Enter" && place >= 0;
    const select = isEnter ? () => this.apply({ type: "toggle", place }) : selectionKey(event, this.grid, (step) => this.apply(step));
    if (!select) return;
    event.preventDefault();
    event.stopPropagation();
    select();
  }

  /** Says that a choice was over the limit, if it was. @param {number} index */
  #refuse(index) {
    if (!this.#picking.isRefused) return;
    this.#messages.speak(words.limit(this.#picking.limit));
    const element = this.grid.cellAt(index)?.element;
    element?.classList.remove("refused");
    requestAnimationFrame(() => element?.classList.add("refused"));
  }

  /** Takes a selection of the person, and fires `choice` if it is not the last reported one. */
  #take(picking) {
    const isSame = picking.isSame(this.#told);
    this.#show(picking);
    this.#told = picking;
    if (!isSame) this.dispatchEvent(new Event("choice"));
  }

  /** Takes a selection from which the next range begins. @param {number} [anchor] */
  #choose(picking, anchor) {
    this.#take(picking);
    this.#begin({ anchor });
  }

  #show(picking) {
    this.#picking = picking;
    this.redraw();
  }

  /** Shows the choice in the bar, the grid and the tray. */
  redraw() {
    if (this.#browsing.hasPhotos) this.#messages.clear();
    const { count, isOver, isFull, limit } = this.#picking;
    this.#addButton.textContent = this.#labelOf(count);
    this.#addButton.disabled = isOver || (count === 0 && this.preselected.size === 0 && !this.#mayBeEmpty);
    this.#countButton.hidden = count === 0 || this.isSingle;
    this.#countButton.textContent = isOver ? words.tooMany(limit) : words.selected(count);
    this.grid.classList.toggle("full", isFull);
    this.#days = new Map();
    for (const date of this.#picking.ids.map((id) => dateOf(this.cells.get(id)))) this.#days.set(date, (this.#days.get(date) ?? 0) + 1);
    this.grid.classList.toggle("selecting", !this.isOneByOne);
    this.grid.decorate();
    this.#showTray(this.#tray.isShown);
  }

  #mark(cell) {
    const number = this.#picking.numberOf(cell.asset.id);
    // A choice that was over the limit is shown until the next one.
    cell.element.classList.remove("refused");
    let mark = cell.element.querySelector(".mark");
    if (this.isSingle) return mark?.remove();
    if (!mark) {
      mark = make("span", { className: "mark", ariaHidden: "true" });
      cell.element.append(mark);
    }
    mark.textContent = number === 0 ? "" : this.#configuration.isOrdered ? String(number) : "✓";
    cell.element.ariaSelected = String(number > 0);
  }

  #markDay(heading, day) {
    if (this.isOneByOne) return heading.querySelector(".day-circle")?.remove();
    markHeading(heading, day, this.#coverageOf(day));
  }

  /**
   * Returns how many assets of a day are chosen. Those whose cells are not loaded are chosen as far
   * as their date was.
   * @param {number} day
   */
  #coverageOf(day) {
    const [date, count] = this.grid.layout.days[day];
    const chosenOfDate = this.#days.get(date) ?? 0;
    if (chosenOfDate === 0) return "none";
    const { first, end } = this.grid.layout.assetsOfDay(day);
    let [chosen, others] = [0, 0];
    for (let place = first; place < end; place++) {
      const cell = this.grid.snapshot.pages.at(place);
      if (!cell) continue;
      if (this.#picking.numberOf(cell.id) > 0) chosen++;
      else others++;
    }
    if (chosen + others < count) chosen = Math.min(chosenOfDate, count - others);
    return chosen === 0 ? "none" : chosen < count ? "some" : "all";
  }

  #showTray(isShown) {
    this.#tray.show(isShown ? this.#picking.ids.map((id) => this.cells.get(id)).filter(Boolean) : []);
  }
}

/** Returns an asset's date on the clock of its place. */
const dateOf = (cell) => cell?.creationDate?.slice(0, 10) ?? null;
