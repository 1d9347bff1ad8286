"""One frozen type per stage of the flow: Seed → Candidate → Lease → Fetched → Page → Verdict → Record.

A stage maps one of these to the next, or to a named `Drop`. They are plain values: equal when their fields are,
encoded as msgpack between processes and as JSON for people, never pickled.
"""

from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from .dates import http_date
from .outcome import Drop, Outcome
from .version import __version__

Headers = tuple[tuple[str, str], ...]


class Item(msgspec.Struct, frozen=True, gc=False):
    """Base of all stage values."""


class Seed(Item, frozen=True):
    url: str
    source: str = ""  # where the URL was found: a file and line, a sitemap, …


class Place(Item, frozen=True):
    """The place of a link in a page."""

    block: int  # index into the page's blocks
    path: str  # tag path, such as "html body div.nav ul li a"
    rel: str = ""


class Link(Item, frozen=True):
    """One sighting of a target on one page. `position` counts the page's links from 0 in document order. A page may link to a
    target in several places: the fields describe the one that says most, and `also` names the others."""

    url: str  # canonical
    host: str
    anchor: str = ""
    before: str = ""  # up to ten words
    after: str = ""
    block: int = -1  # index into the page's blocks
    boilerplate: float = 0.0  # score of that block, 1 = boilerplate
    path: str = ""  # tag path
    rel: str = ""
    hreflang: str = ""
    position: int = 0
    times: int = 1  # how often this page links to the target
    also: tuple[Place, ...] = ()  # a few of its other places


class Sighting(Item, frozen=True):
    """A link together with what is known about the page that it is on."""

    parent: int  # id of the parent's URL in the frontier
    parent_url: str
    parent_score: float | None  # the judge's score of the parent; None for seeds and redirects
    parent_belongs: bool
    link: Link
    parent_measures: dict[str, float] = {}  # what each judge measured on the parent, in its own unit


class Candidate(Item, frozen=True):
    """A URL that may be queued, if admission lets it in."""

    url: str  # canonical
    host: str
    depth: int
    parent: int = 0  # 0 for seeds
    hops: int = 0  # redirects on the way here
    anchor: str = ""


class Target(NamedTuple):
    """A queued URL as a lead sees it. It has one score, and a bounded number of sightings, which grows during the
    crawl."""

    id: int
    url: str
    host: str
    depth: int
    hops: int
    sightings: tuple[Sighting, ...]
    score: float | None = None  # its present score; None if it is new


class Lease(Item, frozen=True):
    """The right to fetch one URL before `deadline_s`. Each lease ends with exactly one ack, retry or return."""

    id: int
    url: str
    host: str
    depth: int
    parent: int
    hops: int
    tries: int
    score: float
    deadline_s: float
    again: bool = False  # whether its page was fetched before, and is visited once more
    proven: bool = False  # whether the host's last page came promptly and was quickly read


class Fetched(Item, frozen=True):
    """What the network gave. `body` is as received (still encoded); empty unless the outcome is OK."""

    url: str
    outcome: Outcome
    status: int = 0
    headers: Headers = ()
    body: bytes = b""
    location: str = ""  # absolute, for redirects
    retry_after_s: float | None = None
    address: str = ""
    started_s: float = 0.0
    seconds: float = 0.0
    detail: str = ""  # for people; never holds a refused address

    def header(self, name: str) -> str:
        """Returns all values of a header joined by commas, as HTTP reads repeated fields."""
        return ", ".join(value for key, value in self.headers if key.lower() == name)


class Block(Item, frozen=True):
    """A run of text between block-level tags."""

    text: str
    tag: str
    words: int
    link_density: float  # share of its characters that stand inside links
    boilerplate: float  # 1 = boilerplate


class TextBlock(Item, frozen=True, omit_defaults=True):
    """A block of a document's text, which is `text[start:end]`. Kinds: p, h1 … h6, li, dt, dd, pre, quote, caption, and tr for
    a row of a table, whose cells have tabs between them."""

    kind: str
    start: int
    end: int
    aside: bool = False  # it is not surely prose, so that judges and leads do not read it (`prose`)


class Comment(Item, frozen=True):
    """What a reader wrote below a page. Author and date are as the page has them, "" where it does not mark them."""

    text: str
    author: str = ""
    date: str = ""


class Signal(Item, frozen=True):
    """A statement about rights or indexing that came with the page."""

    source: str  # "header", "meta", "robots.txt", …
    name: str
    value: str


class LanguageShare(Item, frozen=True):
    """How much of a text is in a language."""

    language: str  # "" for paragraphs whose language cannot be told
    share: float


class Metadata(Item, frozen=True):
    """What a page says about itself, and "" where it does not."""

    title: str = ""  # without the name of the site
    author: str = ""  # names, separated by "; "
    date: str = ""  # of publication, as YYYY-MM-DD
    modified: str = ""  # likewise
    site: str = ""  # the name that the site gives itself
    description: str = ""
    section: str = ""  # of the site


