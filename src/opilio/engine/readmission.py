"""Brings back links that settings had refused, when those settings were changed between two runs.

Rules:
* The table of causes (`core.causes`) says which settings refuse what. The folder remembers the values by which links were
  refused so far, so that a change counts even if it was made while the crawl ran.
* A link comes back only if all rules, as they are now, let it in. Otherwise the rule that refuses it now is noted.
* Links of hosts that were given up, or were full, come back if the change concerns what closed their host.
* Links that have no row cannot come back: those of pages that ask crawlers not to follow them, and all links of a crawl that
  followed none.
* If no page was ever fetched, every link is tried again: the network, or a server, may have been down.
* A lead that wants sightings is shown one of each link, made from the page that first named it, because refused links have
  none stored.

Cost: one pass over the table of links, a page of them at a time, and only if one of the settings was changed. For a lead with
sightings, the stored pages of the parents are read too; links that were found next to each other share theirs.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from opilio.core.bounded import BoundedMap
from opilio.core.causes import CAUSES
from opilio.core.config import Config, value_of
from opilio.core.counted import counted
from opilio.core.items import Link, Sighting
from opilio.core.outcome import Drop, Outcome
from opilio.enqueue import Frontier, OpenLink, StoredLink

from .documents import Documents
from .follow import Follow

_HOSTS_KEY: Final = "fetch.hosts"
_POLICY: Final = "policy."  # a cut that was moved is followed by the frontier itself
_CLOSED_HOST_DROPS: Final = (Drop.HOST_DEAD, Drop.HOST_FULL)
_NOT_BELONGING_DROPS: Final = (Drop.NOT_RELEVANT, Drop.MARKED_NO)
_ROBOTS_SETTINGS: Final = frozenset(CAUSES[Drop.ROBOTS].settings)
_PARENTS: Final = 1_000  # remembered


class Change(NamedTuple):
    """What changed settings may bring back."""

    settings: tuple[str, ...]
    drops: tuple[Drop, ...]
    outcomes: tuple[Outcome, ...]
    hosts: frozenset[str] | None = None  # only links of these hosts

    @property
    def forgets_robots(self) -> bool:
        """Returns whether the rules that were read from robots.txt files no longer hold."""
        return not _ROBOTS_SETTINGS.isdisjoint(self.settings)


class Returned(NamedTuple):
    asked: int  # links
    back: int


def refusing_settings(config: Config) -> dict[str, Any]:
    """Returns the values of all settings that refuse links."""
    names = sorted({name for cause in CAUSES.values() for name in cause.settings if not name.startswith(_POLICY)})
    return {name: _plain(value_of(config, name)) for name in names}


def changes(before: dict[str, Any], now: dict[str, Any]) -> list[Change]:
    """Returns what may come back. Settings that an older version did not save count as unchanged."""
    changed = {name for name, value in now.items() if name in before and before[name] != value}
    found = [_change(changed - {_HOSTS_KEY}, None)]
    if _HOSTS_KEY in changed:
        moved = dict(before[_HOSTS_KEY].items() ^ now[_HOSTS_KEY].items())
        found.append(_change({_HOSTS_KEY}, frozenset(moved)))
    return [change for change in found if change.settings]


def anything(found: Sequence[Change]) -> Change:
    """Returns the change after which every link is tried again, whatever has refused it."""
    return Change(tuple(name for change in found for name in change.settings), tuple(Drop), tuple(Outcome))


def tell_unfollowed(
    before: dict[str, Any], now: dict[str, Any], count: Callable[[Drop], tuple[int, int]]
) -> Iterator[str]:
    """Yields notes on links that cannot come back, though the setting that kept them out was changed, because they have no row.
    `count` returns how many links were not followed for a reason, and on how many pages."""
    if before.get("scope.max_depth") == 0 != now["scope.max_depth"]:
        yield from _tell_lost(*count(Drop.TOO_DEEP), "no links were followed then")
    if before.get("scope.follow_nofollow") is False and now["scope.follow_nofollow"]:
        yield from _tell_lost(*count(Drop.NOFOLLOW), "nofollow was respected then")
    if before.get("scope.url_chars", now["scope.url_chars"]) < now["scope.url_chars"]:
        yield from _tell_lost(*count(Drop.URL_TOO_LONG), "their URLs were too long then")


def _tell_lost(links: int, pages: int, cause: str) -> Iterator[str]:
    if links:
        place = f"{counted(links, 'link')} on {counted(pages, 'page')}"
        stored, them = ("was", "it") if links == 1 else ("were", "them")
        yield f"{place} {stored} not stored, because {cause}; start a new folder to follow {them}."


def _change(settings: set[str], hosts: frozenset[str] | None) -> Change:
    kinds = [kind for kind, cause in CAUSES.items() if not settings.isdisjoint(cause.settings)]
    if hosts is not None:  # whatever kept a host from being asked may not hold at its new address
        kinds = [outcome for outcome in Outcome if outcome.blames_host]
    drops = tuple(kind for kind in kinds if isinstance(kind, Drop))
    return Change(tuple(sorted(settings)), drops, tuple(kind for kind in kinds if isinstance(kind, Outcome)), hosts)


class Readmission:
    def __init__(self, frontier: Frontier, follow: Follow, documents: Documents, sightings: int) -> None:
        """`sightings` is how many of them the lead wants to see."""
        self._frontier = frontier
        self._follow = follow
        self._documents = documents
        self._sightings = sightings
        self._parents: BoundedMap[int, Sighting] = BoundedMap(_PARENTS)

    def bring_back(self, change: Change, now_s: float) -> Returned:
        self._frontier.reopen_hosts(change.outcomes)
        asked = back = 0
        for links in self._frontier.links.ended(change.drops, change.outcomes):
            concerned = [link for link in links if self._is_concerned(link.row, change.hosts)]
            asked += len(concerned)
            back += self._reconsider(concerned, now_s)
        return Returned(asked, back)

    def _is_concerned(self, row: StoredLink, hosts: Collection[str] | None) -> bool:
        schedule = self._frontier.schedule
        if row.drop in _CLOSED_HOST_DROPS and schedule.closed(row.host):
            return False
        return hosts is None or schedule.name(row.host) in hosts

    def _reconsider(self, links: Sequence[OpenLink], now_s: float) -> int:
        admitted: list[OpenLink] = []
        refused: list[tuple[StoredLink, Drop]] = []
        for link in links:
            drop = self._follow.refuse(link.row.url, link.row.depth, link.row.hops)
            if drop is None:
                admitted.append(self._sighted(link))
            else:
                refused.append((link.row, drop))
        self._frontier.refuse_again(refused, now_s)
        self._frontier.links.put_sightings([(row.id, target.sightings) for row, target in admitted if target.sightings])
        scores = self._follow.scores([link.target for link in admitted])
        return self._frontier.readmit([(link.row, score) for link, score in zip(admitted, scores, strict=True)], now_s)

    def _sighted(self, link: OpenLink) -> OpenLink:
        """Returns the link with a sighting. If none is stored, the link never had a score."""
        row, target = link
        if target.sightings:
            return link
        target = target._replace(score=None)
        if not self._sightings or not row.parent:
            return OpenLink(row, target)
        parent = self._parents.get(row.parent)
        if parent is None:
            parent = self._parents[row.parent] = self._parent(row.parent)
        seen = msgspec.structs.replace(parent, link=Link(row.url, target.host, row.anchor))
        return OpenLink(row, target._replace(sightings=(seen,)))

    def _parent(self, number: int) -> Sighting:
        """Returns a sighting without its link: what is known of the page."""
        page, url, link = self._documents.find(number), self._frontier.links.url(number), Link("", "")
        if page is None:
            return Sighting(number, url, None, parent_belongs=False, link=link)
        opinions = self._documents.corpus.read(page).opinions
        measures = {one.judge: one.measure for one in opinions if one.measure is not None}
        return Sighting(number, url, page.score, page.drop not in _NOT_BELONGING_DROPS, link, measures)


def _plain(value: Any) -> Any:
    """Returns the value as it is read back from JSON."""
    return list(value) if isinstance(value, tuple) else value
