"""Statistics of a made web, as tables for the terminal."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from opilio.report.tables import two_columns
from opilio.report.units import show_bytes

_FACETS: Final = {"lang": 8, "topic": 8, "type": 20, "quality": 20, "copy": 2, "age": 1}  # how many labels are shown


def made_web_tables(facts: Mapping[str, Any]) -> Iterator[Table]:
    degrees = ", ".join(f"{name} {count:,}" for name, count in facts["in_degree"].items())
    blocks = ", ".join(f"{share:.1%} in {block}" for block, share in facts["good_by_block"].items())
    yield two_columns(
        {
            "texts": facts["texts"],
            "pages": f"{facts['pages']:,} on {facts['hosts']:,} hosts of {facts['domains']:,} domains, "
            f"{show_bytes(facts['size_bytes'])}",
            "links": f"{facts['links']:,}, {facts['links_per_page']} per page, {facts['across_hosts']:.1%} to other hosts",
            "of these": f"{facts['same_language']:.1%} stay in the language, {facts['same_language_and_branch']:.1%} also in the "
            f"first-level topic, {facts['same_language_and_topic']:.1%} in the narrow topic",
            "to good pages": blocks,
            "links to a page": degrees,
        }
    )
    table = Table(title="Pages by label", title_justify="left", box=None, padding=(0, 2))
    table.add_column("label")
    table.add_column("pages", justify="right")
    for label, count in _largest(facts["labels"]):
        table.add_row(Text(label), f"{count:,}")
    yield table


def _largest(labels: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    for facet, most in _FACETS.items():
        found = sorted(
            ((count, label) for label, count in labels.items() if label.partition(".")[0] == facet), reverse=True
        )
        yield from ((label, count) for count, label in found[:most])
        if found[most:]:
            yield f"{facet}: {len(found) - most} others", sum(count for count, _ in found[most:])
