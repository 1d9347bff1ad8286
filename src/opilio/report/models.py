"""Language models for people: rows that become a table or JSON."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from opilio.model import LanguageModel, Score

from .tables import printable

Row = dict[str, Any]


def score_row(file: Path, score: Score, **more: str) -> Row:
    return {
        "file": str(file),
        **more,
        "words": score.words,
        "oov": score.oov,
        "sentences": score.sentences,
        "log10": score.log10,
        "perplexity": score.perplexity,
        "perplexity_without_oov": score.perplexity_without_oov,
    }


def mixture_row(file: Path, weight: float, perplexity: float, comparable: float) -> Row:
    return {"model": str(file), "weight": weight, "perplexity": perplexity, "comparable_perplexity": comparable}


def add_scores(scores: Sequence[Score]) -> Score:
    return Score(
        math.fsum(each.log10 for each in scores),
        sum(each.words for each in scores),
        sum(each.oov for each in scores),
        sum(each.sentences for each in scores),
        math.fsum(each.oov_log10 for each in scores),
    )


def model_facts(file: Path, model: LanguageModel) -> Row:
    return {
        "file": str(file),
        "smoothing": model.smoothing,
        "order": model.order,
        "ngrams": model.counts,
        "vocabulary": len(model.vocabulary),
        "unknown_probability": 10**model.unknown_log10,
        "size_bytes": file.stat().st_size,
        "checksum": "none: an ARPA file has no checksum" if model.smoothing == "arpa" else "verified",
    }


def table_of(rows: Sequence[Row]) -> Table:
    table = Table(box=None)
    for name, value in rows[0].items() if rows else ():
        table.add_column(name.replace("_", " "), justify="left" if isinstance(value, str) else "right")
    for row in rows:
        table.add_row(*(Text(printable(show_value(value))) for value in row.values()))
    return table


def show_value(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(show_value, value))
    if isinstance(value, float):
        return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
