/** @import { PhotoGrid } from "./photo-grid.js" */
/** @import { AssetViewer } from "./asset-viewer.js" */
/** @import { Cell } from "../models/asset-pages.js" */
import { fetchAsset, renditionURL } from "../helpers/api.js";
import { route } from "../helpers/route.js";
import { follow, locate } from "../models/locate.js";

/** Connects the open asset with the page's address and with its index in the library. */
export class Viewing {
  #index = -1;
  #ahead = [];

  /**
   * @param {PhotoGrid} grid
   * @param {AssetViewer} viewer
   */
  constructor(grid, viewer) {
    this.grid = grid;
    this.viewer = viewer;
    grid.addEventListener("click", (event) => this.#clicked(event));
    viewer.addEventListener("close", () => route.close());
    viewer.addEventListener("step", ({ detail }) => this.#step(detail));
    addEventListener("popstate", () => this.followAddress());
  }

  get isOpen() {
    return !this.viewer.hidden;
  }

  /** Opens or closes the viewer as the address says. */
  async followAddress() {
    const id = route.assetID;
    if (id === null) return this.#close();
    if (this.viewer.asset?.id === id) return;
    try {
      this.#index = -1;
      const asset = await fetchAsset(id);
      if (route.assetID !== id) return;
      this.#show(asset);
      const { days, pages } = this.grid.snapshot;
      const index = await locate(asset, days, pages);
      if (this.viewer.asset?.id === id) this.#stand(index);
    } catch {
      route.close();
    }
  }

  /**
   * Finds the open asset's index in a changed library.
   * @param {import("../models/library.js").Snapshot} before
   * @param {import("../models/library.js").Snapshot} after
   */
  async changed(before, after) {
    if (!this.isOpen || this.#index < 0) return;
    const { id } = this.viewer.asset;
    const index = await follow(this.#index, before, after);
    if (this.viewer.asset?.id === id) this.#stand(index);
  }

  #clicked(event) {
    const index = this.grid.indexOf(event.target);
    if (index < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const asset = this.grid.snapshot.pages.at(index);
    if (!asset) return;
    route.open(asset.id);
    this.#show(asset);
    this.#stand(index);
  }

  async #step(by) {
    const index = this.#index + by;
    const { pages, total } = this.grid.snapshot;
    if (this.#index < 0 || index < 0 || index >= total) return;
    this.#index = index;
    const asset = await pages.load(index).catch(() => undefined);
    if (!asset || this.#index !== index || !this.isOpen) return;
    route.replace(asset.id);
    this.#show(asset);
    this.#stand(index);
  }

  /** @param {Cell} asset */
  #show(asset) {
    this.grid.parentElement.inert = true;
    this.viewer.show(asset, this.#neighbours);
  }

  /** Takes the open asset's index, which makes its neighbors reachable, and loads their pictures. */
  #stand(index) {
    this.#index = index;
    this.viewer.show(this.viewer.asset, this.#neighbours);
    this.#prepare();
  }

  get #neighbours() {
    return { newer: this.#index > 0, older: this.#index >= 0 && this.#index < this.grid.snapshot.total - 1 };
  }

  async #prepare() {
    const index = this.#index;
    for (const image of this.#ahead) image.removeAttribute("src");
    this.#ahead = [];
    for (const neighbour of [index + 1, index - 1]) {
      if (index < 0 || neighbour < 0 || neighbour >= this.grid.snapshot.total) continue;
      const asset = await this.grid.snapshot.pages.load(neighbour).catch(() => undefined);
      if (index !== this.#index || !this.isOpen) return;
      if (!asset || asset.unreadable) continue;
      this.#ahead.push(Object.assign(new Image(), { fetchPriority: "low", src: renditionURL(asset, "screen") }));
    }
  }

  #close() {
    if (!this.isOpen) return;
    const index = this.#index;
    this.#index = -1;
    this.viewer.hide();
    this.grid.parentElement.inert = false;
    this.grid.focusAsset(index);
  }
}
