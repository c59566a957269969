/** The forms in which files are handed over: their types and names. */

/**
 * The parts of an asset that the page gets.
 * @typedef {{includesLocation: boolean, includesCaptions: boolean,
 *            representation: "current" | "compatible" | "automatic", maxPixelSize: number | null}}
 *            Wishes
 */

const webM = "org.webmproject.webm";
/**
 * The media types of files by their uniform types, and the extensions of those that the picker
 * makes.
 */
const forms = {
  "public.jpeg": ["image/jpeg", "jpg", "jpeg"], "public.png": ["image/png", "png"], "com.compuserve.gif": ["image/gif", "gif"],
  "org.webmproject.webp": ["image/webp", "webp"], "public.heic": ["image/heic", "heic", "heif"], "public.heif": ["image/heif", "heif", "heic"],
  "public.avif": ["image/avif", "avif"], "public.tiff": ["image/tiff", "tiff", "tif"],
  "public.mpeg-4": ["video/mp4", "mp4", "m4v"], "com.apple.quicktime-movie": ["video/quicktime", "mov", "qt"], [webM]: ["video/webm", "webm"],
  "com.microsoft.bmp": ["image/bmp"], "public.jpeg-xl": ["image/jxl"], "public.jpeg-2000": ["image/jp2"],
  "com.apple.m4v-video": ["video/x-m4v"], "public.3gpp": ["video/3gpp"], "public.3gpp2": ["video/3gpp2"],
  "org.matroska.mkv": ["video/x-matroska"], "public.avi": ["video/x-msvideo"], "public.mpeg": ["video/mpeg"],
  "public.mpeg-2-transport-stream": ["video/mp2t"], "public.avchd-mpeg-2-transport-stream": ["video/mp2t"],
  "com.microsoft.windows-media-wmv": ["video/x-ms-wmv"], "public.dv-movie": ["video/x-dv"], "com.adobe.flash.video": ["video/x-flv"],
  "org.xiph.ogv": ["video/ogg"], "org.smpte.mxf": ["application/mxf"], "com.real.realmedia": ["application/vnd.rn-realmedia"],
  "org.videolan.wtv": ["video/x-ms-wtv"], "org.ffmpeg.nut": ["video/x-nut"], "com.macromedia.shockwave-flash": ["application/x-shockwave-flash"],
  "org.webmproject.ivf": ["video/x-ivf"], "com.idsoftware.roq": ["video/x-roq"], "int.itu.h264": ["video/h264"], "int.itu.hevc": ["video/h265"],
};
/** Pictures from which place and texts can be removed without drawing them. */
export const removable = new Set(["public.jpeg", "public.png", "com.compuserve.gif", "org.webmproject.webp", "public.heic", "public.heif", "public.avif"]);
/** Movies from which place and texts can be removed. Others are encoded again as MP4 for it. */
const removableMovies = new Set(["public.mpeg-4", "com.apple.quicktime-movie", "com.apple.m4v-video", "public.3gpp", "public.3gpp2", webM]);
/** Pictures that everything can read. */
const plain = new Set(["public.jpeg", "public.png", "com.compuserve.gif"]);

/** The duration in seconds of the longest movie that is encoded again without being asked for. */
const longestCheap = 30;

/** Whether an asset is handed over in a form that everything can read. */
export const isCompatible = ({ duration }, { representation }) =>
  representation === "compatible" || (representation === "automatic" && duration <= longestCheap);

export const mediaTypeOf = (uniformType) =>
  forms[uniformType]?.[0] ?? (uniformType.endsWith("raw-image") ? "image/x-raw" : "application/octet-stream");

export const isMovie = ({ mediaType }, kind) => mediaType === "video" || kind === "pairedVideo";

export const isShrunk = ({ pixelWidth, pixelHeight }, { maxPixelSize }) => maxPixelSize !== null && Math.max(pixelWidth, pixelHeight) > maxPixelSize;

/** Whether the person includes everything, so that a file can be copied as it is. */
export const isWhole = ({ includesLocation, includesCaptions }) => includesLocation && includesCaptions;

/** Whether a copy of a file has its size, whatever is removed. */
export const keepsSize = (cell, kind, wishes) => isMovie(cell, kind) || (isWhole(wishes) && !isShrunk(cell, wishes));

/** Whether the server makes the movie that is handed over, as it does for browsers. */
export const isMadeMovie = (cell, { uniformTypeIdentifier: type }, wishes) =>
  isCompatible(cell, wishes) || (!isWhole(wishes) && !removableMovies.has(type));

/** Returns the uniform type of a movie that the server has made: it leaves a WebM as it is. */
export const madeMovieForm = (mediaType) => (mediaType.startsWith("video/webm") ? webM : "public.mpeg-4");

/** Returns the uniform type of what is handed over of a file. */
export function formOf(cell, kind, resource, wishes) {
  const { uniformTypeIdentifier: type } = resource;
  if (isMovie(cell, kind)) return isMadeMovie(cell, resource, wishes) ? madeMovieForm(mediaTypeOf(type)) : type;
  const isCopied = isCompatible(cell, wishes) ? plain.has(type) : removable.has(type) || isWhole(wishes);
  if (isCopied && !isShrunk(cell, wishes)) return type;
  return type === "public.png" || type === "com.compuserve.gif" ? "public.png" : "public.jpeg";
}

/** Returns the name of a file, with an extension of its type. */
export function nameOf({ originalFilename }, uniformType) {
  const name = (originalFilename ?? "photo").replace(/[^\p{L}\p{N} ._-]/gu, "_").slice(-120);
  const [, ...extensions] = forms[uniformType] ?? [];
  const isNamed = extensions.length === 0 || extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
  return isNamed ? name : `${name.replace(/\.[^.]*$/, "")}.${extensions[0]}`;
}
