"""Every link of the site that leads to the site itself arrives: the file is there, and so is the anchor."""

from __future__ import annotations

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - any tag
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


@cache
def page(path: Path) -> Page:
    """What a page links to, and what can be linked to in it."""
    return Page(path.read_text(encoding="utf-8"))


def broken(site: Path) -> list[str]:
    """The links within the site that lead nowhere, a sentence for each."""
    found = []
    for path in sorted(site.rglob("*.html")):
        for link in page(path).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                found.append(f"{path.relative_to(site)}: {link}: there is no such file")
            elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in page(target).anchors:
                found.append(f"{path.relative_to(site)}: {link}: there is no such anchor")
    return found


def main() -> None:
    """Check the site in the folder named; end with its broken links."""
    site = Path(sys.argv[1]).resolve()
    if complaints := broken(site):
        sys.exit("\n".join(complaints))
    print(f"{len(list(site.rglob('*.html')))} pages: all links within the site arrive")


if __name__ == "__main__":
    main()
