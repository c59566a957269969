/** @import { Cell } from "../models/asset-pages.js" */
import { words } from "../words.js";
import { dateAndTime, knownDate } from "./dates.js";

/** "1:03", "1:02:03" @param {number} seconds @returns {string} */
export function duration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const pad = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/** Returns the kind of an asset in a word or two. @param {Cell} cell @returns {string} */
export function kindOf({ mediaType, mediaSubtypes }) {
  if (mediaType === "video") return words.cell.video;
  if (mediaSubtypes.includes("photoLive")) return words.cell.livePhoto;
  if (mediaSubtypes.includes("photoScreenshot")) return words.cell.screenshot;
  if (mediaSubtypes.includes("photoPanorama")) return words.cell.panorama;
  return words.cell.photo;
}

/**
 * Returns the text for a screen reader: "Photo, 4 March 2019 at 17:20, Oslo, favorite".
 * @param {Cell} cell
 * @param {{locale?: string, place?: string}} [options]
 * @returns {string}
 */
export function spokenLabel(cell, { locale, place } = {}) {
  const { creationDate, datePrecision = "time" } = cell;
  const date = datePrecision === "time" ? dateAndTime(creationDate, locale) : knownDate(creationDate, datePrecision, locale);
  const parts = [kindOf(cell), date];
  if (place) parts.push(place);
  if (cell.mediaType === "video") parts.push(duration(cell.duration));
  if (cell.burstCount) parts.push(words.cell.burst(cell.burstCount));
  if (cell.hasRaw) parts.push(words.cell.raw);
  if (cell.isFavorite) parts.push(words.cell.favorite);
  if (cell.unreadable) parts.push(words.cell.unreadableSpoken);
  if (cell.daysLeft !== undefined) parts.push(words.view.daysLeft(cell.daysLeft));
  return parts.join(", ");
}
