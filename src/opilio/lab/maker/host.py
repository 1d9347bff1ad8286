"""The hosts of a made web: the topic, quality, size and engine of each.

Hosts are numbered by popularity, the most popular first; a domain's hosts share language and topic. Names look like
`www.mw--balori.de`. They have real top-level domains, because these say something about the language; but a label with
two hyphens in third and fourth place is reserved (RFC 5891, section 4.2.3.1), so no registry sells it, and a request
that leaves the lab by mistake reaches nobody.

Invariant: languages, kinds and sizes are apportioned, not drawn, so that even a small web has its share of each.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from .draw import Draw, Pool, apportion, falling
from .library import Library
from .parameters import Parameters

Kind = Literal["site", "blog", "forum", "farm"]
LEAST_PAGES: Final = 8
_ENGINES: Final[dict[Kind, tuple[str, ...]]] = {
    "site": ("joomla", "wiki", "news", "tables"),
    "blog": ("wordpress", "blogger", "drupal", "typepad", "disqus"),
    "forum": ("phpbb", "vbulletin"),
    "farm": ("directory", "portal"),
}
_PREFIXES: Final[dict[Kind, tuple[str, ...]]] = {
    "site": ("www.", "", "info."),
    "blog": ("blog.", "www.", ""),
    "forum": ("forum.", "board."),
    "farm": ("www.", ""),
}
_COUNTRIES: Final = {  # for languages whose code is not that of the country
    "en": "co.uk", "cs": "cz", "el": "gr", "sv": "se", "da": "dk", "nb": "no", "nn": "no", "uk": "ua", "zh": "cn", "ja": "jp",
    "ko": "kr", "sq": "al", "sl": "si", "sr": "rs", "he": "co.il", "fa": "ir", "hi": "in", "et": "ee", "hy": "am", "ka": "ge",
    "be": "by", "bs": "ba", "ms": "my", "vi": "vn", "af": "co.za", "ca": "cat", "eu": "eus", "cy": "wales", "ga": "ie",
    "bn": "com.bd", "ur": "pk", "sw": "co.tz", "tl": "ph", "kk": "kz", "la": "va",
}  # fmt: skip
_NATIONAL_CODES: Final = frozenset(
    ["de", "fr", "es", "it", "nl", "pt", "pl", "ru", "tr", "fi", "hu", "ro", "bg", "hr", "sk", "lt", "lv", "is", "id", "th", "mk"]
)  # fmt: skip
_GENERAL_DOMAINS: Final = ("com", "com", "org", "net", "info")
_ANNEXES: Final[tuple[Kind, ...]] = ("blog", "site", "blog", "site", "forum")  # the further hosts of a domain
_SYLLABLES: Final = (
    "ba", "bel", "bo", "dan", "dor", "fa", "fen", "gal", "gor", "hol", "ja", "kor", "la", "lem", "lo", "mar", "mi", "mol", "na",
    "nel", "pa", "per", "ra", "ri", "ros", "sa", "sol", "su", "ta", "tel", "va", "ven", "wi", "zan", "zo",
)  # fmt: skip


class Host(NamedTuple):
    number: int  # also its rank by popularity, from 0
    name: str
    domain: str
    kind: Kind
    engine: str
    language: str
    second: str  # another language of the host, or ""
    topic: str
    good: float  # share of good pages
    commented: float  # share of posts with comments
    stale: bool
    ring: int  # the ring of a link farm; -1 for other hosts
    first: int  # number of its first page
    pages: int

    @property
    def origin(self) -> str:
        return f"https://{self.name}"


class _Domain(NamedTuple):
    name: str
    kinds: tuple[Kind, ...]
    language: str
    topic: str
    ring: int


class _Place(NamedTuple):
    """A host before the rest is drawn."""

    number: int
    name: str
    domain: _Domain
    kind: Kind
    first: int
    pages: int


def plan_hosts(parameters: Parameters, library: Library) -> list[Host]:
    draw = Draw("hosts", parameters.seed)
    places = [(domain, kind) for domain in _domains(parameters, library, draw) for kind in domain.kinds]
    # Link farms are many and unknown: they come last in the order of popularity, although some of them are large.
    places = sorted(draw.shuffled(places), key=lambda place: place[1] == "farm")
    sizes = draw.shuffled(apportion(parameters.pages, falling(len(places), 0.8), LEAST_PAGES))
    hosts: list[Host] = []
    names: set[str] = set()
    for (domain, kind), size in zip(places, sizes, strict=True):
        first = hosts[-1].first + hosts[-1].pages if hosts else 0
        place = _Place(len(hosts), _host_name(domain.name, kind, names, draw), domain, kind, first, size)
        hosts.append(_host(place, parameters, library, draw))
    return hosts


def _host(place: _Place, parameters: Parameters, library: Library, draw: Draw) -> Host:
    domain, kind = place.domain, place.kind
    good = parameters.good_pages_there if draw.chance(parameters.good_hosts) else parameters.good_pages_elsewhere
    second = ""
    if draw.chance(parameters.bilingual) and len(library.languages) > 1:
        second = "en" if domain.language != "en" else draw.pick(library.languages[1:])
    return Host(
        place.number,
        place.name,
        domain.name,
        kind,
        draw.pick(_ENGINES[kind]),
        domain.language,
        second,
        domain.topic,
        0.0 if kind == "farm" else _around(good, 0.2, draw),
        _around(parameters.commented, 0.6, draw),
        draw.chance(parameters.stale_hosts),
        domain.ring,
        place.first,
        place.pages,
    )


def _around(mean: float, width: float, draw: Draw) -> float:
    """Draws a share around the mean, because hosts differ; but the means 0 and 1 stay exact."""
    return min(max(mean + (draw.share() - 0.5) * width, 0.0), 1.0) if 0 < mean < 1 else mean


def _domains(parameters: Parameters, library: Library, draw: Draw) -> Iterator[_Domain]:
    kinds = _kinds(parameters, draw)
    languages = _languages(parameters, library, draw)
    topics = _topics(languages, library, draw)
    names: set[str] = set()
    farms = 0
    for kind, language, topic in zip(kinds, languages, topics, strict=True):
        ring = farms // parameters.farm_ring if kind == "farm" else -1
        farms += kind == "farm"
        several: tuple[Kind, ...] = (kind,)
        if kind != "farm" and draw.chance(parameters.several_hosts):
            several = (kind, *(draw.pick(_ANNEXES) for _ in range(draw.between(1, 2))))
        yield _Domain(_domain_name(language, parameters, names, draw), several, language, topic, ring)


def _kinds(parameters: Parameters, draw: Draw) -> list[Kind]:
    shares = parameters.blogs, parameters.forums, parameters.farms
    counts = apportion(parameters.domains, (*shares, 1 - sum(shares)))
    names: tuple[Kind, ...] = ("blog", "forum", "farm", "site")
    return draw.shuffled(kind for kind, count in zip(names, counts, strict=True) for _ in range(count))


def _languages(parameters: Parameters, library: Library, draw: Draw) -> list[str]:
    others = library.languages[1:]
    rest = falling(len(others), parameters.language_skew)
    weights = [parameters.english, *((1 - parameters.english) * weight / sum(rest) for weight in rest)]
    counts = apportion(parameters.domains, weights)
    return draw.shuffled(code for code, count in zip(library.languages, counts, strict=True) for _ in range(count))


def _topics(languages: Sequence[str], library: Library, draw: Draw) -> list[str]:
    pools = {
        code: (topics := library.topics(code), Pool(range(len(topics)), [each.weight for each in topics]))
        for code in set(languages)
    }
    return [pools[code][0][pools[code][1].draw(draw)].name for code in languages]


def _domain_name(language: str, parameters: Parameters, names: set[str], draw: Draw) -> str:
    country = _COUNTRIES.get(language) or (language if language in _NATIONAL_CODES else "")
    ending = country if country and draw.chance(parameters.national) else draw.pick(_GENERAL_DOMAINS)
    while True:
        name = f"mw--{''.join(draw.pick(_SYLLABLES) for _ in range(draw.between(3, 5)))}.{ending}"
        if name not in names:
            names.add(name)
            return name


def _host_name(domain: str, kind: Kind, names: set[str], draw: Draw) -> str:
    start = draw.below(3)
    prefixes = _PREFIXES[kind]
    candidates = [prefixes[(start + step) % len(prefixes)] for step in range(len(prefixes))]
    candidates += [f"{kind}{number}." for number in range(2, 9)]
    name = next(name for prefix in candidates if (name := f"{prefix}{domain}") not in names)
    names.add(name)
    return name
