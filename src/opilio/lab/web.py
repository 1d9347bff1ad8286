"""Webs by name: "demo", "made:HOSTS,PAGES,SEED", "warc:PATH" (several paths separated by commas).

A name, unlike an object, reaches another process without being pickled. `host_names` is known before a port is;
`open_web` needs to know how hosts are written in links, because some webs write them into their pages.
"""

from typing import Protocol

from opilio.core.errors import ConfigError
from opilio.demo import HOSTS, Answer, Authority, demo_web

from .made import MadeWeb, made_hosts


class Web(Protocol):
    @property
    def hosts(self) -> tuple[str, ...]: ...

    def answer(self, host: str, target: str) -> Answer: ...


class DemoWeb:
    """The embedded sites as one web."""

    hosts = tuple(HOSTS)

    def __init__(self, authority: Authority = str) -> None:
        self._sites = demo_web(authority)

    def answer(self, host: str, target: str) -> Answer:
        return self._sites[host].answer(target)


def host_names(name: str) -> tuple[str, ...]:
    """The hosts of a web, without opening it where the name alone tells."""
    return made_hosts(_numbers(name)[0]) if name.startswith("made:") else open_web(name).hosts


def open_web(name: str, authority: Authority = str) -> Web:
    kind, _, rest = name.partition(":")
    if name == "demo":
        return DemoWeb(authority)
    if kind == "made":
        return MadeWeb(*_numbers(name), authority=authority)
    if kind == "warc":
        from .warc import WarcWeb  # noqa: PLC0415  # its reader takes longer to import than the other webs to build

        return WarcWeb(rest.split(","))
    raise ConfigError(f"no web is called {name!r}: say demo, made:HOSTS,PAGES,SEED or warc:PATH")


def _numbers(name: str) -> tuple[int, int, int]:
    try:
        hosts, pages, seed = map(int, name.removeprefix("made:").split(","))
    except ValueError as error:
        raise ConfigError(f"{name!r} is no made web: say made:HOSTS,PAGES,SEED with whole numbers") from error
    if min(hosts, pages) < 1:
        raise ConfigError(f"{name!r} would be empty: hosts and pages begin at 1")
    return hosts, pages, seed
