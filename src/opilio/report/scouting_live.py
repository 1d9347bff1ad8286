"""The view of a running scout, on stderr: a table of its sources on a terminal, a plain line every few seconds elsewhere."""

import time
from typing import Final

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from opilio.core.counted import counted
from opilio.discover.standing import SourceStanding, Standing

from .tables import printable
from .units import show_seconds

_PLAIN_INTERVAL_S: Final = 10.0
_LIVE_INTERVAL_S: Final = 0.25


class ScoutProgress:
    def __init__(self, standing: Standing, console: Console) -> None:
        self._standing = standing
        self._console = console
        self._live = Live(console=console, auto_refresh=False, transient=False) if console.is_terminal else None
        self.interval_s = _LIVE_INTERVAL_S if self._live else _PLAIN_INTERVAL_S
        self._started_s = time.monotonic()

    def start(self) -> None:
        if self._live:
            self._live.start()

    def tick(self) -> None:
        if self._live:
            self._live.update(Group(self._table(), Text(self._line())), refresh=True)
        else:
            self._console.print(self._line(), markup=False, highlight=False, soft_wrap=True)

    def end(self) -> None:
        self.tick()
        if self._live:
            self._live.stop()

    def _table(self) -> Table:
        table = Table(box=None, padding=(0, 2, 0, 0))
        for name in ("source", "state", "finds", "new URLs", "dropped"):
            table.add_column(name, justify="left" if name in ("source", "state") else "right")
        for source in self._standing.sources:
            taken = source.taken
            table.add_row(
                Text(printable(source.name)), source.state, f"{taken.finds:,}", f"{taken.new:,}", f"{taken.dropped:,}"
            )
        return table

    def _line(self) -> str:
        standing = self._standing
        parts = [standing.step or "beginning", show_seconds(time.monotonic() - self._started_s)]
        if standing.sources:
            parts += [counted(standing.requests(), "request"), *map(_source, standing.sources)]
        if standing.short_urls:
            parts.append(f"{counted(standing.short_urls, 'short URL')} to resolve")
        if standing.probe:
            status = standing.probe()
            parts.append(f"{status['pages']:,} of {counted(standing.drawn, 'URL')} probed")
        return "; ".join(parts)


def _source(source: SourceStanding) -> str:
    return f"{printable(source.name)}: {counted(source.taken.new, 'new URL')} ({source.state})"
