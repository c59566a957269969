const dark = "(prefers-color-scheme: dark)";

/**
 * Shows the page in light or in dark colors, whatever the preference of the system.
 * @param {"light" | "dark"} scheme
 */
export function setColorScheme(scheme) {
  document.documentElement.style.colorScheme = scheme;
  for (const { cssRules } of document.styleSheets) {
    for (const { media } of cssRules) if (media?.mediaText === dark) media.mediaText = scheme === "dark" ? "all" : "not all";
  }
}
