"""How a crawl stands, for the terminal: what `opilio status` shows, and what the live view has in common with it."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from opilio.core.counted import counted
from opilio.core.outcome import Drop

from .labelled import labelled_lines
from .tables import FIXED_SPACE
from .units import show_bytes, show_seconds


def standing(facts: Mapping[str, Any], width: int) -> Iterator[RenderableType]:
    """Yields what `opilio status` shows."""
    yield from labelled_lines([*_rows(facts)], width)
    if facts["drops"]:
        yield Text()
        table = Table(title="What was not kept, and why", title_justify="left", box=None, padding=(0, 2))
        table.add_column("reason")
        table.add_column("URLs or pages", justify="right")
        for drop, count in facts["drops"].items():
            table.add_row(Drop(drop).words, f"{count:,}")
        yield table


def _rows(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    reason = f": {facts['stop_reason']}" if facts["stop_reason"] else ""
    languages = (f"{code or 'unknown'}{FIXED_SPACE}{count:,}" for code, count in facts["languages"].items())
    yield "crawl", f"{facts['folder']}  ({_strategy(facts)})"
    yield "state", f"{facts['state']}{reason}"
    yield "pages", f"{facts['pages']:,} in {show_seconds(facts['seconds'])}, {show_bytes(facts['size_bytes'])}"
    yield "kept", f"{counted(facts['documents'], 'document')}, {counted(facts['tokens'], 'token')}"
    yield "yield", f"{facts['document_yield']:.1%} of the pages, {facts['byte_yield']:.1%} of the bytes"
    yield from outlook_rows(facts)
    yield "URLs met", f"{facts['met']:,}, {facts['queued'] + facts['waiting']:,} of them still queued"
    yield "hosts", f"{facts['hosts']:,}, {facts['closed_hosts']:,} of them given up or full"
    yield "languages", ", ".join(languages) or "none yet"
    if facts["changed_settings"]:
        yield "changed", ", ".join(facts["changed_settings"])


def _strategy(facts: Mapping[str, Any]) -> str:
    return facts["recipe"] or f"judge {facts['judge']}, lead {facts['lead']}"


def outlook_rows(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields what the crawl finds now, and what is ahead of it as far as its lead knows."""
    if facts["marginal_pages"]:
        yield "now", belonging_now(facts)
    if facts["remaining"] is not None:
        share = "" if facts["found_share"] is None else f"; saturation {facts['found_share']:.1%}"
        yield "ahead", f"about {facts['remaining']:,} of the queued pages belong, by estimate{share}"
    if facts["signals"]:
        yield "signals", ", ".join(f"{group} {weight:.2f}" for group, weight in facts["signals"].items())


def belonging_now(facts: Mapping[str, Any], digits: int = 1) -> str:
    """Says how many of the last pages belong: by the sum of the judge's probabilities if it gives any, else by its verdicts. With
    a strict judge, the first can be far more than what is kept."""
    by = ", by the judge's probabilities" if facts["by_probability"] else ""
    return f"{facts['marginal_yield']:.{digits}%} of the last {facts['marginal_pages']:,} pages belong{by}"
