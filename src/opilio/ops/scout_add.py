"""The verb `scout add`: puts URLs of the operator's own into a directory, and probes them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from opilio.core.errors import ConfigError
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.discover import Find
from opilio.discover.blocklist import Blocklist
from opilio.discover.url_filter import UrlFilter

from .bare_seed import complain, complete
from .names import Names, each, paths
from .scout_place import ScoutPlace, saved_config
from .scout_run import Scouted, scouted, work
from .scouting import ScoutWatch

SOURCE: Final = "added"


def scout_add(
    directory: str | Path,
    url: str | Iterable[str],
    *,
    web: Names = (),
    settings: Iterable[str] = (),
    watch: ScoutWatch | None = None,
) -> Scouted:
    """Adds URLs that somebody has chosen. They are probed even if their host is on the block list, or if other URLs of their
    domains were probed."""
    urls = [_meant(raw) for raw in each(url)]
    place = ScoutPlace(directory)
    with place.open() as opened:
        config = saved_config(opened, [*settings])
        opened.take(SOURCE, [Find(one.href) for one in urls], UrlFilter(Blocklist(())), 0)
        opened.draw_these(one.href for one in urls)
        opened.commit()
        return scouted(work(opened, place, config, paths(web), watch, draws=False))


def _meant(raw: str) -> Url:
    url = parse(raw)
    if not isinstance(url, Drop):
        return url
    if (meant := complete(raw)) is not None:
        return meant
    raise ConfigError(f"{complain(raw, url)}. Nothing was added.")
