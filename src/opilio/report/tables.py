"""Tables for the terminal. Page-derived text is shown as plain text: no markup, no control characters."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from .units import show_bytes, show_seconds


def standing_tables(facts: Mapping[str, Any]) -> Iterator[Table]:
    """Yields the tables that `opilio status` shows."""
    reason = f": {facts['stop_reason']}" if facts["stop_reason"] else ""
    yield two_columns(
        {
            "crawl": f"{facts['folder']}  ({_strategy(facts)})",
            "state": f"{facts['state']}{reason}",
            "pages": f"{facts['pages']:,} in {show_seconds(facts['seconds'])}, {show_bytes(facts['size_bytes'])}",
            "kept": f"{facts['documents']:,} documents, {facts['tokens']:,} tokens",
            "yield": f"{facts['document_yield']:.1%} of the pages, {facts['byte_yield']:.1%} of the bytes",
            **dict(outlook_rows(facts)),
            "URLs met": f"{facts['met']:,}, {facts['queued'] + facts['waiting']:,} of them still queued",
            "hosts": f"{facts['hosts']:,}, {facts['closed_hosts']:,} of them given up or full",
            "languages": ", ".join(f"{code or 'unknown'} {count:,}" for code, count in facts["languages"].items())
            or "none yet",
            **({"changed": ", ".join(facts["changed_settings"])} if facts["changed_settings"] else {}),
        }
    )
    if facts["drops"]:
        table = Table(title="What was not kept, and why", title_justify="left", box=None, padding=(0, 2))
        table.add_column("reason")
        table.add_column("URLs or pages", justify="right")
        for drop, count in facts["drops"].items():
            table.add_row(drop.replace("_", " "), f"{count:,}")
        yield table


def _strategy(facts: Mapping[str, Any]) -> str:
    return facts["recipe"] or f"judge {facts['judge']}, lead {facts['lead']}"


def outlook_rows(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields what the crawl finds now, and what is ahead of it as far as its lead knows."""
    if facts["marginal_pages"]:
        yield "now", f"{facts['marginal_yield']:.1%} of the last {facts['marginal_pages']:,} pages belong"
    if facts["remaining"] is not None:
        share = "" if facts["found_share"] is None else f"; saturation {facts['found_share']:.1%}"
        yield "ahead", f"about {facts['remaining']:,} pages in the queue that belong, by estimate{share}"
    if facts["signals"]:
        yield "signals", ", ".join(f"{group} {weight:.2f}" for group, weight in facts["signals"].items())


def two_columns(rows: Mapping[str, str] | Iterable[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, value in rows.items() if isinstance(rows, Mapping) else rows:
        table.add_row(Text(name, style="bold cyan"), Text(printable(value)))
    return table


def printable(text: str) -> str:
    """Replaces the characters that control a terminal."""
    return "".join(char if char.isprintable() or char == "\n" else "�" for char in text)
