/**
 * The filters of the picker, as `PHPickerFilter` has them. A filter is the name of a kind, or one
 * of `{any: […]}`, `{all: […]}`, `{not: …}` and `{playbackStyle: n}`.
 */

const subtype = (bit) => `(mediaSubtypes & ${bit}) != 0`;

/** The predicate of each kind, see docs/PREDICATES.md. */
const kinds = {
  images: "mediaType == 1",
  videos: "mediaType == 2",
  livePhotos: subtype(8),
  screenshots: subtype(4),
  panoramas: subtype(1),
  bursts: "burstIdentifier != nil",
  screenRecordings: subtype(524288),
  slomoVideos: subtype(131072),
  timelapseVideos: subtype(262144),
  depthEffectPhotos: subtype(16),
  cinematicVideos: subtype(2097152),
  spatialMedia: subtype(1024),
};

const animated = subtype(64);

/** The predicate of each `PHAsset.PlaybackStyle`, from 0 on. No asset loops. */
const playbackStyles = [
  "mediaType == 0",
  `mediaType == 1 AND NOT (${kinds.livePhotos}) AND NOT (${animated})`,
  animated,
  kinds.livePhotos,
  kinds.videos,
  "FALSEPREDICATE",
];

const deepest = 32;
const mostNodes = 64;

/**
 * Returns the predicate of a filter. Throws `TypeError` if it is no filter, or too deep or too
 * large.
 *
 *     predicateOf({ all: ["images", { not: "screenshots" }] })
 *     // "(mediaType == 1) AND (NOT ((mediaSubtypes & 4) != 0))"
 *
 * @param {unknown} filter
 * @returns {string}
 */
export function predicateOf(filter) {
  let nodes = 0;
  return write(filter, 1);

  function write(node, depth) {
    if (depth > deepest) throw new TypeError(`filter: deeper than ${deepest} levels`);
    if (++nodes > mostNodes) throw new TypeError(`filter: more than ${mostNodes} parts`);
    if (typeof node === "string" && Object.hasOwn(kinds, node)) return kinds[node];
    const [[key, value] = [], ...others] = node && typeof node === "object" ? Object.entries(node) : [];
    if (others.length > 0) throw new TypeError("filter: more than one of any, all, not and playbackStyle");
    if (key === "not") return `NOT (${write(value, depth + 1)})`;
    if (key === "playbackStyle" && Number.isInteger(value) && playbackStyles[value]) return playbackStyles[value];
    if ((key === "any" || key === "all") && Array.isArray(value)) {
      if (value.length === 0) return key === "any" ? "FALSEPREDICATE" : "TRUEPREDICATE";
      return value.map((part) => `(${write(part, depth + 1)})`).join(key === "any" ? " OR " : " AND ");
    }
    throw new TypeError(`filter: ${typeof node === "string" ? node : (JSON.stringify(node) ?? "undefined")} is not a filter`);
  }
}

/** The kinds that a filter names, for the sentence of an empty view. @returns {string[]} */
export function kindsIn(filter) {
  if (typeof filter === "string") return [filter];
  if (!filter || typeof filter !== "object") return [];
  return Object.values(filter).flat().flatMap(kindsIn);
}

/**
 * Returns the filter of what both of two filters leave. Only the second one may have a search.
 * @param {{where?: string}} one
 * @param {{where?: string, q?: string}} other
 * @returns {{where?: string, q?: string}}
 */
export function filterOfBoth(one, other) {
  const predicates = [one.where, other.where].filter(Boolean);
  if (predicates.length < 2) return { ...one, ...other };
  return { ...other, where: predicates.map((predicate) => `(${predicate})`).join(" AND ") };
}
