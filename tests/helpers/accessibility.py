"""What axe finds in a page: faults that shut people out."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from playwright.sync_api import Page

_GRAVE = ("serious", "critical")

_FAINT_SIGNS = """() => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const brightnessOver = (colour, opacity) => {
    [paint.fillStyle, paint.globalAlpha] = [colour, opacity];
    paint.fillRect(0, 0, 1, 1);
    const parts = [...paint.getImageData(0, 0, 1, 1).data];
    const [red, green, blue] = parts.map((part) => ((part / 255 + .055) / 1.055) ** 2.4);
    return .2126 * red + .7152 * green + .0722 * blue + .05;
  };
  const contrast = (sign) => {
    const [styles, lights] = [[], []];
    for (let one = sign; one; one = one.parentElement) styles.unshift(getComputedStyle(one));
    let opacity = 1;
    for (const style of styles) lights[0] = brightnessOver(style.backgroundColor, opacity *= style.opacity);
    lights[1] = brightnessOver(styles.at(-1).color, opacity);
    return Math.max(...lights) / Math.min(...lights);
  };
  const cells = [...document.querySelectorAll("td, td button")];
  const signs = cells.filter((cell) => /^[✓✗?·]$/.test(cell.innerHTML) && cell.checkVisibility());
  return signs.filter((sign) => contrast(sign) < 4.5).map((sign) => `a faint sign: ${sign.outerHTML}`).slice(0, 5);
}"""
"""The signs of sheets that are hard to see: axe leaves the contrast of a single sign undecided."""


@cache
def _axe() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def faults(page: Page) -> list[str]:
    """Serious and critical violations of WCAG 2.2 A and AA in a page as it is now, each with the elements at fault.

    Contrast is looked at in light and in dark; and no two landmarks have one name.
    """
    page.evaluate(_axe())
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    light = _violations(page, "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']")
    light += _violations(page, "['landmark-unique']") + page.evaluate(_FAINT_SIGNS)
    page.emulate_media(color_scheme="dark")
    return light + _violations(page, "['color-contrast']") + page.evaluate(_FAINT_SIGNS)


def _violations(page: Page, rules: str) -> list[str]:
    found = page.evaluate(f"axe.run({{ runOnly: {rules}, resultTypes: ['violations'] }})")
    return [
        f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes']][:5]}"
        for one in found["violations"]
        if one["impact"] in _GRAVE or one["id"] == "landmark-unique"
    ]
