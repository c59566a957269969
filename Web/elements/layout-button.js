import { make, symbol } from "../helpers/dom.js";
import { preferences } from "../helpers/preferences.js";
import { words } from "../words.js";

/**
 * Adds the button that shows photos whole, or as squares again. The choice is kept for each view.
 * @param {typeof import("../shell.js").shell} shell
 */
export function addLayoutButton(shell) {
  const { grid } = shell;
  const button = make("button", { type: "button", className: "layout-mode", ariaLabel: words.layout.fit }, symbol("fit"));
  const key = () => `layout:${grid.snapshot.place?.id}`;
  const isFit = () => preferences.get(key(), "square") === "fit";
  const show = () => {
    button.ariaPressed = String(isFit());
    button.title = isFit() ? words.layout.showSquares : words.layout.showFit;
  };
  const apply = async () => {
    const { arrange, square } = await import("./fit-grid.js");
    const { snapshot } = grid;
    if (isFit()) await arrange(grid, snapshot);
    // The button may have been pressed again meanwhile.
    if (!isFit()) square(snapshot);
    if (snapshot !== grid.snapshot) return apply();
    // Small pictures are always squares.
    if (isFit() && grid.density > 0) grid.zoom(-grid.density);
    else grid.rearrange();
  };
  button.addEventListener("click", () => {
    preferences.set(key(), isFit() ? "square" : "fit");
    show();
    apply();
  });
  shell.addEventListener("view", show);
  grid.header.tools.append(button);
  show();
}
