"""Report: a page that explains itself, and its pictures as PNG and SVG."""
