import { Outdated } from "./asset-pages.js";

/**
 * Questions to the server about a view as it is now. Each answer has its revision.
 * @typedef {{changesSince: (revision: string) => Promise<{revision: string, assets: Changed,
 *   collections: Changed}>, positionOf: (id: string) => Promise<{revision: string,
 *   index: number | null}>, count: () => Promise<{revision: string, total: number}>}} Present
 * @typedef {{inserted: string[], updated: string[], deleted: string[]}} Changed
 */

/**
 * Returns assets of an earlier snapshot as the server takes them now: the loaded ones by their
 * identifiers, and the others as ranges of the present revision between loaded neighbors. Unchanged
 * assets keep their order, so they are still between the same neighbors. Assets that have changed
 * since are left out of a range, because they may have come into it. Throws `Outdated` if the
 * assets can't be told.
 *
 * @param {import("./library.js").Snapshot} snapshot
 * @param {[number, number][]} ranges
 * @param {Present} present
 * @returns {Promise<(string[] | {range: object})[]>}
 */
export async function renewed(snapshot, ranges, present) {
  const parts = ranges.flatMap((range) => partsOf(snapshot.pages, range));
  if (parts.every(Array.isArray)) return [parts.flat()];
  const { place, order } = snapshot;
  if (place.kind === "search") throw new Outdated();
  const { revision, assets, collections } = await present.changesSince(snapshot.revision).catch(unlessUnknown);
  // The changes don't name the assets that came into an album.
  const isGrouped = place.kind === "album" || place.kind === "folder";
  if (isGrouped && idsOf(collections).length > 0) throw new Outdated();
  // It can't be told of an updated asset that wasn't loaded whether it was chosen.
  const loaded = new Set(loadedIn(snapshot));
  if (assets.updated.some((id) => !loaded.has(id))) throw new Outdated();
  const except = idsOf(assets);
  const isChanged = new Set(except);
  const gone = new Set(assets.deleted);
  const selects = [];
  /** The number of assets now. It is fetched once for all ranges. */
  let size;
  for (const part of parts) {
    if (Array.isArray(part)) {
      const ids = part.filter((id) => !gone.has(id));
      if (Array.isArray(selects.at(-1))) selects.at(-1).push(...ids);
      else if (ids.length > 0) selects.push(ids);
      continue;
    }
    const [first, end] = [await edge(snapshot, part.first - 1, -1), await edge(snapshot, part.end, 1)];
    if (first >= end) continue;
    selects.push({ range: { collection: place.id, order, revision, total: await count(), first, end, except } });
  }
  return selects;

  /** Returns the present index behind or before the nearest neighbor that has not changed. */
  async function edge({ pages, total }, from, step) {
    for (let place = from; place >= 0 && place < total; place += step) {
      const cell = pages.at(place);
      if (!cell || !pages.isExact(place)) throw new Outdated();
      if (isChanged.has(cell.id)) continue;
      const { index } = known(await present.positionOf(cell.id));
      if (index === null) throw new Outdated();
      return step < 0 ? index + 1 : index;
    }
    return step < 0 ? 0 : count();
  }

  async function count() {
    size ??= known(await present.count()).total;
    return size;
  }

  function known(answer) {
    if (answer.revision !== revision) throw new Outdated();
    return answer;
  }
}

function* loadedIn({ pages, total }) {
  for (let place = 0; place < total; place++) {
    const cell = pages.at(place);
    if (cell) yield cell.id;
  }
}

/** Returns the parts of a range: the identifiers of loaded assets, and ranges of others. */
function partsOf(pages, [first, end]) {
  const parts = [];
  for (let place = first; place < end; place++) {
    const cell = pages.at(place);
    const last = parts.at(-1);
    if (cell) {
      if (Array.isArray(last)) last.push(cell.id);
      else parts.push([cell.id]);
    } else if (last && !Array.isArray(last)) last.end = place + 1;
    else parts.push({ first: place, end: place + 1 });
  }
  return parts;
}

const idsOf = ({ inserted, updated, deleted }) => [...inserted, ...updated, ...deleted];

/** Throws `Outdated` if the history doesn't know the changes, or else the error itself. */
function unlessUnknown(error) {
  throw error.status === 0 ? error : new Outdated();
}
