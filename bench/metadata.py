"""What pages say about themselves: our author, date and title beside those of trafilatura and htmldate, on a hundred pages.

The pages are every fourth of `gold/articles.jsonl.gz` and every thirteenth of `gold/comments.jsonl.gz`: 46 and 54. Where ours
and theirs differ or have differed, `metadata_truth.tsv` has what a person found on the page ("-": nothing; "||": either will
do), and the table says who is right there, also where they agree by now: a fault that is gone must not look like a loss.
Nobody looked at the others. The other pages of both files were for writing the rules.
"""

import gzip
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any, Final, NamedTuple

from opilio.core.errors import OpilioError
from opilio.core.items import Metadata, Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.glean import glean

from . import Goal, Report
from .form import Cell

_PARTS: Final = (("articles", 4, 46), ("comments", 13, 54))  # file, every how many, how many
_TRUTH: Final = Path(__file__).with_name("metadata_truth.tsv")
_FIELDS: Final = ("title", "author", "date", "site", "description", "section")
_THEIRS: Final = {"site": "sitename", "section": "categories"}
_NOTHING: Final = "-"
_NOWHERE: Final = "http://unknown.invalid/"
_CANONICAL: Final = re.compile(
    r"""<link[^>]{0,200}rel=["']canonical["'][^>]{0,200}href=["']([^"']{1,500})""", re.IGNORECASE
)
_NOT_LETTERS: Final = re.compile(r"[\W_]+")
_HEADERS: Final = (("Content-Type", "text/html; charset=utf-8"),)
Key = tuple[str, int]


class Sample(NamedTuple):
    key: Key
    html: str
    url: Url


class Answers(NamedTuple):
    """What one extractor says of each page, and the processor time that it took."""

    name: str
    said: dict[Key, dict[str, str]]
    seconds: float


def run() -> Report:
    samples = list(_samples())
    ours, theirs, dates = _ours(samples), _trafilatura(samples), _htmldate(samples)
    truth = read_truth()
    rows = [_row(field, ours, dates if field == "date" else theirs, truth) for field in _FIELDS]
    goals = [
        Goal(f"{row[0]}: right where somebody has looked, ours less theirs", _lead(row), 0.0, "pages")
        for row in rows
        if row[-1]
    ]
    costs = ", ".join(f"{one.name} {one.seconds / len(samples) * 1e3:.1f} ms" for one in (ours, theirs, dates))
    columns = (
        "field",
        "pages",
        "ours say",
        "they say",
        "agree",
        "differ",
        "ours right",
        "theirs right",
        "judged by hand",
    )
    return Report(
        "metadata", columns, rows, goals, [f"CPU per page, parsing included, ours with text and links: {costs}"]
    )


def read_truth() -> dict[tuple[Key, str], tuple[str, ...]]:
    """Returns what is right, by page and field."""
    lines = (line.split("\t") for line in _TRUTH.read_text("utf-8").splitlines())
    return {((part, int(number)), field): tuple(right.split(" || ")) for part, number, field, right in lines}


def _row(field: str, ours: Answers, theirs: Answers, truth: Mapping[tuple[Key, str], tuple[str, ...]]) -> list[Cell]:
    pairs = {key: (ours.said[key][field], theirs.said[key].get(field, "")) for key in ours.said}
    both = {key for key, (one, other) in pairs.items() if _same(one, other)}
    differing = [key for key in pairs if key not in both]
    judged = [key for key in pairs if (key, field) in truth]
    right = [sum(_is_right(pairs[key][side], truth[key, field]) for key in judged) for side in (0, 1)]
    said = [sum(bool(pair[side]) for pair in pairs.values()) for side in (0, 1)]
    return [field, len(pairs), *said, len(both), len(differing), *right, len(judged)]


def _lead(row: Sequence[Cell]) -> float:
    ours, theirs = row[6:8]
    assert isinstance(ours, int)
    assert isinstance(theirs, int)
    return float(ours - theirs)


def _is_right(said: str, right: tuple[str, ...]) -> bool:
    return any(not said if one == _NOTHING else _same(said, one) for one in right)


def _same(one: str, other: str) -> bool:
    """Compares letters and digits; of a list, in any order."""
    return _parts(one) == _parts(other)


def _parts(text: str) -> set[str]:
    return {_NOT_LETTERS.sub("", part.casefold()) for part in text.split(";")} - {""}


def _samples() -> Iterator[Sample]:
    folder = Path(os.environ.get("OPILIO_DATA") or "nowhere") / "gold"
    if not folder.exists():
        raise OpilioError(
            "the benchmark needs gold/articles.jsonl.gz and gold/comments.jsonl.gz in the folder OPILIO_DATA."
        )
    for name, step, most in _PARTS:
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = [(number, json.loads(line)) for number, line in enumerate(lines) if number % step == 0]
        for number, row in rows[:most]:
            yield Sample((name, number), row["html"], _url(row))


def _url(row: Mapping[str, Any]) -> Url:
    """Returns the page's address; comments.jsonl.gz has none, but most of its pages name one."""
    canonical = _CANONICAL.search(row["html"])
    found = parse(row.get("url") or (canonical[1] if canonical else _NOWHERE))
    known = parse(_NOWHERE) if isinstance(found, Drop) else found
    assert isinstance(known, Url)
    return known


def _ours(samples: list[Sample]) -> Answers:
    def describe(sample: Sample) -> dict[str, str]:
        page = glean(sample.url, 0, _HEADERS, sample.html.encode("utf-8", "replace"), Limits())
        found = page.metadata if isinstance(page, Page) else Metadata()
        return {field: getattr(found, field) for field in _FIELDS}

    return _timed("ours", samples, describe)


def _trafilatura(samples: list[Sample]) -> Answers:
    from trafilatura.metadata import extract_metadata

    def describe(sample: Sample) -> dict[str, str]:
        found = extract_metadata(sample.html, default_url=sample.url.href)
        said = {field: getattr(found, _THEIRS.get(field, field)) for field in _FIELDS}
        return {
            field: ("; ".join(value[:1]) if isinstance(value, list) else value or "") for field, value in said.items()
        }

    return _timed("trafilatura's metadata", samples, describe)


def _htmldate(samples: list[Sample]) -> Answers:
    from htmldate import find_date

    return _timed(
        "htmldate",
        samples,
        lambda sample: {"date": find_date(sample.html, url=sample.url.href, original_date=True) or ""},
    )


def _timed(name: str, samples: list[Sample], describe: Callable[[Sample], dict[str, str]]) -> Answers:
    began_s = process_time()
    return Answers(name, {sample.key: describe(sample) for sample in samples}, process_time() - began_s)
