import "./elements/asset-viewer.js";
import "./elements/date-scrubber.js";
import { followDensityGestures } from "./elements/density-gestures.js";
import { showPlaces } from "./elements/day-places.js";
import { addSearch } from "./elements/finding.js";
import { HoverPlayer } from "./elements/hover-player.js";
import { addLayoutButton } from "./elements/layout-button.js";
import { nameMonths } from "./elements/month-headings.js";
import { NewAssets } from "./elements/new-assets.js";
import { organize } from "./elements/organizing.js";
import { speakPlaces } from "./elements/spoken-places.js";
import { showBackdrop } from "./elements/view-states.js";
// The grid imports it when a change is shown.
import "./helpers/glide.js";
import { keepFocus } from "./helpers/keep-focus.js";
import { isExposed } from "./helpers/session.js";
import { viewedAs } from "./helpers/view-as.js";
import { words } from "./words.js";

const find = (selector) => document.querySelector(selector);

/**
 * Adds the parts of the page that its first pictures do not need. They are loaded after them.
 * @param {typeof import("./shell.js").shell} shell
 */
export function complete(shell) {
  find("date-scrubber").follow(shell.grid);
  showBackdrop(shell, find(".backdrop"));
  new NewAssets(shell, shell.grid, find(".new-assets"));
  followDensityGestures(shell.grid);
  new HoverPlayer(shell.grid);
  speakPlaces(shell.grid);
  nameMonths(shell.grid);
  showPlaces(shell.grid);
  addLayoutButton(shell);
  if (viewedAs) addSearch(shell);
  else organize(shell);
  keepFocus(() => firstVisible(".page :is(button, select)") ?? shell.grid.cellAt(shell.grid.focusedIndex)?.element ?? shell.grid);
  warn(find(".exposed"));
  performance.mark("calotype-complete");
}

const firstVisible = (selector) => [...document.querySelectorAll(selector)].find((element) => element.checkVisibility());

/** Says that others in the network can read along, if they can. */
async function warn(line) {
  if (!(await isExposed())) return;
  line.textContent = words.connection.exposed;
  line.hidden = false;
}
