"""Which page links to which, and in what kind of block the link is.

Within a host, menus lead to the home, archive and service pages; texts and asides lead to other pages, early ones more
often. Across hosts, the target of a link depends on the block: a link in the text leads to a good page far more often
than one in a blogroll or footer. `conversation` lets links of pages with comments lead to other such pages, and `waste`
decides what the poor targets are. With the probability `homophily` it stays in the language and first-level topic, and
with the same probability in the narrow topic. Among the pages that remain, popular pages of popular hosts are drawn
more often. If parents must not be informative (`links = "all"`), the targets of a host's pages are drawn from the whole
web.

Invariant: all hosts can be reached from the homes of the first `seeds` hosts, because the home of each other host is
linked from the home of a more popular one; within a host see `plan`.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import Final, NamedTuple

from .draw import Draw, Pool
from .host import Host
from .kind import COMMENTED_KINDS, PageKind
from .plan import Page, Plan

_RELATED_LINKS: Final = 5
_MENU_LINKS: Final = 6
_TEASERS: Final = 10  # on a home page
_TRIES: Final = 6  # attempts to find a kindred host before any host is accepted
_FARM_WEIGHT: Final = 0.3  # weight of a farm's pages, compared with a host of the same rank
_INDEX_KINDS: Final = frozenset({PageKind.HOME, PageKind.ARCHIVE})  # kinds without text, so that no link can be in it
_WASTE_KINDS: Final = frozenset({PageKind.STUB, PageKind.EXACT})
_GOOD, _OTHER, _COMMENTED, _WASTE = "good", "other", "commented", "waste"  # qualities of a target
_SOCIAL_KINDS: Final = ("blog", "forum")
_INNER_LINKS: Final = 3  # mean number of links in a text to pages of the same host
_STUB_LINKS: Final = 2  # across hosts: with more it would be too long for a stub
_RING_LINKS: Final = (15, 30)  # links of a farm's page into its ring

Key = tuple[str, ...]  # of a pool: its quality, alone or with the language, the branch, and the narrow topic


class Across(NamedTuple):
    """A link to another host, and the quality that was wanted for its target."""

    target: int
    in_text: bool


class Outlinks(NamedTuple):
    """The page numbers of a page's links, by block. Two blocks may link the same page, as on real pages."""

    menu: list[int]
    text: list[int]
    aside: list[int]
    across: list[Across]
    listed: list[int]  # the pages that an archive page lists


