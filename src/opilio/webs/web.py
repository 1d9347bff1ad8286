"""Webs by name: "demo", "demo:apart" (the same sites without links to each other), "made:HOSTS,PAGES,SEED",
"moody:HOSTS,PAGES,SEED", "spread:HOSTS,COPIES,PATH", "warc:PATH" (several separated by commas).

A name, unlike an object, can be passed to another process without being pickled. `host_names` can be called before the
port is known; `open_web` needs to know how hosts are written in links, because some webs write them into their pages.
"""

from typing import Protocol

from opilio.core.errors import ConfigError

from .demo import HOSTS, Answer, Authority, demo_web
from .made import MadeWeb, made_hosts


class Web(Protocol):
    @property
    def hosts(self) -> tuple[str, ...]: ...

    def answer(self, host: str, target: str) -> Answer: ...


class DemoWeb:
    """The embedded sites as one web."""

    hosts = tuple(HOSTS)

    def __init__(self, authority: Authority = str, *, apart: bool = False) -> None:
        self._sites = demo_web(authority, apart=apart)

    def answer(self, host: str, target: str) -> Answer:
        return self._sites[host].answer(target)


def host_names(name: str) -> tuple[str, ...]:
    """Returns the hosts of a web, without opening it if the name is enough."""
    kind, _, rest = name.partition(":")
    if kind in ("made", "moody", "spread"):
        return made_hosts(_numbers(rest)[0])
    return open_web(name).hosts


def open_web(name: str, authority: Authority = str) -> Web:
    kind, _, rest = name.partition(":")
    if name in ("demo", "demo:apart"):
        return DemoWeb(authority, apart=name != "demo")
    if kind == "made":
        hosts, pages, seed = _numbers(rest, 3)
        return MadeWeb(hosts, pages, seed, authority)
    if kind == "moody":
        from .moody import MoodyWeb  # noqa: PLC0415  # only the benchmark of politeness wants it

        hosts, pages, seed = _numbers(rest, 3)
        return MoodyWeb(hosts, pages, seed, authority)
    if kind == "spread":
        from .spread import SpreadWeb  # noqa: PLC0415  # this one's reader, too

        hosts, copies = _numbers(rest)
        return SpreadWeb(hosts, copies, rest.split(",", 2)[2], authority)
    if kind == "warc":
        from .warc import WarcWeb  # noqa: PLC0415  # importing its reader takes longer than building the other webs

        return WarcWeb(rest.split(","))
    raise ConfigError(
        f"there is no web {name!r}: choose demo, demo:apart, made:HOSTS,PAGES,SEED, moody:HOSTS,PAGES,SEED, "
        "spread:HOSTS,COPIES,PATH or warc:PATH"
    )


def _numbers(rest: str, count: int = 2) -> list[int]:
    """Reads the first numbers after a web's kind."""
    try:
        numbers = [int(part) for part in rest.split(",")[:count]]
    except ValueError as error:
        raise ConfigError(f"{rest!r} does not begin with {count} whole numbers separated by commas") from error
    if len(numbers) < count or min(numbers[:2]) < 1:
        raise ConfigError(f"{rest!r} would be an empty web: there must be at least one host and one page")
    return numbers
