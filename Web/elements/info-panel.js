import { fetchAsset, resourceURL } from "../helpers/api.js";
import { fullDate, offsetName, timeOfDay } from "../helpers/dates.js";
import { make, symbol } from "../helpers/dom.js";
import { coordinates, duration, exposureLine, fileSize, kindOf, megapixels } from "../helpers/format.js";
import { sourceWords } from "../helpers/sources.js";

/** The known facts about an asset. File names come from strangers, so they are set as text only. */
export class InfoPanel extends HTMLElement {
  #content = make("div", { className: "info-content" });
  #id = "";

  connectedCallback() {
    const close = make("button", { className: "sheet-grip", ariaLabel: "Close information" });
    close.addEventListener("click", () => this.dispatchEvent(new Event("close")));
    this.append(close, make("h2", { textContent: "Information" }), this.#content);
    this.setAttribute("aria-label", "Information");
    this.setAttribute("role", "complementary");
  }

  /** @param {string} id */
  async show(id) {
    this.#id = id;
    try {
      const asset = await fetchAsset(id);
      if (id === this.#id) this.#content.replaceChildren(...sectionsOf(asset));
    } catch (error) {
      const text = error.status === 404 ? "This asset is no longer in the library." : "The server does not answer.";
      if (id === this.#id) this.#content.replaceChildren(make("p", { className: "faint", textContent: text }));
    }
  }
}

function sectionsOf(asset) {
  return [trouble(asset), date(asset), picture(asset), camera(asset), place(asset), files(asset), notes(asset)].filter(Boolean);
}

function section(name, ...lines) {
  const present = lines.filter(Boolean);
  if (present.length === 0) return null;
  return make("section", { attributes: { "aria-label": name } }, make("h3", { textContent: name }), ...present);
}

const line = (text, className = "") => (text ? make("p", { className, textContent: text }) : null);

function trouble({ unreadableReason }) {
  if (!unreadableReason) return null;
  const text = make("div", {}, make("h3", { textContent: "Can’t be read" }), line(unreadableReason));
  return make("section", { className: "trouble" }, symbol("unreadable"), text);
}

function date({ creationDate, dateSource, timeZoneSource }) {
  const time = [timeOfDay(creationDate), offsetName(creationDate)].filter(Boolean).join(" ");
  return section("Date", line(fullDate(creationDate)), line(time), line(sourceWords(dateSource, timeZoneSource), "faint"));
}

function picture(asset) {
  const { pixelWidth, pixelHeight, mediaType, originalFilename, burstIdentifier } = asset;
  const size = pixelWidth > 0 && `${pixelWidth} × ${pixelHeight}`;
  const facts = [kindOf({ mediaSubtypes: [], ...asset }), size];
  if (mediaType === "video") facts.push(duration(asset.duration));
  else if (size) facts.push(megapixels(pixelWidth, pixelHeight));
  const burst = burstIdentifier ? "One of a burst" : "";
  return section("Picture", line(originalFilename, "name"), line(facts.filter(Boolean).join(" · ")), line(burst, "faint"));
}

function camera({ camera }) {
  if (!camera) return null;
  const { make: maker, model, lens, software } = camera;
  const name = model && maker && !model.startsWith(maker) ? `${maker} ${model}` : (model ?? maker);
  return section("Camera", line(name), line(lens), line(exposureLine(camera)), line(software && `Software ${software}`, "faint"));
}

function place({ latitude, longitude, altitude }) {
  if (latitude == null || longitude == null) return null;
  const map = make("a", {
    href: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`,
    target: "_blank",
    rel: "noopener noreferrer",
    textContent: "Show on OpenStreetMap",
  });
  const height = altitude == null ? "" : `Altitude ${Math.round(altitude)} m`;
  return section("Location", line(coordinates(latitude, longitude)), line(height), make("p", {}, map));
}

const resourceNames = {
  photo: "Photo",
  video: "Video",
  audio: "Audio",
  alternatePhoto: "Alternate photo",
  fullSizePhoto: "Full-size photo",
  fullSizeVideo: "Full-size video",
  adjustmentData: "Adjustment data",
  adjustmentBasePhoto: "Adjustment base photo",
  pairedVideo: "Paired video",
  fullSizePairedVideo: "Full-size paired video",
  adjustmentBasePairedVideo: "Adjustment base paired video",
  adjustmentBaseVideo: "Adjustment base video",
};

function files({ id, resources }) {
  if (!resources?.length) return null;
  const items = resources.map(({ type, uniformTypeIdentifier, originalFilename, bytes, sha256 }, index) => {
    const download = make(
      "a",
      { className: "download", href: resourceURL(id, index), download: "", ariaLabel: `Download ${originalFilename}` },
      symbol("download"),
    );
    const hash = make("code", { textContent: sha256?.slice(0, 12) ?? "", title: `SHA-256 ${sha256}` });
    const facts = `${resourceNames[type] ?? type} · ${fileSize(bytes)}`;
    const text = make("div", {}, line(originalFilename, "name"), line(facts), make("p", { className: "faint" }, `${uniformTypeIdentifier} `, hash));
    return make("li", {}, text, download);
  });
  return section("Originals", make("ul", { className: "resources" }, ...items));
}

function notes({ notes }) {
  return section("Notes", ...(notes ?? []).map((note) => line(note)));
}

customElements.define("info-panel", InfoPanel);
