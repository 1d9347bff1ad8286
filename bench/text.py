"""Main text, ours and that of peers: on articles and comment pages that people marked, and on small cases of markup.

Gold: word 4-gram F as in `boilerplate_fit`; `unseen` is the half that nothing was fitted on. A paragraph of the gold text is
lost if the text has less than half of its 4-grams (one of less than four words, if the text does not have it). A page is
lost if less than half of its gold text is found. Cases: how many texts are right (`markup_cases`); peers keep tables there.
CPU is that of the text alone, and ours finds links and language as well.
"""

from collections.abc import Mapping, Sequence
from time import process_time
from typing import Any, Final, NamedTuple

from . import Progress
from .boilerplate_fit import f1, is_training, precision_recall, read_gold, shingles
from .extractors import EXTRACTORS, KEPT, OURS, TRAFILATURA_FAST, Extractor, trafilatura_text
from .form import Cell, Goal, Report
from .markup_cases import Case, read_cases

_COLUMNS: Final = (
    "extractor", "articles F", "unseen F", "P", "R", "lost paragraphs", "lost pages", "comment pages F", "unseen F ",
    "lost paragraphs ", "lost pages ", "cases right", "other cases right", "CPU ms/page",
)  # fmt: skip
_FAST_GOAL: Final = 0.945
_KEPT_GOAL: Final = 0.955
_CASES_GOAL: Final = 57


class Measured(NamedTuple):
    """What an extractor made of a set of gold pages."""

    all_f: float
    unseen: tuple[float, float, float]  # precision, recall, F
    lost_paragraphs: float  # share
    lost_pages: list[str]
    cpu_ms: float


def run(progress: Progress | None = None) -> Report:
    articles, comments = list(read_gold("articles")), list(read_gold("comments"))
    cases, others = read_cases(), read_cases("others")
    rows: list[Sequence[Cell]] = []
    notes: list[str] = []
    measured: dict[str, Measured] = {}
    right: dict[str, int] = {}
    for number, extractor in enumerate(EXTRACTORS):
        article, comment = measure(extractor, articles), measure(extractor, comments)
        wrong = [case.name for case in cases if not is_right(extractor, case)]
        wrong_others = [case.name for case in others if not is_right(extractor, case)]
        measured[extractor.name], right[extractor.name] = article, len(cases) - len(wrong)
        precision, recall, unseen_f = article.unseen
        rows.append(
            (
                extractor.name, *map(_three, (article.all_f, unseen_f, precision, recall, article.lost_paragraphs)),
                len(article.lost_pages), *map(_three, (comment.all_f, comment.unseen[2], comment.lost_paragraphs)),
                len(comment.lost_pages), len(cases) - len(wrong), len(others) - len(wrong_others), article.cpu_ms,
            )
        )  # fmt: skip
        notes.append(f"{extractor.name}: wrong cases {', '.join(wrong + wrong_others) or 'none'}.")
        notes.append(f"{extractor.name}: lost pages {', '.join(article.lost_pages + comment.lost_pages) or 'none'}.")
        if progress is not None:
            progress(number + 1, len(EXTRACTORS))
    return Report("text", _COLUMNS, rows, _goals(measured, right[OURS.name], len(cases)), notes)


def _goals(measured: Mapping[str, Measured], right: int, cases: int) -> list[Goal]:
    fast, kept, peer = (measured[each.name] for each in (OURS, KEPT, TRAFILATURA_FAST))
    return [
        Goal("fast text, unseen articles, in thousandths", 1_000 * fast.unseen[2], 1_000 * _FAST_GOAL, "F"),
        Goal("fast text, all articles", 1_000 * fast.all_f, 1_000 * _FAST_GOAL, "F"),
        Goal("kept pages, unseen articles", 1_000 * kept.unseen[2], 1_000 * max(_KEPT_GOAL, peer.unseen[2]), "F"),
        Goal("kept pages, all articles", 1_000 * kept.all_f, 1_000 * max(_KEPT_GOAL, peer.all_f), "F"),
        Goal(f"of {cases} cases of markup", right, _CASES_GOAL, "right"),
    ]


def measure(extractor: Extractor, rows: Sequence[dict[str, Any]]) -> Measured:
    pairs, unseen, lost_pages = [], [], []
    paragraphs = lost = 0
    began_s = process_time()
    texts = [extractor.text(row["html"]) for row in rows]
    cpu_ms = 1_000 * (process_time() - began_s) / len(rows)
    for row, text in zip(rows, texts, strict=True):
        pair = precision_recall(row["text"], text)
        pairs.append(pair)
        if not is_training(row):
            unseen.append(pair)
        if pair[1] < 0.5:
            lost_pages.append(str(row["id"])[:8])
        found = _lost(row["text"], text)
        paragraphs, lost = paragraphs + found[1], lost + found[0]
    return Measured(f1(pairs)[2], f1(unseen), lost / paragraphs, lost_pages, cpu_ms)


def is_right(extractor: Extractor, case: Case) -> bool:
    if case.how == "title":
        return case.is_right(extractor.title(case.page))
    if case.how == "marks":
        return case.is_right(extractor.marked(case.page))
    with_tables = "trafilatura" in extractor.name
    return case.is_right(
        trafilatura_text(case.page, fast="fast" in extractor.name, tables=True)
        if with_tables
        else extractor.text(case.page)
    )


def _lost(gold: str, text: str) -> tuple[int, int]:
    """Returns how many paragraphs of the gold text are lost, and how many it has."""
    found, folded = shingles(text), " ".join(text.split())
    paragraphs = [line for line in gold.splitlines() if line.strip()]
    return sum(not _is_found(line, found, folded) for line in paragraphs), len(paragraphs)


def _is_found(line: str, found: dict[tuple[str, ...], int], folded: str) -> bool:
    wanted = shingles(line)
    if wanted and len(next(iter(wanted))) < 4:
        return " ".join(line.split()) in folded
    return sum(shingle in found for shingle in wanted) >= 0.5 * len(wanted)


def _three(value: float) -> str:
    return f"{value:.3f}"
