/** @import { AssetViewer } from "./asset-viewer.js" */
/** @import { Commands } from "./commands.js" */
import { fetchAsset } from "../helpers/api.js";
import { make } from "../helpers/dom.js";
import { draw, fetchBase, fetchFilters, latticeOf } from "../helpers/edits.js";
import { words } from "../words.js";
import { showToast } from "./toasts.js";

/** The number of pixels of a filter's small picture. */
const samplePixels = 160 * 120;

/**
 * Edits the open asset: the filters are shown on it, and the server renders the chosen one
 * when the person is done.
 */
export class PhotoEditor extends HTMLElement {
  #canvas = newCanvas();
  #filters = make("div", { className: "filters", attributes: { role: "radiogroup", "aria-label": words.editing.filters } });
  #cancel = make("button", { type: "button", textContent: words.general.cancel });
  #revert = make("button", { type: "button", className: "revert", hidden: true, textContent: words.commands.revert });
  #done = make("button", { type: "button", className: "primary", textContent: words.general.done });
  /** @type {ImageBitmap | null} */
  #base = null;
  #asset = null;
  /** The version that is being loaded. @type {string | null} */
  #loading = null;
  /** The filter that is shown; null for none. @type {string | null} */
  #filter = null;

  /** @param {AssetViewer} viewer @param {Commands} commands */
  constructor(viewer, commands) {
    super();
    this.viewer = viewer;
    this.commands = commands;
  }

  connectedCallback() {
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", words.commands.edit);
    this.append(this.#filters, make("div", { className: "editor-bar" }, this.#cancel, this.#revert, this.#done));
    this.#cancel.addEventListener("click", () => this.close());
    this.#revert.addEventListener("click", () => this.#save(null));
    this.#done.addEventListener("click", () => this.#finish());
    this.#filters.addEventListener("click", ({ target }) => this.#choose(target.closest("button")));
    this.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /**
   * Loads the asset's edit and its picture. A new version of the asset is loaded too. A filter that
   * was chosen before stays, unless the edit was changed elsewhere.
   * @param {import("../models/asset-pages.js").Cell} cell
   */
  async begin(cell) {
    this.#loading = cell.version;
    for (const button of [this.#done, this.#revert]) button.disabled = true;
    try {
      await this.#load(cell);
    } catch {
      if (!this.#isWaitingFor(cell)) return;
      this.close();
      showToast(words.general.notAnswering);
    }
  }

  /** Whether the editor is open, and no newer version is being loaded. */
  #isWaitingFor({ version }) {
    return this.isConnected && this.#loading === version;
  }

  async #load(cell) {
    const [asset, filters] = await Promise.all([fetchAsset(cell.id), fetchFilters()]);
    const side = Math.round(Math.max(innerWidth, innerHeight) * devicePixelRatio);
    const base = await fetchBase(asset, side);
    if (!this.#isWaitingFor(cell)) return base.close();
    const isFirst = this.#asset === null;
    const hadFocus = this.contains(document.activeElement);
    const isEditedElsewhere = !isFirst && JSON.stringify(asset.edit) !== JSON.stringify(this.#asset.edit);
    if (isEditedElsewhere && this.#isChosen) showToast(words.editing.editedElsewhere);
    const isKept = this.#isChosen && !isEditedElsewhere;
    this.#base?.close();
    this.#asset = asset;
    this.#base = base;
    if (!isKept) this.#filter = this.#savedFilter;
    this.#revert.hidden = !asset.edit;
    for (const button of [this.#done, this.#revert]) button.disabled = false;
    this.#filters.replaceChildren(...[null, ...filters].map((filter) => this.#sample(filter)));
    this.#mark();
    if (isFirst || hadFocus) this.#filters.querySelector("[aria-checked=true]").focus({ preventScroll: true });
    // The viewer takes the layers of the old version away.
    this.#canvas.remove();
    this.#canvas = newCanvas();
    if (isKept) this.#show();
  }

  /** The filter with which the asset is saved. */
  get #savedFilter() {
    return this.#asset?.edit?.steps?.filter ?? null;
  }

  /** Whether another filter was chosen than the saved one. */
  get #isChosen() {
    return this.#filter !== this.#savedFilter;
  }

  /** Ends the editing. What was not saved is dropped. */
  close() {
    this.#canvas.remove();
    this.#end();
  }

  #end() {
    if (!this.isConnected) return;
    this.#base?.close();
    this.#base = null;
    const hadFocus = this.contains(document.activeElement);
    this.remove();
    this.viewer.endEditing(hadFocus);
  }

  /** Returns the button of a filter, with a small picture. */
  #sample(filter) {
    const canvas = make("canvas");
    const button = make(
      "button", { type: "button", attributes: { role: "radio", "data-filter": filter ?? "" } },
      canvas, make("span", { textContent: filter ? words.editing.filterNames[filter] ?? filter : words.editing.original }));
    const base = this.#base;
    const show = (lattice) => base === this.#base && draw(canvas, base, lattice, samplePixels);
    if (filter) latticeOf(filter).then(show, () => {});
    else show(null);
    return button;
  }

  #choose(button) {
    if (!button) return;
    this.#filter = button.dataset.filter || null;
    this.#mark();
    this.#show();
  }

  /** Shows the chosen filter on the photo. */
  async #show() {
    const filter = this.#filter;
    try {
      const lattice = filter ? await latticeOf(filter) : null;
      if (filter !== this.#filter || !this.isConnected) return;
      draw(this.#canvas, this.#base, lattice);
      if (!this.#canvas.isConnected) this.viewer.previewHost.append(this.#canvas);
    } catch {
      showToast(words.general.notAnswering);
    }
  }

  #mark() {
    for (const button of this.#filters.children) {
      const isChosen = button.dataset.filter === (this.#filter ?? "");
      button.setAttribute("aria-checked", String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      if (isChosen) button.scrollIntoView({ block: "nearest", inline: "center" });
    }
  }

  /** Saves the chosen filter. The edit's other steps stay. */
  #finish() {
    if (!this.#isChosen) return this.close();
    const { filter: _, ...steps } = this.#asset.edit?.steps ?? {};
    if (this.#filter) steps.filter = this.#filter;
    this.#save(Object.keys(steps).length > 0 ? steps : null);
  }

  /**
   * Replaces the edit, or takes it back. The preview stays until the result is there.
   * @param {object | null} steps
   */
  async #save(steps) {
    const { id, version } = this.#asset;
    // The preview of a filter is not what a person gets back.
    if (!steps) this.#canvas.remove();
    this.#end();
    const text = steps ? words.changing.filtered : words.changing.reverted;
    if (!(await this.commands.edit({ id, version }, steps, text))) this.#canvas.remove();
  }

  #pressed(event) {
    // The viewer's own keys would step to other photos.
    event.stopPropagation();
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    const buttons = [...this.#filters.children];
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") this.close();
    else if (step && at >= 0 && !isCommand) {
      const next = buttons[(at + step + buttons.length) % buttons.length];
      next.focus();
      this.#choose(next);
    } else return;
    event.preventDefault();
  }
}

function newCanvas() {
  return make("canvas", { className: "preview", attributes: { "aria-hidden": "true" } });
}

customElements.define("photo-editor", PhotoEditor);

/**
 * Edits the open asset.
 * @param {AssetViewer} viewer
 * @param {Commands} commands
 */
export async function edit(viewer, commands) {
  const editor = new PhotoEditor(viewer, commands);
  viewer.beginEditing(editor);
  await editor.begin(viewer.asset);
}
