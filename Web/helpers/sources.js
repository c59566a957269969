/** Texts for the server's names of the sources of a date or a time zone. */
const dateSources = {
  original: "Date from the camera",
  digitized: "Date of digitising, from the file",
  gps: "Date from GPS",
  quickTime: "Date from the movie’s metadata",
  container: "Date from the movie’s header",
  png: "Date from the PNG’s text",
  xmp: "Date from XMP",
  file: "Date on which the file was last changed",
  person: "Date set by hand",
};

const zoneSources = {
  file: "zone stated in the file",
  location: "zone guessed from the location",
  machine: "zone assumed from this computer",
  utc: "stated in UTC",
};

/**
 * Returns a text like "Date from the camera, zone guessed from the location". Unknown names stay as they are.
 * @param {string | null | undefined} dateSource
 * @param {string | null | undefined} zoneSource
 * @returns {string}
 */
export function sourceWords(dateSource, zoneSource) {
  return [dateSources[dateSource] ?? dateSource, zoneSources[zoneSource] ?? zoneSource].filter(Boolean).join(", ");
}