class Links:
    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._parameters = plan.parameters
        self._pools = _pools(plan)
        self._wards = _wards(plan)
        self._everywhere = self._parameters.links == "all"
        self._commented = cache(self._commented_pages)
        self._dealt = self._deal()
        self._starts = [0, *accumulate(len(plan.listed(host)) for host in plan.hosts)]
        self._rings: dict[int, list[Host]] = defaultdict(list)
        for host in plan.hosts:
            if host.ring >= 0:
                self._rings[host.ring].append(host)

    def of(self, page: Page) -> Outlinks:
        draw = Draw("links", self._parameters.seed, page.number)
        host = page.host
        archives, listed = self._plan.archives(host), self._listed(host)
        menu = [host.first, *archives[:_MENU_LINKS], archives.stop, archives.stop + 1]
        if page.kind is PageKind.FARM:
            return Outlinks(menu, [], [], self._ring(page, draw), [])
        inside = self._inside(page, listed, draw)
        across = self._across(page, draw)
        if page.kind is PageKind.STUB:
            return Outlinks([host.first], inside[:1], [], across[:_STUB_LINKS], [])
        shown: list[int] = []
        if page.kind is PageKind.HOME:
            shown = [*listed[:_TEASERS], *archives[:_MENU_LINKS]]
            across += [Across(self._plan.hosts[ward].first, in_text=False) for ward in self._wards[host.number]]
        elif page.kind is PageKind.ARCHIVE:
            shown = self._archived(page, archives, listed)
        text = [] if page.kind in _INDEX_KINDS else inside[_RELATED_LINKS:]
        return Outlinks(menu, text, inside[:_RELATED_LINKS], across, shown)

    def comment(self, page: Page, draw: Draw) -> int | None:
        """Returns the page that a comment's author links to: the home of a blog or forum, a farm, or mostly none."""
        share = draw.share()
        if share < self._parameters.spam_links and self._rings:
            host = draw.pick(self._rings[draw.below(len(self._rings))])
            return draw.between(host.first, host.first + host.pages - 1)
        if share < self._parameters.spam_links + self._parameters.author_links:
            other = self._plan.page(self._target(page, _OTHER, draw, social=True)).host
            return other.first if other.kind in _SOCIAL_KINDS and other is not page.host else None
        return None

    def _deal(self) -> list[int]:
        """Returns all listed pages in random order, so that each host lists as many as it has, but from the whole
        web."""
        if not self._everywhere:
            return []
        pages = (number for host in self._plan.hosts for number in self._plan.listed(host))
        return Draw("dealt", self._parameters.seed).shuffled(pages)

    def _listed(self, host: Host) -> Sequence[int]:
        if not self._everywhere:
            return self._plan.listed(host)
        first = self._starts[host.number]
        return self._dealt[first : first + len(self._plan.listed(host))]

    def _archived(self, page: Page, archives: range, listed: Sequence[int]) -> list[int]:
        """Returns the page's part of the listed pages, and archive pages that lead to all others in a few steps."""
        count, rank = len(archives), page.rank
        own = listed[(rank - 1) * len(listed) // count : rank * len(listed) // count]
        return [*own, *(archives[each - 1] for each in (rank + 1, 2 * rank, 2 * rank + 1) if each <= count)]

    def _inside(self, page: Page, listed: Sequence[int], draw: Draw) -> list[int]:
        near, power = self._dealt or listed, 1 if self._everywhere else 2
        drawn = []
        for _ in range(_RELATED_LINKS + draw.about(_INNER_LINKS)):
            among = (self._talks(page, draw) and self._commented(page.host.number)) or near
            drawn.append(among[int(len(among) * draw.share() ** power)])
        return [number for number in dict.fromkeys(drawn) if number != page.number]

    def _talks(self, page: Page, draw: Draw) -> bool:
        """Draws whether a link leads to a page with comments because it is on one. A web without such links draws nothing, so
        that the parameter changes no other web."""
        share = self._parameters.conversation
        return bool(share) and page.kind in COMMENTED_KINDS and draw.chance(share)

    def _commented_pages(self, host: int) -> list[int]:
        listed = self._plan.listed(self._plan.hosts[host])
        return [number for number in listed if self._plan.page(number).kind in COMMENTED_KINDS]

    def _across(self, page: Page, draw: Draw) -> list[Across]:
        found: dict[int, Across] = {}
        for _ in range(draw.about(self._parameters.cross_links)):
            in_text = page.kind not in _INDEX_KINDS and draw.chance(self._parameters.content_links)
            good = self._parameters.good_in_content if in_text else self._parameters.good_in_boilerplate
            social = page.host.kind in _SOCIAL_KINDS if draw.chance(self._parameters.kindred) else None
            quality = _COMMENTED if self._talks(page, draw) else self._quality(good, draw)
            target = self._target(page, quality, draw, social)
            found.setdefault(target, Across(target, in_text))
        return list(found.values())

    def _quality(self, good: float, draw: Draw) -> str:
        if draw.chance(good):
            return _GOOD
        share = self._parameters.waste
        return _WASTE if share and draw.chance(share) else _OTHER

    def _ring(self, page: Page, draw: Draw) -> list[Across]:
        hosts = self._rings[page.host.ring]
        found = []
        for _ in range(draw.between(*_RING_LINKS)):
            host = draw.pick(hosts)
            number = draw.between(host.first, host.first + host.pages - 1)
            found.append(Across(draw.pick(self._dealt) if self._everywhere else number, in_text=True))
        return [each for each in found if each.target != page.number] + self._across(page, draw)[:1]

    def _target(self, page: Page, quality: str, draw: Draw, social: bool | None = None) -> int:
        """Draws a page of another host, from the narrowest of the drawn pools that has one, or else from all pages."""
        if self._everywhere:  # popularity and quality do not count either: the number of parents would reveal them
            return draw.pick(self._dealt)
        own = range(page.host.first, page.host.first + page.host.pages)
        target = own.start
        for key in self._keys(page, quality, draw):
            for _ in range(_TRIES):
                found = self._pools[key].draw_outside(own, draw) if key in self._pools else None
                if found is None:
                    break
                target = found
                if social is None or (self._plan.page(target).host.kind in _SOCIAL_KINDS) == social:
                    return target
            if target != own.start:
                break
        return target

    def _keys(self, page: Page, quality: str, draw: Draw) -> list[Key]:
        """Returns the keys of pools from narrow to wide."""
        language, branch = page.branch
        keys: list[Key] = [(quality,)]
        if draw.chance(self._parameters.homophily):
            keys += [(quality, language), (quality, language, branch)]
            if draw.chance(self._parameters.homophily):
                keys.append((quality, language, branch, page.topic))
        elif draw.chance(self._parameters.tongue):
            keys.append((quality, language))
        return keys[::-1]


def _pools(plan: Plan) -> dict[Key, Pool]:
    """Puts every home and listed page into four pools of each of its qualities: of the whole web, its language, its
    branch and its narrow topic."""
    numbers: dict[Key, list[int]] = defaultdict(list)
    weights: dict[Key, list[float]] = defaultdict(list)
    skew = plan.parameters.skew
    for host in plan.hosts:
        fame = (host.number + 1) ** -skew * (_FARM_WEIGHT if host.kind == "farm" else 1.0)
        for rank, number in enumerate((host.first, *plan.listed(host))):
            page = plan.page(number)
            for quality in _qualities(page):
                full = (quality, *page.branch, page.topic)
                for depth in range(1, 5):
                    numbers[full[:depth]].append(number)
                    weights[full[:depth]].append(fame * (rank + 1) ** -skew)
    return {key: Pool(numbers[key], weights[key]) for key in numbers}


def _qualities(page: Page) -> Iterator[str]:
    yield _GOOD if page.good else _OTHER
    if page.kind in COMMENTED_KINDS:
        yield _COMMENTED
    if page.kind in _WASTE_KINDS:
        yield _WASTE


def _wards(plan: Plan) -> dict[int, list[int]]:
    """Maps a host to the hosts whose homes its own home links, so that everything can be reached."""
    draw = Draw("wards", plan.parameters.seed)
    wards: dict[int, list[int]] = defaultdict(list)
    for host in plan.hosts[plan.parameters.seeds :]:
        guardian = plan.hosts[draw.below(host.number)]
        for _ in range(_TRIES):
            if guardian.language == host.language or plan.parameters.links == "all":
                break
            guardian = plan.hosts[draw.below(host.number)]
        wards[guardian.number].append(host.number)
    return wards
