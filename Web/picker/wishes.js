import { make } from "../helpers/dom.js";
import { find } from "./elements.js";
import { words } from "./words.js";

/** The options of the person, which win over those of the page. */
export class Wishes {
  #maxPixelSize;
  #format = find(".format select");
  /** Whether the person has chosen the format. If so, requests of the page do not change it. */
  #isFormatChosen = false;

  /** @param {import("../models/picker-configuration.js").Configuration} configuration */
  constructor({ includesLocation, includesCaptions, representation, maxPixelSize }) {
    this.#maxPixelSize = maxPixelSize;
    for (const [name, isOn] of [["location", includesLocation], ["captions", includesCaptions]]) {
      find(`.${name}`).checked = isOn;
      find(`.${name} + span`).textContent = words[name];
    }
    find(".format span").textContent = words.format;
    this.#format.replaceChildren(...Object.entries(words.formats).map(([value, textContent]) => make("option", { value, textContent })));
    this.#format.value = representation;
    this.#describeFormat();
    this.#format.addEventListener("change", () => {
      this.#isFormatChosen = true;
      this.#describeFormat();
    });
  }

  /** The options as they are now. @returns {import("../models/handed-form.js").Wishes} */
  get current() {
    return {
      includesLocation: find(".location").checked, includesCaptions: find(".captions").checked,
      representation: this.#format.value, maxPixelSize: this.#maxPixelSize,
    };
  }

  /**
   * Returns the options for a file that the page asks for.
   * @param {"current" | "compatible" | "automatic"} [representation] what the page asks for, by
   *   default that of its configuration
   * @returns {import("../models/handed-form.js").Wishes}
   */
  of(representation) {
    return representation && !this.#isFormatChosen ? { ...this.current, representation } : this.current;
  }

  #describeFormat() {
    find("#format-note").textContent = words.formatNotes[this.#format.value];
  }
}
