/** The words of the picker, in English. */
import { number, plural } from "../words.js";

const kinds = {
  images: "photos", videos: "videos", livePhotos: "Live Photos", screenshots: "screenshots", panoramas: "panoramas", bursts: "bursts",
  screenRecordings: "screen recordings", slomoVideos: "slo-mo videos", timelapseVideos: "time-lapse videos",
  depthEffectPhotos: "portraits", cinematicVideos: "cinematic videos", spatialMedia: "spatial photos and videos",
};

const listed = (names) => names.map((name) => kinds[name] ?? name).join(", ");

export const words = {
  /** The words of picker.js, which is a file of its own. */
  element: {
    blocked: "The browser has blocked the window.", silent: "No photo library has answered.", open: "Open the picker",
    failed: "The photos can’t be taken over.", missing: "Choose at least one photo.",
  },

  cancel: "Cancel",
  add: (count) => (count > 0 ? `Add ${number(count)}` : "Add"),
  photos: "Photos",
  albums: "Albums",
  search: "Search",
  promise: "gets copies of the photos that you choose, and nothing else.",
  accessTitle: (name) => ["Photos that ", name, " may see"],
  accessPromise: "are those that you select here, with their places and captions, until you take them away again.",
  selected: (count) => `${number(count)} selected`,
  remove: "Remove",
  removeOne: (name) => `Remove ${name}`,
  albumGone: "This album was deleted.",
  location: "Include location",
  captions: "Include captions",
  format: "Format",
  formats: { automatic: "Automatic", current: "Current", compatible: "Most compatible" },
  formatNotes: {
    automatic: "Compatible, except videos over 30 seconds.",
    current: "As in the library, where that is possible.",
    compatible: "JPEG, PNG, GIF or MP4, also for long videos.",
  },
  limit: (limit) => `You can choose up to ${number(limit)}.`,
  tooMany: (limit) => `Choose at most ${number(limit)}.`,
  empty: (names) => (names.length > 0 ? `No ${listed(names)} here.` : "No photos here."),
  nothingFound: (text, names) => (names.length > 0 ? `No ${listed(names)} found for “${text}”.` : `Nothing found for “${text}”.`),
  digits: "Two digits",
  typeDigits: (name) => `Type the two digits that ${name} shows.`,
  otherDigits: "These are other digits. If nothing shows any, cancel.",
  atAddress: (name, address) => `${name} (${address})`,
  given: (count) => `${plural(count, "item")} chosen. The program has the choice now. You can close this window.`,
  ended: "This picker has ended. The program has to open it again.",
  closeYourself: "Nothing is left to do here. You can close this window.",
  noOpener: "A web page opens this window to ask for photos. It was not opened by a page.",
  silent: "The page that opened this window has not asked for anything. Close the window, and try again there.",
  refused: (reason) => `This page can’t choose photos: ${reason}`,
  insecure: "its address is not encrypted",
  signIn: "Sign in to your library in a tab: `calotype open` prints a link. This window then goes on by itself.",
  openLibrary: "Open the library",
  unreachable: "The library does not answer.",
  addAgain: "The library does not answer. Press Add again.",
  gone: (count) => `${plural(count, "chosen item")} ${count === 1 ? "was" : "were"} deleted or hidden meanwhile.`,
  handing: (done, all, share) => `Handing over ${number(done)} of ${number(all)} · ${Math.floor(share * 100)} %`,
  handedOver: (count) => `${plural(count, "item")} handed over.`,
  notHandedOver: (count, all) => `${number(count)} of ${plural(all, "item")} could not be handed over.`,
  keepOpen: "Keep this window open until it closes by itself.",
  album: (title, count) => `${title}, ${plural(count, "item")}`,
};