class Page(Item, frozen=True):
    """Text and links gleaned from bytes; what judges see."""

    url: str
    host: str
    depth: int
    title: str
    text: str  # fast main text, paragraphs separated by newlines
    words: int  # number of words in the text, as its blocks count them
    language: str  # ISO 639-1 where there is one, "" when unknown
    language_confidence: float
    charset: str
    canonical: str  # rel=canonical, canonicalised; "" if none
    declared_language: str
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]
    classes: tuple[str, ...]  # distinct CSS class names of the page
    signals: tuple[Signal, ...]
    nofollow: bool  # the page asks crawlers not to follow its links
    truncated: bool  # a bound cut the text or the links
    refused_links: dict[str, int]  # how many hrefs are not fetchable URLs, by drop
    feeds: tuple[str, ...] = ()  # canonical URLs of the feeds that its head names
    languages: tuple[LanguageShare, ...] = ()  # of its paragraphs, the most of the text first
    metadata: Metadata = Metadata()
    is_shell: bool = False  # it has next to no text, and a script that would write it
    layout: tuple[TextBlock, ...] = ()  # what the text consists of
    judged: str | None = None  # its prose; None if that is the whole text

    @property
    def prose(self) -> str:
        """Returns what judges and leads go by: the part of the text that is surely its author's (`core/prose.py`)."""
        return self.text if self.judged is None else self.judged

    @property
    def tokens(self) -> int:
        """Returns the number of words by the name that it has in documents, settings and lists."""
        return self.words


class Opinion(Item, frozen=True):
    """One judge's part in a verdict."""

    judge: str
    score: float | None  # 0 … 1; None: the judge cannot tell, and the reason says why
    reason: str
    measure: float | None = None  # what the score was computed from, in the judge's own unit, such as a perplexity


class Verdict(Item, frozen=True):
    """Does the page belong? `opinions` keep each judge's score and reason for `why`, combinations and learning."""

    score: float  # 0 … 1
    belongs: bool
    opinions: tuple[Opinion, ...] = ()
    parts: "tuple[Verdict, ...]" = ()  # the verdicts of the parts of a combined judge, in their order

    @classmethod
    def cannot_tell(cls, judge: str, why: str, measure: float | None = None) -> "Verdict":
        """Returns the verdict of a judge that abstains. If the judge is asked alone, the page does not belong."""
        return cls(0.0, belongs=False, opinions=(Opinion(judge, None, f"cannot tell, because {why}", measure),))

    @property
    def abstains(self) -> bool:
        """Tells whether the judge has given no opinion, so that it has no vote in a sum."""
        return bool(self.opinions) and self.opinions[0].score is None


class Origin(Item, frozen=True):
    """What made a document: the crawl, what it went by, and the version of Opilio."""

    crawl: str = ""  # an identifier that the folder of the crawl keeps
    recipe: str = ""  # "" if it had a judge or a lead of its own
    version: str = __version__


class Record(Item, frozen=True):
    """A document of the corpus. Field order is the order of columns in every export. What has a default was added later:
    documents of older folders do not have it."""

    id: str  # digest of the URL; the WARC record has the same name
    url: str
    title: str
    text: str
    language: str
    language_confidence: float
    tokens: int  # words of the text
    score: float
    opinions: tuple[Opinion, ...]
    depth: int
    parent_url: str
    fetched: str  # ISO 8601, UTC
    status: int
    content_type: str
    charset: str
    size_bytes: int
    seconds: float
    address: str
    last_modified: str
    etag: str
    canonical: str
    signals: tuple[Signal, ...]
    text_digest: str
    body_digest: str  # digest of the bytes as received
    warc_record: str
    host: str = ""  # that of the URL
    author: str = ""  # names, separated by "; "
    date: str = ""  # of publication, as YYYY-MM-DD
    modified: str = ""  # the day on which the page says that it was changed last
    site: str = ""  # the name that the site gives itself
    description: str = ""
    section: str = ""  # of the site
    license: str = ""  # such as "CC BY-SA 4.0", or a URL; the signals say where it stands
    badness: float | None = None  # from 0, running text, to 50; None if its language has no profile
    perplexity: float | None = None  # if the crawl's judge measures it
    boilerplate: float | None = None  # share of the page's words that are not in the text
    repetition: float | None = None  # share of the runs of three words that have occurred in the text before
    symbols: float | None = None  # share of the characters that are punctuation or symbols
    simhash: str = ""  # 64 bits in hexadecimal; texts that are nearly the same differ in few of them
    crawl: str = ""  # an identifier of the crawl
    recipe: str = ""
    version: str = ""  # of the Opilio that made the document
    languages: tuple[LanguageShare, ...] = ()  # of the paragraphs, the most of the text first
    blocks: tuple[TextBlock, ...] = ()  # what the text consists of; none in documents of older versions
    comments: tuple[Comment, ...] = ()  # of readers; only in documents that were extracted again
    extractor: str = ""  # what made the text; "": the fast extractor of the crawl

    def __post_init__(self) -> None:
        if not self.host:
            msgspec.structs.force_setattr(self, "host", urlsplit(self.url).hostname or "")

    @property
    def day(self) -> str:
        """Returns the day on which the page was published, as YYYY-MM-DD: `date`, or else the day on which the server says that
        it was modified last. The latter is weak, because many servers make pages anew with each request."""
        return self.date or str(http_date(self.last_modified) or "")


class Gleaned(Item, frozen=True):
    """What a worker hands back for one `Fetched`: the page judged and packed for the shards, or a drop. A page that is dropped
    for its text is packed too."""

    drop: Drop | None
    detail: str = ""
    page: Page | None = None
    verdict: Verdict | None = None
    text_digest: bytes = b""
    tokens: int = 0
    text_bytes: int = 0  # of the text as UTF-8
    record: bytes = b""  # one compressed line for the record shard; empty if nothing is stored
    warc: bytes = b""  # gzip members for the WARC shard; empty if only the text is stored
    cpu_s: float = 0.0  # processor time, if the page took much of it
    held_s: float = 0.0  # how long it held its worker then
