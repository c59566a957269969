import { likelyIndex, nearest } from "./locate.js";
import { Ranges } from "./ranges.js";

/**
 * The longest range whose assets are all looked for. In longer ones, only both ends are, and as
 * many assets that were added.
 */
const mostFollowed = 200;
/** The number of assets at the edge of a long range that may be gone before it counts as gone. */
const mostMissing = 50;

const areEqual = (before, after) =>
  before.length === after.length && before.every(([day, count], place) => after[place][0] === day && after[place][1] === count);

/**
 * Returns a function that takes ranges of a view to the places that their assets have in a later
 * snapshot. Assets that were added in between are left out. So are assets of which it can't be told
 * where they are.
 *
 * @param {Ranges} ranges all places that will be asked for
 * @param {import("./library.js").Snapshot} before
 * @param {import("./library.js").Snapshot} after
 * @param {{inserted?: string[], updated?: string[], deleted?: string[], isKnown?: boolean,
 *   isRegrouped?: boolean}} changes the assets that have changed in between, if `isKnown`, and
 *   whether an album or a folder has
 * @returns {Promise<(ranges: Ranges) => Ranges>}
 */
export async function following(ranges, before, after, changes) {
  const { inserted = [], updated = [], deleted = [], isKnown = true, isRegrouped = false } = changes;
  if (after.total === 0) return () => Ranges.none;
  // The changes don't name the assets that came into an album.
  const isOther = isRegrouped && ["album", "folder"].includes(before.place?.kind);
  const isUnchanged = isKnown && !isOther && inserted.length + updated.length + deleted.length === 0;
  if (isUnchanged && before.order !== "custom" && areEqual(before.days, after.days)) return (asked) => asked;
  // Recently Deleted shows what was deleted.
  const gone = new Set(before.place?.id === "recentlyDeleted" ? [] : deleted);
  const placeOf = async (asset, likely) => {
    const near = likely >= 0 ? await nearest(asset.id, Math.min(likely, after.total - 1), after.pages) : -1;
    if (near >= 0) return near;
    const found = await after.indexOf(asset);
    // The server may have answered at a later revision than that of the pages.
    return found < 0 ? -1 : nearest(asset.id, Math.min(found, after.total - 1), after.pages);
  };
  const placeNow = async (place) => {
    const cell = before.pages.at(place);
    if (cell) return gone.has(cell.id) ? -1 : placeOf(cell, likelyIndex(place, before.days, after.days));
    if (place === 0) return 0;
    return place === before.total - 1 ? after.total - 1 : -1;
  };
  const edge = async (from, to) => {
    const step = Math.sign(to - from) || 1;
    for (let tried = 0, place = from; tried < mostMissing; tried++, place += step) {
      const now = await placeNow(place);
      if (now >= 0) return { place, now };
      if (place === to) break;
    }
    return null;
  };

  const moves = [];
  for (const [first, end] of ranges.list) {
    if (end - first <= mostFollowed && isLoaded(before.pages, first, end)) {
      const places = [...Ranges.of([first, end]).places()];
      const found = await Promise.all(places.map(placeNow));
      moves.push(...places.map((place, index) => ({ first: place, end: place + 1, now: found[index] })));
      continue;
    }
    // Too many to find out which of them are in the range.
    if (!isKnown || isOther || inserted.length + updated.length > mostFollowed) continue;
    const start = await edge(first, end - 1);
    const stop = start && (await edge(end - 1, start.place));
    if (start && stop && stop.now >= start.now) moves.push({ first, end, now: start.now, from: start.place, to: stop.place, last: stop.now });
  }
  const isLong = moves.some(({ last }) => last !== undefined);
  const wasLoaded = new Set(isLong ? [...ranges.places()].map((place) => before.pages.at(place)?.id) : []);
  // An updated asset may have come into the view.
  const came = [...inserted, ...updated.filter((id) => !wasLoaded.has(id))];
  const places = await Promise.all(isLong ? came.map((id) => placeOf({ id }, -1)) : []);
  const news = Ranges.ofPlaces(places.filter((place) => place >= 0));
  // A range that has grown contains others, such as those that were put into an album.
  const followed = moves.filter(({ now, from, to, last }) => last === undefined || last - now - news.within(now, last + 1).size <= to - from);
  return (asked) => Ranges.joining(followed.flatMap((move) => moved(asked, move))).minus(news);
}

function isLoaded(pages, first, end) {
  for (let place = first; place < end; place++) if (!pages.at(place)) return false;
  return true;
}

/** Returns the new places of the part of a range that is asked for. */
function moved(asked, { first, end, now, from = first, last = now }) {
  return asked.within(first, end).list.flatMap(([start, stop]) => {
    if (now < 0) return [];
    const begin = start === first ? now : Math.min(now + start - from, last);
    const finish = stop === end ? last + 1 : Math.min(now + stop - from, last + 1);
    return begin < finish ? [[Math.max(0, begin), finish]] : [];
  });
}
