"""Why a page is not in the corpus: the rules for new pages, for stored ones that are judged again, and for marked ones.

Rules, in this order: a page needs a text; it must not ask to be left out; its text needs some length; it must belong. The
operator's word takes the place of the judge's. Duplicates are found by whoever knows the corpus.
"""

from typing import NamedTuple

import msgspec

from opilio.core.items import Gleaned, Opinion, Record, Signal, Verdict
from opilio.core.outcome import Drop
from opilio.core.tables import Keep
from opilio.keep.quality import measured_by
from opilio.keep.record import pack, unpack
from opilio.keep.rights import opt_out

_OPERATOR = "operator"


class Refusal(NamedTuple):
    drop: Drop | None  # None: the page is not refused
    detail: str = ""


def refusal(
    text: str, verdict: Verdict, signals: tuple[Signal, ...], keep: Keep, marked: bool | None = None
) -> Refusal:
    """Returns why a page is not kept. `verdict` is already overruled if the operator has marked the page."""
    if not text:
        return Refusal(Drop.NO_TEXT)
    if not keep.opted_out and (said := opt_out(signals)):
        return Refusal(Drop.OPTED_OUT, said)
    if len(text) < keep.min_chars:
        return Refusal(Drop.TOO_SHORT, f"{len(text)} characters, {keep.min_chars} are needed")
    if marked is False:
        return Refusal(Drop.MARKED_NO, "by the operator")
    if not verdict.belongs:
        reasons = "; ".join(f"{opinion.judge}: {opinion.reason}" for opinion in verdict.opinions)
        return Refusal(Drop.NOT_RELEVANT, reasons)
    return Refusal(None)


def overrule(verdict: Verdict, belongs: bool) -> Verdict:
    """Replaces the judges' decision by the operator's."""
    score = float(belongs)
    word = Opinion(_OPERATOR, score, "marked as belonging" if belongs else "marked as not belonging")
    judges = (opinion for opinion in verdict.opinions if opinion.judge != _OPERATOR)
    return msgspec.structs.replace(verdict, score=score, belongs=belongs, opinions=(word, *judges))


def with_verdict(record: Record, verdict: Verdict) -> Record:
    """Returns the document with another verdict, and with what its judges have measured. If they did not measure a column, it
    stays as it is."""
    measures = {name: measured_by(name, verdict.opinions) for name in ("badness", "perplexity")}
    known = {name: value for name, value in measures.items() if value is not None}
    return msgspec.structs.replace(record, score=verdict.score, opinions=verdict.opinions, **known)


def bare(record: Record) -> Record:
    """Returns what is stored of a page that opts out: its address, its digests and what it says about its use."""
    return Record(
        id=record.id, url=record.url, title="", text="", language="", language_confidence=0.0, tokens=0, score=0.0,
        opinions=(), depth=record.depth, parent_url=record.parent_url, fetched=record.fetched, status=record.status,
        content_type="", charset="", size_bytes=0, seconds=0.0, address="", last_modified="", etag="", canonical="",
        signals=record.signals, text_digest=record.text_digest, body_digest=record.body_digest, warc_record="",
    )  # fmt: skip


def marked_meanwhile(gleaned: Gleaned, belongs: bool, keep: Keep) -> Gleaned:
    """Returns a page that the operator has marked while it was under way, if the judges' word decided about it."""
    if gleaned.verdict is None or not gleaned.record or gleaned.drop not in (None, Drop.NOT_RELEVANT):
        return gleaned
    record, verdict = unpack(gleaned.record), overrule(gleaned.verdict, belongs)
    drop, detail = refusal(record.text, verdict, record.signals, keep, belongs)
    packed = pack(with_verdict(record, verdict))
    return msgspec.structs.replace(gleaned, drop=drop, detail=detail, verdict=verdict, record=packed)
