"""Tests of the accent color, which is the system's."""

import pytest

# The contrast of what the page draws in the accent color, if the system has a given one.
CONTRASTS = """(system) => {
  const root = document.documentElement;
  if (system) root.style.setProperty("--system-accent", system);
  else root.style.removeProperty("--system-accent");
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const probe = document.body.appendChild(document.createElement("div"));
  const drawn = (color) => {
    probe.style.color = color;
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (color) => {
    const [red, green, blue] = color.map((value) => (value / 255 <= 0.04045 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (...colors) => {
    const [less, more] = colors.map((color) => luminance(drawn(color))).sort((one, other) => one - other);
    return (more + 0.05) / (less + 0.05);
  };
  const accent = "var(--accent)";
  const result = {
    color: drawn(accent),
    text: Math.min(...["--background", "--surface", "--raised"].map((name) => contrast(accent, `var(${name})`))),
    onAccent: contrast(accent, "var(--on-accent)"),
    check: contrast("var(--check)", "#fff"),
  };
  probe.remove();
  return result;
}"""
ACCENTS = [None, "#ff0000", "#ffcc00", "#00ff00", "#0000ff", "#ff00ff", "#8c8c8c", "#000000", "#ffffff", "#aa5500"]


@pytest.fixture(scope="module")
def shown(contexts, site):
    page = contexts.page(site.cookies)
    page.goto(site.address)
    yield page
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_accent_is_that_of_the_system_and_readable(shown, scheme):
    shown.emulate_media(color_scheme=scheme)
    found = {accent: shown.evaluate(CONTRASTS, accent) for accent in ACCENTS}
    for accent, contrasts in found.items():
        assert contrasts["text"] >= 4.5 and contrasts["onAccent"] >= 4.5 and contrasts["check"] >= 3, (accent, contrasts)
    red, green, blue = found["#ff0000"]["color"]
    assert red > green + 60 and red > blue + 60, "red stays red"
    red, green, blue = found["#00ff00"]["color"]
    assert green > red + 60 and green > blue + 60, "green stays green"
    assert max(found["#8c8c8c"]["color"]) - min(found["#8c8c8c"]["color"]) <= 2, "gray stays gray"
    assert found[None]["color"] == shown.evaluate(CONTRASTS, "AccentColor")["color"]
