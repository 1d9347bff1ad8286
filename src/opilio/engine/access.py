"""What a crawl, or a source of seeds, reaches the web with: a fetcher, the rules of robots.txt, and a contact to name."""

from collections.abc import Sequence
from pathlib import Path
from sqlite3 import Connection
from typing import Final

from opilio.core.clock import Clock, SimulatedClock, SystemClock
from opilio.core.config import Config
from opilio.core.errors import ConfigError
from opilio.fetch import Fetcher, Resolver, RobotsCache, is_web_port
from opilio.fetch.recorded import RecordedWeb

from .asking import Asker, Spending

_RECEIVED_PARTS: Final = 16  # bodies that are being received may take one part in this many of in_flight_bytes


def build_asker(
    config: Config, web: Sequence[Path] | Fetcher, connection: Connection, spending: Spending | None = None
) -> Asker:
    """Builds what answers the questions of sources. Rules of robots.txt are stored through the connection, whose database has
    their table. Whoever calls closes the asker's fetcher."""
    check_files(web)
    check_contact(config, recorded=bool(web))
    clock: Clock = SimulatedClock() if web else SystemClock()
    return Asker(
        config, build_fetcher(config, web, clock), build_robots(config, connection), clock, spending or Spending()
    )


def build_fetcher(config: Config, web: Sequence[Path] | Fetcher, clock: Clock) -> Fetcher:
    if not isinstance(web, Sequence):
        return web
    if web:
        recorded = RecordedWeb(web, clock)
        if not len(recorded):
            raise ConfigError(
                f"{', '.join(map(str, web))}: no response records. A recorded web needs WARC files with responses."
            )
        return recorded
    from opilio.fetch import HttpFetcher  # noqa: PLC0415  (0.2 s, and a recorded web does not need it)

    fetch = config.fetch
    resolver = Resolver(fetch.hosts, guard=not fetch.allow_private_addresses, clock=clock)
    return HttpFetcher(
        resolver,
        config.limits,
        clock,
        config.user_agent,
        accept_language=fetch.accept_language or accept_language(config.corpus.languages),
        proxy=fetch.proxy or None,
        connections=2 * fetch.connections,  # for proven hosts, and as many for those in doubt
        received_bytes=config.crawl.in_flight_bytes // _RECEIVED_PARTS,
        ports={*filter(is_web_port, range(2**16)), *fetch.ports} if fetch.ports else None,
    )


def build_robots(config: Config, connection: Connection) -> RobotsCache:
    settings = config.fetch
    return RobotsCache(
        connection, config.operator.name, trust_s=settings.robots_hours * 3600, retry_s=settings.robots_retry_s
    )


def accept_language(codes: Sequence[str]) -> str:
    """Returns the header that asks for these languages, the first one first, and for any other if there is none of them."""
    named = (f"{code};q={max(0.1, 1 - 0.1 * place):.1f}" if place else code for place, code in enumerate(codes))
    return ", ".join((*named, "*;q=0.1")) if codes else "*"


def check_contact(config: Config, *, recorded: bool) -> None:
    if recorded or config.fetch.allow_private_addresses or config.operator.contact:
        return
    raise ConfigError(
        "the operator has no contact. Hosts must be able to reach whoever crawls them: set operator.contact in crawl.toml, or "
        "add --set operator.contact=you@example.org (a URL will do too)."
    )


def check_files(web: Sequence[Path] | Fetcher) -> None:
    for path in web if isinstance(web, Sequence) else ():
        if not path.is_file():
            raise ConfigError(f"{path} is not a file. A recorded web needs WARC files with responses.")
