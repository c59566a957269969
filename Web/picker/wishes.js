import { find } from "./elements.js";
import { words } from "./words.js";

/** The options of the person, which win over those of the page. */
export class Wishes {
  #configuration;
  /** Whether the person has chosen the format. If so, requests of the page do not change it. */
  #isFormatChosen = false;

  /** @param {import("../models/picker-configuration.js").Configuration} configuration */
  constructor(configuration) {
    this.#configuration = configuration;
    for (const [name, isOn] of [["location", configuration.includesLocation], ["captions", configuration.includesCaptions],
      ["compatible", configuration.representation !== "current"]]) {
      find(`.${name}`).checked = isOn;
      find(`.${name} + span`).textContent = words[name];
    }
    find(".compatible").addEventListener("change", () => (this.#isFormatChosen = true));
  }

  /** The options as they are now. @returns {import("../models/handed-form.js").Wishes} */
  get current() {
    return {
      includesLocation: find(".location").checked, includesCaptions: find(".captions").checked,
      representation: this.#representation, maxPixelSize: this.#configuration.maxPixelSize,
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

  get #representation() {
    const { representation } = this.#configuration;
    if (!find(".compatible").checked) return "current";
    return representation === "current" ? "compatible" : representation;
  }
}
