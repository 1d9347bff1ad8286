"""The part of the flow that costs CPU and needs no memory: decode, glean, judge, pack. Runs in any process."""

import hashlib
from typing import Final

import msgspec

from opilio.core.clock import iso_time
from opilio.core.config import Config
from opilio.core.items import Fetched, Gleaned, Item, Page, Record, Signal, Verdict
from opilio.core.outcome import Drop
from opilio.core.url import split
from opilio.fetch import decode
from opilio.glean import glean
from opilio.judge import Judge
from opilio.keep import opt_out, pack, record_id, response_record

TASKS: Final = msgspec.msgpack.Encoder()


class Task(Item, frozen=True):
    """A response to be turned into a page."""

    fetched: Fetched
    depth: int
    parent_url: str
    signals: tuple[Signal, ...] = ()  # what the host's robots.txt says about use


class Workshop:
    def __init__(self, config: Config, judge: Judge) -> None:
        self._limits = config.limits
        self._keep = config.keep
        self._judge = judge

    def do(self, task: Task) -> Gleaned:
        fetched = task.fetched
        body = decode(fetched.body, fetched.header("content-encoding"), self._limits.decoded_bytes)
        if isinstance(body, Drop):
            return Gleaned(body)
        url = split(fetched.url)
        page = url if isinstance(url, Drop) else glean(url, task.depth, fetched.headers, body, self._limits)
        if isinstance(page, Drop):
            return Gleaned(page)
        signals = (*task.signals, *page.signals)
        verdict = self._judge.judge(page)
        drop, detail = self._refuse(page, verdict, signals)
        body_digest = hashlib.sha256(body).digest()
        text_digest = hashlib.sha256(page.text.encode()).digest()
        light = msgspec.structs.replace(page, blocks=())  # leads do not see blocks; links carry what they need of them
        if drop is not None:
            return Gleaned(drop, detail, light, verdict, text_digest, body_digest)
        record = _record(task, page, verdict, signals, text_digest, body_digest, len(body))
        warc = response_record(
            fetched.url,
            record.fetched,
            fetched.address,
            fetched.status,
            fetched.headers,
            fetched.body,
            self._keep.gzip_level,
        )
        return Gleaned(None, "", light, verdict, text_digest, body_digest, record.tokens, pack(record), warc)

    def _refuse(self, page: Page, verdict: Verdict, signals: tuple[Signal, ...]) -> tuple[Drop | None, str]:
        """Why the page is not a document, if so. Duplicates are found by the owner, who knows the corpus."""
        if not page.text:
            return Drop.NO_TEXT, ""
        if len(page.text) < self._keep.min_chars:
            return Drop.TOO_SHORT, f"{len(page.text)} characters, {self._keep.min_chars} are needed"
        refusal = opt_out(signals)
        if refusal and not self._keep.opted_out:
            return Drop.OPTED_OUT, refusal
        if not verdict.belongs:
            return Drop.NOT_RELEVANT, "; ".join(f"{opinion.judge}: {opinion.reason}" for opinion in verdict.opinions)
        return None, ""


def _record(
    task: Task,
    page: Page,
    verdict: Verdict,
    signals: tuple[Signal, ...],
    text_digest: bytes,
    body_digest: bytes,
    size_bytes: int,
) -> Record:
    fetched = task.fetched
    when = iso_time(fetched.started_s)
    return Record(
        id=hashlib.sha256(page.url.encode()).hexdigest()[:32],
        url=page.url,
        title=page.title,
        text=page.text,
        language=page.language,
        language_confidence=round(page.language_confidence, 4),
        tokens=len(page.text.split()),
        score=verdict.score,
        opinions=verdict.opinions,
        depth=page.depth,
        parent_url=task.parent_url,
        fetched=when,
        status=fetched.status,
        content_type=fetched.header("content-type"),
        charset=page.charset,
        size_bytes=size_bytes,
        seconds=round(fetched.seconds, 4),
        address=fetched.address,
        last_modified=fetched.header("last-modified"),
        etag=fetched.header("etag"),
        canonical=page.canonical,
        signals=signals,
        text_digest=f"sha256:{text_digest.hex()}",
        body_digest=f"sha256:{body_digest.hex()}",
        warc_record=record_id(page.url, when),
    )
