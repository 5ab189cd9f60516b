"""The description of the columns of results, which store, SQL and documentation follow."""

from __future__ import annotations

from pathlib import Path

from cluedo.experiments.rows.result_rows import COLUMNS


def test_the_documentation_lists_every_column_in_its_order():
    page = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
    table = page.partition("| column | type | what it is |\n|---|---|---|\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [f"| `{c.name}` | `{c.kind}` | {c.meaning} |" for c in COLUMNS.values()]
