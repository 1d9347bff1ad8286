"""The part of the flow that takes processor time and keeps no state: decode, glean, judge, pack. It runs in any process."""

import hashlib
from time import monotonic, process_time
from typing import Final, Protocol

import msgspec

from opilio.core.clock import iso_time
from opilio.core.config import Config
from opilio.core.items import Fetched, Gleaned, Headers, Item, Origin, Page, Record, Signal, Verdict
from opilio.core.limits import Limits
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, split
from opilio.fetch.decode import decode
from opilio.glean import glean
from opilio.judge import Judging
from opilio.keep.quality import boilerplate, measure, measured_by
from opilio.keep.record import pack, unpack
from opilio.keep.rights import licence
from opilio.keep.warc import payload_digest, record_id, response_record

from .listing import Kind, is_met_feed, read_listing
from .refusal import bare, overrule, refusal, with_verdict
from .second_look import extracted_again
from .stored_page import stored_page

HEAVY_S: Final = 0.25  # processor time of a page whose host has to rest
_SLOW_S: Final = 0.05  # processor time of a page that is worth telling; an ordinary one takes a fifth of it
_OWN_PAGE: Final = (
    f"<title>Sheep</title><p>{'Every shepherd counts the sheep before the evening, and writes it down. ' * 20}"
)


class Task(Item, frozen=True, tag=True):
    """A response to be turned into a page."""

    fetched: Fetched
    depth: int
    parent_url: str
    signals: tuple[Signal, ...] = ()  # what the host's robots.txt says about use
    marked: bool | None = None  # what the operator says of the page, if anything
    listing: Kind | None = None  # a sitemap or a feed instead of a page


class Appeal(Item, frozen=True, tag=True):
    """A stored page to be judged again."""

    record: bytes
    warc: bytes  # empty if the judge needs only the text
    marked: bool | None = None


class Extraction(Item, frozen=True, tag=True):
    """A page of the corpus whose text is to be taken out of its bytes once more."""

    record: bytes
    warc: bytes


Order = Task | Appeal | Extraction


class Gleaner(Protocol):
    """`glean`, or a function that gives the same page faster, because it has seen the bytes before."""

    def __call__(
        self, url: Url, depth: int, headers: Headers, body: bytes, limits: Limits, *, context: bool
    ) -> Page | Drop: ...


