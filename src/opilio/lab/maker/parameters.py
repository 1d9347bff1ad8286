"""The parameters of a made web: every number that could explain the result of an experiment, with its default.

Rule: the defaults were fixed before the first experiment ran, and docs/made-webs.md gives the reason for each. A
comparison of two webs should change one parameter and name it.
"""

from collections.abc import Iterable
from typing import Final, Literal, Self

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.suggestion import did_you_mean

_SHARES: Final = (
    "content_links", "good_in_content", "good_in_boilerplate", "waste", "conversation", "homophily", "tongue", "kindred",
    "told", "english", "national", "bilingual", "second_language", "purity", "blogs", "forums", "farms", "several_hosts",
    "good_hosts", "good_pages_there", "good_pages_elsewhere", "commented", "open_form", "author_links", "spam_links",
    "exact_copies", "near_copies", "changed", "stale_hosts", "stale_pages",
)  # fmt: skip
LEAST_PAGES_PER_DOMAIN: Final = 20
# Settings under which the host decides everything: each host has one language, one topic, and only running text apart
# from its home, archive and service pages.
PURE_SETTINGS: Final = (
    "purity=1",
    "bilingual=0",
    "good_hosts=1",
    "good_pages_there=1",
    "exact_copies=0",
    "near_copies=0",
)


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Shares and probabilities are between 0 and 1."""

    pages: int = 30_000
    domains: int = 300
    seed: int = 7
    seeds: int = 10  # hosts whose home pages are enough to reach every page
    # links across hosts
    cross_links: float = 5.0  # mean number per page
    content_links: float = 0.2  # share of them that is in the text
    good_in_content: float = 0.59  # probability that a link in the text leads to a good page
    good_in_boilerplate: float = 0.083  # the same for blogrolls, partners and advertisements
    waste: float = 0.0  # probability that a link that does not lead to a good page leads to a stub or an exact copy
    conversation: float = 0.0  # probability that a link on a page with comments is drawn among such pages
    homophily: float = 0.7  # probability of the same language and first-level topic, and then of the same narrow topic
    tongue: float = 0.5  # probability that another link at least stays in the language
    kindred: float = 0.6  # probability of the same kind of host: blogs and forums, or plain sites
    skew: float = 0.9  # the n-th host or page has the weight n to the power of minus this
    told: float = 0.7  # probability that an anchor in the text is the title of its target, not words of the text
    # hosts
    english: float = 0.5
    language_skew: float = 1.0  # the n-th of the other languages has the weight n to the power of minus this
    national: float = 0.6  # probability that a domain ends in the country code of its language
    bilingual: float = 0.15  # share of hosts with a second language
    second_language: float = 0.35  # its share of the pages
    purity: float = 0.7  # share of pages in the host's narrow topic; for the others, the share in its first-level topic
    blogs: float = 0.4
    forums: float = 0.07
    farms: float = 0.08
    farm_ring: int = 6  # number of domains that link each other densely
    several_hosts: float = 0.25  # share of domains with two or three hosts
    good_hosts: float = 0.5  # share of hosts where most pages are good
    good_pages_there: float = 0.85
    good_pages_elsewhere: float = 0.3
    # pages
    commented: float = 0.6  # share of a blog's posts with comments, on average over blogs
    open_form: float = 0.2  # share of posts without comments that still show the form
    author_links: float = 0.3  # share of comments whose author's name leads to a blog or forum
    spam_links: float = 0.05  # share of comments that lead to a farm
    exact_copies: float = 0.04
    near_copies: float = 0.06
    changed: float = 0.1  # share of sentences of a near copy that differ from the original
    stale_hosts: float = 0.1  # share of hosts that have not changed for ten years
    stale_pages: float = 0.1  # share of such pages on other hosts
    # information that a web can withhold
    urls: Literal["titles", "numbers"] = "titles"  # numbers: paths are /1, /2, …
    anchors: Literal["titles", "same"] = "titles"  # same: every anchor is "read more", without words around it
    links: Literal["near", "all"] = "near"  # all: targets are drawn from all pages with equal chance

    def __post_init__(self) -> None:
        if self.domains < 2 * self.farm_ring or self.pages < LEAST_PAGES_PER_DOMAIN * self.domains:
            raise ConfigError(
                f"a made web of {self.domains} domains and {self.pages} pages is too small: it needs at least "
                f"{2 * self.farm_ring} domains and {LEAST_PAGES_PER_DOMAIN} pages for each of them"
            )
        for name in _SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} = {getattr(self, name)} is not a share: choose a number between 0 and 1")
        if self.blogs + self.forums + self.farms > 1:
            raise ConfigError("blogs, forums and farms are shares of all domains: their sum cannot be more than 1")
        if self.seeds < 1 or self.cross_links < 0 or self.farm_ring < 2:
            raise ConfigError("seeds must be at least 1, farm_ring at least 2, and cross_links cannot be negative")

    @classmethod
    def read(cls, settings: Iterable[str], **named: str | int | float | None) -> Self:
        """Reads settings such as "farms=0.2"; keyword arguments that are not None take precedence."""
        given: dict[str, str | int | float] = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            if not equals or name not in cls.__struct_fields__:
                hint = did_you_mean(name, cls.__struct_fields__)
                known = ", ".join(cls.__struct_fields__)
                raise ConfigError(
                    f"{setting!r} is not a parameter of a made web: say NAME=NUMBER.{hint} Known: {known}."
                )
            given[name] = value
        given |= {name: value for name, value in named.items() if value is not None}
        try:
            return msgspec.convert(given, cls, strict=False)
        except msgspec.ValidationError as error:
            if isinstance(error.__cause__, ConfigError):
                raise error.__cause__ from None
            raise ConfigError(f"a made web cannot have these parameters: {error}") from error
