import { duration, make } from "../WebLibrary/dom.js";

/** Completes a cell of `Thumbnails`: badges, and a name for people who can't see it. */
export function decorate({ firstChild: button, image }, cell) {
  const badge = (className, text) => make("span", { className: `badge ${className}` }, text);
  const isVideo = cell.mediaType === "video";
  const isLive = cell.mediaSubtypes.includes("photoLive");
  button.replaceChildren(image, ...(isVideo ? [badge("", duration(cell.duration))] : []), ...(isLive ? [badge("live", "LIVE")] : []));
  if (cell.isFavorite) button.append(badge("star", "♥"));
  const kind = isVideo ? `Video, ${duration(cell.duration)}` : isLive ? "Live Photo" : "Photo";
  button.ariaLabel = `${kind}, ${new Date(cell.creationDate).toLocaleString()}${cell.isFavorite ? ", favorite" : ""}`;
}