class Workshop:
    """Turns responses into judged pages. `context` says whether links carry the words around them and their tag paths, which
    only sightings need."""

    def __init__(
        self,
        config: Config,
        judge: Judging,
        *,
        context: bool = True,
        gleaner: Gleaner = glean,
        origin: Origin = Origin(),  # noqa: B008 - is frozen
    ) -> None:
        self._limits = config.limits
        self._keep = config.keep
        self._most_listed = max(config.scope.sitemaps, config.scope.feeds)
        self._reads_feeds = config.scope.feeds > 0
        self._judge = judge
        self._context = context
        self._origin = origin
        self.gleaner = gleaner
        self.is_warm = False  # has read a page, with which models are loaded; the time of that page is never told

    def warm_up(self) -> None:
        """Reads and judges a page of its own, so that models are loaded before the first page of a host. The model that guesses
        encodings is not: it takes 50 MB, and a fifth of a second of the first page that needs it."""
        headers = (("Content-Type", "text/html; charset=utf-8"),)
        fetched = Fetched("http://warming.up.example/", Outcome.OK, 200, headers, _OWN_PAGE.encode())
        self.supervise(Task(fetched, 0, ""))

    def supervise(self, task: Order) -> Gleaned:
        """Does the task, and turns any exception of a page or a plug-in into a drop, so that the crawl goes on. This is
        the only place that catches everything."""
        began_s, began_real_s = process_time(), monotonic()
        try:
            gleaned = self._done(task)
        except Exception as error:  # noqa: BLE001
            gleaned = Gleaned(Drop.GLEAN_FAILED, f"{type(error).__name__}: {error}"[:500])
        was_warm, self.is_warm = self.is_warm, True
        if not was_warm or (cpu_s := process_time() - began_s) < _SLOW_S:
            return gleaned
        return msgspec.structs.replace(gleaned, cpu_s=cpu_s, held_s=monotonic() - began_real_s)

    def _done(self, order: Order) -> Gleaned:
        if isinstance(order, Task):
            return self.do(order)
        return self.hear(order) if isinstance(order, Appeal) else self.extract(order)

    def do(self, task: Task) -> Gleaned:
        fetched = task.fetched
        url = split(fetched.url)
        body = decode(fetched.body, fetched.header("content-encoding"), self._limits.decoded_bytes)
        if isinstance(body, Drop) or isinstance(url, Drop):
            return Gleaned(body if isinstance(body, Drop) else Drop.MALFORMED_URL)
        listing = task.listing or ("feed" if self._reads_feeds and is_met_feed(fetched, body) else None)
        if listing is not None:
            listed = read_listing(listing, url, task.depth, body, self._most_listed)
            return Gleaned(listed) if isinstance(listed, Drop) else Gleaned(Drop.LISTING, page=listed)
        page = self.gleaner(url, task.depth, fetched.headers, body, self._limits, context=self._context)
        if isinstance(page, Drop):
            return Gleaned(page)
        return self._judged(task, page)

    def hear(self, appeal: Appeal) -> Gleaned:
        """Judges a stored page again. Its document stays as it is, except for the verdict."""
        record = unpack(appeal.record)
        page = stored_page(record, appeal.warc, self._limits)
        if isinstance(page, Drop):
            return Gleaned(Drop.GLEAN_FAILED, f"the stored bytes cannot be gleaned: {page}")
        verdict = self._verdict(page, appeal.marked)
        drop, detail = refusal(record.text, verdict, record.signals, self._keep, appeal.marked)
        new = bare(record) if drop is Drop.OPTED_OUT else with_verdict(record, verdict)
        text_bytes = len(record.text.encode())
        return Gleaned(drop, detail, None, verdict, b"", record.tokens, text_bytes, pack(new))

    def extract(self, order: Extraction) -> Gleaned:
        """Returns the document with a new text, or no document if the bytes give none."""
        record = unpack(order.record)
        new = extracted_again(record, order.warc, self._limits)
        if isinstance(new, Drop):
            return Gleaned(new)
        return Gleaned(None, tokens=new.tokens, text_bytes=len(new.text.encode()), record=pack(new))

    def _verdict(self, page: Page, marked: bool | None) -> Verdict:
        verdict = self._judge.judge(page)
        if not 0.0 <= verdict.score <= 1.0:  # false for NaN too
            raise ValueError(f"a judge gave the score {verdict.score}; scores lie between 0 and 1")
        return verdict if marked is None else overrule(verdict, marked)

    def _judged(self, task: Task, page: Page) -> Gleaned:
        verdict = self._verdict(page, task.marked)
        signals = (*task.signals, *page.signals)
        drop, detail = refusal(page.text, verdict, signals, self._keep, task.marked)
        if page.is_shell and drop in (Drop.NO_TEXT, Drop.TOO_SHORT):
            drop, detail = Drop.SCRIPT_SHELL, ""
        text = page.text.encode()
        digest = hashlib.sha256(text).digest()
        light = msgspec.structs.replace(page, blocks=(), layout=())  # links carry what leads need of blocks
        gleaned = Gleaned(drop, detail, light, verdict, digest, page.words, len(text))
        if drop in (Drop.NO_TEXT, Drop.SCRIPT_SHELL) or (drop is not None and self._keep.refused == "nothing"):
            return gleaned
        return self._packed(task, page, signals, gleaned)

    def _packed(self, task: Task, page: Page, signals: tuple[Signal, ...], gleaned: Gleaned) -> Gleaned:
        """Adds what is stored of the page."""
        digests = (f"sha256:{gleaned.text_digest.hex()}", payload_digest(task.fetched.body))
        assert gleaned.verdict is not None
        record = _record(task, page, gleaned.verdict, signals, digests, self._origin)
        if gleaned.drop is Drop.OPTED_OUT:
            return msgspec.structs.replace(gleaned, tokens=0, record=pack(bare(record)))
        with_bytes = gleaned.drop is None or self._keep.refused == "bytes"
        warc = _warc(task.fetched, record, self._keep.gzip_level) if with_bytes else b""
        if gleaned.drop is None:
            record = msgspec.structs.replace(record, **measure(record.text)._asdict())
        return msgspec.structs.replace(gleaned, record=pack(record), warc=warc)


def _warc(fetched: Fetched, record: Record, level: int) -> bytes:
    return response_record(
        fetched.url,
        record.fetched,
        fetched.address,
        fetched.status,
        fetched.headers,
        fetched.body,
        record.body_digest,
        level,
    )


def _record(
    task: Task, page: Page, verdict: Verdict, signals: tuple[Signal, ...], digests: tuple[str, str], origin: Origin
) -> Record:
    fetched, said = task.fetched, page.metadata
    when = iso_time(fetched.started_s)
    return Record(
        id=hashlib.sha256(page.url.encode()).hexdigest()[:32],
        url=page.url,
        title=page.title,
        text=page.text,
        language=page.language,
        language_confidence=round(page.language_confidence, 4),
        tokens=page.words,
        score=verdict.score,
        opinions=verdict.opinions,
        depth=page.depth,
        parent_url=task.parent_url,
        fetched=when,
        status=fetched.status,
        content_type=fetched.header("content-type"),
        charset=page.charset,
        size_bytes=len(fetched.body),
        seconds=round(fetched.seconds, 4),
        address=fetched.address,
        last_modified=fetched.header("last-modified"),
        etag=fetched.header("etag"),
        canonical=page.canonical,
        signals=signals,
        text_digest=digests[0],
        body_digest=digests[1],
        warc_record=record_id(page.url, when),
        languages=page.languages,
        host=page.host,
        author=said.author,
        date=said.date,
        modified=said.modified,
        site=said.site,
        description=said.description,
        section=said.section,
        license=licence(signals),
        badness=measured_by("badness", verdict.opinions),
        perplexity=measured_by("perplexity", verdict.opinions),
        boilerplate=boilerplate(page.words, page.blocks),
        crawl=origin.crawl,
        recipe=origin.recipe,
        version=origin.version,
        blocks=page.layout,
    )
