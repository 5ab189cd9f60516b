"""What axe finds in a page: faults that shut people out."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from playwright.sync_api import Page

_GRAVE = ("serious", "critical")
_SINGLE_SIGNS = "{ 'color-contrast': { options: { ignoreUnicode: false, ignoreLength: true } } }"
"""The ✓ and ✗ of a sheet are to be seen as well as words, which axe does not ask for by itself."""


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
    light += _violations(page, "['landmark-unique']")
    page.emulate_media(color_scheme="dark")
    return light + _violations(page, "['color-contrast']")


def _violations(page: Page, rules: str) -> list[str]:
    found = page.evaluate(f"axe.run({{ runOnly: {rules}, checks: {_SINGLE_SIGNS}, resultTypes: ['violations'] }})")
    return [
        f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes']][:5]}"
        for one in found["violations"]
        if one["impact"] in _GRAVE or one["id"] == "landmark-unique"
    ]
