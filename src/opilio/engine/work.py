"""The part of the flow that takes processor time and keeps no state: decode, glean, judge, pack. It runs in any process."""

import hashlib
from time import process_time
from typing import Final, Protocol

import msgspec

from opilio.core.clock import iso_time
from opilio.core.config import Config
from opilio.core.items import Fetched, Gleaned, Headers, Item, Page, Record, Signal, Verdict
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import Url, split
from opilio.fetch.decode import decode
from opilio.glean import glean
from opilio.judge import Judging
from opilio.keep.record import pack, unpack
from opilio.keep.warc import payload_digest, record_id, response_record

from .listing import Kind, read_listing
from .refusal import bare, overrule, refusal, with_verdict
from .stored_page import stored_page

HEAVY_S: Final = 0.25  # processor time of a page that is worth telling; an ordinary one takes a hundredth of it


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


class Gleaner(Protocol):
    """`glean`, or a function that gives the same page faster, because it has seen the bytes before."""

    def __call__(
        self, url: Url, depth: int, headers: Headers, body: bytes, limits: Limits, *, context: bool
    ) -> Page | Drop: ...


class Workshop:
    """Turns responses into judged pages. `context` says whether links carry the words around them and their tag paths, which
    only sightings need."""

    def __init__(self, config: Config, judge: Judging, *, context: bool = True, gleaner: Gleaner = glean) -> None:
        self._limits = config.limits
        self._keep = config.keep
        self._most_listed = max(config.scope.sitemaps, config.scope.feeds)
        self._judge = judge
        self._context = context
        self.gleaner = gleaner

    def supervise(self, task: Task | Appeal) -> Gleaned:
        """Does the task, and turns any exception of a page or a plug-in into a drop, so that the crawl goes on. This is
        the only place that catches everything."""
        began_s = process_time()
        try:
            gleaned = self.do(task) if isinstance(task, Task) else self.hear(task)
        except Exception as error:  # noqa: BLE001
            gleaned = Gleaned(Drop.GLEAN_FAILED, f"{type(error).__name__}: {error}"[:500])
        spent_s = process_time() - began_s
        return gleaned if spent_s < HEAVY_S else msgspec.structs.replace(gleaned, cpu_s=spent_s)

    def do(self, task: Task) -> Gleaned:
        fetched = task.fetched
        url = split(fetched.url)
        body = decode(fetched.body, fetched.header("content-encoding"), self._limits.decoded_bytes)
        if isinstance(body, Drop) or isinstance(url, Drop):
            return Gleaned(body if isinstance(body, Drop) else Drop.MALFORMED_URL)
        if task.listing is not None:
            listed = read_listing(task.listing, url, task.depth, body, self._most_listed)
            return Gleaned(listed) if isinstance(listed, Drop) else Gleaned(Drop.LISTING, page=listed)
        page = self.gleaner(url, task.depth, fetched.headers, body, self._limits, context=self._context)
        if isinstance(page, Drop):
            return Gleaned(page)
        return self._judged(task, page)

    def hear(self, appeal: Appeal) -> Gleaned:
        """Judges a stored page again. Its document stays as it is, except for the verdict."""
        record = unpack(appeal.record)
        page = stored_page(record, appeal.warc, self._limits)
        verdict = self._verdict(page, appeal.marked)
        drop, detail = refusal(record.text, verdict, record.signals, self._keep, appeal.marked)
        new = bare(record) if drop is Drop.OPTED_OUT else with_verdict(record, verdict)
        text_bytes = len(record.text.encode())
        return Gleaned(drop, detail, None, verdict, b"", record.tokens, text_bytes, pack(new))

    def _verdict(self, page: Page, marked: bool | None) -> Verdict:
        verdict = self._judge.judge(page)
        if not 0.0 <= verdict.score <= 1.0:  # false for NaN too
            raise ValueError(f"a judge gave the score {verdict.score}; scores lie between 0 and 1")
        return verdict if marked is None else overrule(verdict, marked)

    def _judged(self, task: Task, page: Page) -> Gleaned:
        verdict = self._verdict(page, task.marked)
        signals = (*task.signals, *page.signals)
        drop, detail = refusal(page.text, verdict, signals, self._keep, task.marked)
        text = page.text.encode()
        digest = hashlib.sha256(text).digest()
        light = msgspec.structs.replace(page, blocks=())  # leads do not see blocks: links carry what leads need of them
        gleaned = Gleaned(drop, detail, light, verdict, digest, page.words, len(text))
        if drop is Drop.NO_TEXT or (drop is not None and self._keep.refused == "nothing"):
            return gleaned
        return self._packed(task, page, signals, gleaned)

    def _packed(self, task: Task, page: Page, signals: tuple[Signal, ...], gleaned: Gleaned) -> Gleaned:
        """Adds what is stored of the page."""
        digests = (f"sha256:{gleaned.text_digest.hex()}", payload_digest(task.fetched.body))
        assert gleaned.verdict is not None
        record = _record(task, page, gleaned.verdict, signals, digests)
        if gleaned.drop is Drop.OPTED_OUT:
            return msgspec.structs.replace(gleaned, tokens=0, record=pack(bare(record)))
        with_bytes = gleaned.drop is None or self._keep.refused == "bytes"
        warc = _warc(task.fetched, record, self._keep.gzip_level) if with_bytes else b""
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


def _record(task: Task, page: Page, verdict: Verdict, signals: tuple[Signal, ...], digests: tuple[str, str]) -> Record:
    fetched = task.fetched
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
    )
