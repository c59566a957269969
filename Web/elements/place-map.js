/** @import { World } from "../models/world-map.js" */
import { make, symbol } from "../helpers/dom.js";
import { preferences } from "../helpers/preferences.js";
import { kilometersOf, mapHeights, mapWindow, roundDistance } from "../models/world-map.js";
import { number, words } from "../words.js";

/** The width divided by the height. */
const aspect = 1.6;
/** The largest part of the width that the scale takes. */
const scaleShare = 0.4;
const namespace = "http://www.w3.org/2000/svg";

/** A small map with a dot, drawn from outlines that the library's own server has. */
export class PlaceMap extends HTMLElement {
  #svg = document.createElementNS(namespace, "svg");
  #dot = make("span", { className: "dot" });
  #scale = make("span", { className: "scale" });
  #further = this.#button("minus", words.map.further, -1);
  #closer = this.#button("plus", words.map.closer, 1);
  #zoom = preferences.get("mapZoom", 1);
  #place = { latitude: 0, longitude: 0 };

  /**
   * @param {World} world
   * @param {{latitude: number, longitude: number}} place
   * @param {string} name
   */
  show(world, place, name) {
    this.#place = place;
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", words.map.label(name));
    this.#svg.setAttribute("preserveAspectRatio", "none");
    this.#svg.setAttribute("aria-hidden", "true");
    // The world goes on beyond the date line.
    const path = world.path;
    const lands = [-360, 0, 360].map((shift) => {
      const land = document.createElementNS(namespace, "path");
      land.setAttribute("d", path);
      land.setAttribute("transform", `translate(${shift})`);
      return land;
    });
    this.#svg.replaceChildren(...lands);
    this.replaceChildren(this.#svg, this.#dot, this.#scale, make("div", { className: "zooms" }, this.#further, this.#closer));
    this.#draw();
  }

  #button(symbolName, label, step) {
    const button = make("button", { type: "button", title: label, ariaLabel: label }, symbol(symbolName));
    button.addEventListener("click", () => this.#zoomBy(step));
    return button;
  }

  #zoomBy(step) {
    this.#zoom = Math.max(0, Math.min(this.#zoom + step, mapHeights.length - 1));
    preferences.set("mapZoom", this.#zoom);
    this.#draw();
  }

  #draw() {
    const { left, top, width, height } = mapWindow(this.#place, this.#zoom, aspect);
    this.#svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    this.#dot.style.left = `${((this.#place.longitude - left) / width) * 100}%`;
    this.#dot.style.top = `${((-this.#place.latitude - top) / height) * 100}%`;
    const across = kilometersOf(height * aspect);
    const distance = roundDistance(across * scaleShare);
    this.#scale.style.width = `${(distance / across) * 100}%`;
    this.#scale.textContent = words.map.kilometers(number(distance));
    this.#further.disabled = this.#zoom === 0;
    this.#closer.disabled = this.#zoom === mapHeights.length - 1;
  }
}

customElements.define("place-map", PlaceMap);
