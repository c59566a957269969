/** @import { PhotoGrid } from "./photo-grid.js" */
/** @import { AssetViewer } from "./asset-viewer.js" */
/** @import { Cell } from "../models/asset-pages.js" */
import { fetchAsset } from "../helpers/api.js";
import { route } from "../helpers/route.js";
import { likelyIndex } from "../models/locate.js";
import { words } from "../words.js";

/** Loads the viewer, unless the page has done so after its first pictures. */
const loadViewer = () => import("./asset-viewer.js");

/**
 * Returns the asset that stands in the view for an open one: for the frame of a burst, the one that
 * represents the burst.
 */
const standIn = (asset) => asset.burstFrames?.find(({ burstCount }) => burstCount) ?? asset;

/**
 * Connects the open asset with the page's address and with its index in the view.
 *
 * Fires `gone` with the asset as `detail` if the open asset is no longer in the view, and `close`
 * when the viewer has closed.
 */
export class Viewing extends EventTarget {
  /** The index of the open asset, or of the neighbor that is being loaded, or -1. */
  #index = -1;
  /** The index at which the open asset is shown, or -1. */
  #shownIndex = -1;

  /**
   * @param {PhotoGrid} grid
   * @param {AssetViewer} viewer
   * @param {HTMLElement[]} behind the parts of the page that the viewer covers
   */
  constructor(grid, viewer, behind) {
    super();
    this.grid = grid;
    this.viewer = viewer;
    this.behind = behind;
    grid.addEventListener("click", (event) => this.#clicked(event));
    viewer.addEventListener("close", () => route.close());
    viewer.addEventListener("step", ({ detail }) => this.#goTo(this.#index + detail));
    viewer.addEventListener("go", ({ detail }) => this.#goToNeighbor(detail));
    viewer.addEventListener("frame", ({ detail }) => this.#showFrame(detail));
  }

  /** Loads again what could not be loaded. */
  retry() {
    if (this.isOpen) this.viewer.retry();
  }

  get isOpen() {
    return !this.viewer.hidden;
  }

  /** The open asset, or null. @returns {Cell | null} */
  get asset() {
    const { asset, isFavorite } = this.viewer;
    return asset ? { ...asset, isFavorite } : null;
  }

  /** Opens or closes the viewer as the address says. */
  async followAddress() {
    const id = route.assetID;
    if (id === null) return this.#close();
    if (this.viewer.asset?.id === id) return this.viewer.stay();
    try {
      this.#index = this.#shownIndex = -1;
      await this.#look({ id });
    } catch (error) {
      route.close();
      if (error.status !== 0) return;
      const { showToast } = await import("./toasts.js");
      showToast(words.general.notAnswering);
    }
  }

  /** Shows the asset of the address, which may be outside of the view. */
  async #look({ id }) {
    const [asset] = await Promise.all([fetchAsset(id), loadViewer()]);
    if (route.assetID !== id) return;
    this.#show(asset);
    const { snapshot } = this.grid;
    const own = await snapshot.indexOf(asset);
    const index = own < 0 && standIn(asset).id !== id ? await snapshot.indexOf(standIn(asset)) : own;
    if (this.viewer.asset?.id === id) this.#stand(index);
  }

  /**
   * Finds the open asset in a changed view. If it is gone, the next one is shown.
   * @param {import("../models/library.js").Snapshot} before
   * @param {import("../models/library.js").Snapshot} after
   */
  async changed(before, after) {
    const shown = this.viewer.asset;
    if (!this.isOpen) return;
    // A step to a neighbor was under way. It continues in the changed view.
    const step = this.#index - this.#shownIndex;
    this.#index = this.#shownIndex;
    if (this.#index < 0 || standIn(shown).id !== shown.id) return this.#look(shown).catch(({ status }) => status === 404 && route.close());
    const likely = Math.min(likelyIndex(this.#index, before.days, after.days), after.total - 1);
    const isLikely = likely >= 0 && (await after.pages.load(likely))?.id === shown.id;
    const index = isLikely ? likely : await after.indexOf(shown);
    if (this.viewer.asset !== shown) return;
    if (index < 0) return this.#leave(shown, likely);
    const asset = await after.pages.load(index);
    if (this.viewer.asset === shown && asset?.id === shown.id) {
      const steps = step + this.#index - this.#shownIndex;
      this.viewer.show(asset, this.#neighbours);
      this.#stand(index);
      if (steps !== 0) this.#goTo(index + steps);
    }
  }

  async #leave(shown, likely) {
    this.dispatchEvent(new CustomEvent("gone", { detail: shown }));
    if (likely < 0) return route.close();
    this.#index = likely;
    const asset = await this.grid.snapshot.pages.load(likely).catch(() => undefined);
    if (!asset || this.viewer.asset !== shown) return;
    route.replace(asset.id);
    this.#show(asset);
    this.#stand(likely);
  }

  async #clicked(event) {
    const index = this.grid.indexOf(event.target);
    if (index < 0 || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const asset = this.grid.snapshot.pages.at(index);
    if (!asset) return;
    route.open(asset.id);
    const box = this.grid.cellAt(index).element.getBoundingClientRect();
    // A loaded viewer opens without `await`. So a key right after the click goes to the open asset,
    // and not to the grid behind it.
    if (!customElements.get("asset-viewer")) await loadViewer();
    if (route.assetID !== asset.id) return;
    this.#show(asset);
    this.viewer.growFrom(box);
    this.#stand(index);
  }

  /** Shows another asset of the view. If it can't be loaded, the open one stays. */
  async #goTo(index) {
    const { pages, total } = this.grid.snapshot;
    if (index === this.#index) return;
    if (this.#index < 0 || index < 0 || index >= total) return this.viewer.stay();
    this.#index = index;
    const asset = await pages.load(index).catch(() => undefined);
    if (this.#index !== index || pages !== this.grid.snapshot.pages || !this.isOpen) return;
    if (!asset) {
      this.#index = this.#shownIndex;
      return this.viewer.stay();
    }
    route.replace(asset.id);
    this.#show(asset);
    this.#stand(index);
  }

  /** Shows an asset of the film strip, which may still show the view before a change. */
  async #goToNeighbor({ snapshot, index }) {
    const now = this.grid.snapshot;
    if (snapshot === now) return this.#goTo(index);
    const cell = snapshot.pages.at(index);
    const found = cell ? await now.indexOf(cell).catch(() => -1) : -1;
    if (found >= 0 && now === this.grid.snapshot) this.#goTo(found);
  }

  /** Shows a frame of the open burst. The burst keeps its place in the view. @param {Cell} frame */
  #showFrame(frame) {
    route.replace(frame.id);
    this.#show(frame);
    this.#stand(this.#index);
  }

  /** @param {Cell} asset */
  #show(asset) {
    for (const element of this.behind) element.inert = true;
    this.viewer.show(asset, this.#neighbours);
  }

  /** Takes the open asset's index, by which its neighbors are found. */
  #stand(index) {
    this.#index = this.#shownIndex = index;
    this.viewer.show(this.viewer.asset, this.#neighbours);
    this.viewer.stand(this.grid.snapshot, index);
    this.#findNeighbors();
  }

  get #neighbours() {
    return { newer: this.#index > 0, older: this.#index >= 0 && this.#index < this.grid.snapshot.total - 1 };
  }

  async #findNeighbors() {
    const index = this.#index;
    const { pages, total } = this.grid.snapshot;
    if (index < 0) return;
    const distances = [1, -1, 2, -2].filter((by) => index + by >= 0 && index + by < total);
    const near = Object.fromEntries(distances.map((by) => [by, pages.at(index + by)]));
    this.viewer.neighbors = { ...near };
    for (const by of distances.filter((by) => !near[by])) {
      near[by] = await pages.load(index + by).catch(() => undefined);
      if (index !== this.#index || !this.isOpen) return;
      this.viewer.neighbors = { ...near };
    }
  }

  #close() {
    if (!this.isOpen) return;
    const index = this.#index;
    this.#index = this.#shownIndex = -1;
    this.viewer.closeInto(() => {
      for (const element of this.behind) element.inert = Boolean(element.isClosed);
      this.grid.focusAsset(index < 0 ? this.grid.firstVisible : index);
      return this.grid.cellAt(index)?.element;
    });
    this.dispatchEvent(new Event("close"));
  }
}
