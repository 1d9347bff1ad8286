"""`bench lm`: training and querying language models of order 5, next to kenlm.

Both sides get the same lines, cleaned and with words between spaces, and kenlm loads the ARPA file that we export, so
both hold the same model. kenlm is queried line by line, which is what its Python module offers; we get all lines at
once and answer for each. Rounds alternate and the best of each side counts, on one thread. kenlm (`pip install kenlm`)
is optional: without it there are no ratios.
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from opilio.model import LanguageModel, to_lines, write_arpa

from .chart import Chart
from .child import measure_apart
from .form import Cell, Goal, Report
from .lm_child import import_kenlm, load_quietly
from .lm_text import pages_of_text, recorded_web

_MILLION: Final = 1_000_000
_QUERY_WORDS: Final = 200_000
_ROUNDS: Final = 7
_COLUMNS: Final = ("what", "unit", "Opilio", "kenlm")


class Texts(NamedTuple):
    """Files of lines: everything, the first million words, and what comes next, which no model of the million has seen."""

    everything: Path
    million: Path
    unseen: Path
    words: int  # of everything
    million_words: int
    seconds: float  # of CPU that `to_lines` took


class Speeds(NamedTuple):
    """Tokens a second, sentence ends included."""

    strings: float
    ids: float
    kenlm: float | None
    difference: float | None  # the largest of any token's log10


def run(pages: int = 0, progress: Callable[[int, int], None] = lambda _done, _all: None) -> Report:
    """`pages`: how many pages give their text; the default is all of them, which takes about three minutes."""
    with tempfile.TemporaryDirectory(prefix="opilio-lm-") as name:
        folder = Path(name)
        texts = _write_texts(folder, pages)
        _child("train", texts.unseen, folder / "warm.lm")  # compiles the kernels
        progress(1, 4)
        million = _child("train", texts.million, folder / "million.lm")
        progress(2, 4)
        model = LanguageModel.open(folder / "million.lm")
        kenlm = import_kenlm()
        if kenlm is not None:
            write_arpa(model, folder / "million.arpa")
        speeds = _ask(model, kenlm and load_quietly(kenlm, folder / "million.arpa"), texts.unseen)
        theirs = _child("kenlm", folder / "million.arpa") if kenlm is not None else None
        progress(3, 4)
        everything = _child("train", texts.everything, folder / "all.lm")
    return _report(texts, million, everything, speeds, theirs)


def _write_texts(folder: Path, pages: int) -> Texts:
    """Keeps every sixth page out of the million, so that even a small text has something unseen."""
    texts = Texts(folder / "all.txt", folder / "million.txt", folder / "unseen.txt", 0, 0, 0.0)
    words = {texts.million: 0, texts.unseen: 0}
    limits = {texts.million: _MILLION, texts.unseen: _QUERY_WORDS}
    total, seconds = 0, 0.0
    with texts.everything.open("w") as everything, texts.million.open("w") as million, texts.unseen.open("w") as unseen:
        files = {texts.million: million, texts.unseen: unseen}
        to_lines("compiled before anything is timed")
        for number, text in enumerate(pages_of_text(pages)):
            started_s = time.process_time()
            lines = to_lines(text, clean=True)
            seconds += time.process_time() - started_s
            part = texts.million if number % 6 else texts.unseen
            count = len(lines.split())
            total += count
            print(lines, file=everything)
            if words[part] < limits[part]:
                words[part] += count
                print(lines, file=files[part])
    return texts._replace(words=total, million_words=words[texts.million], seconds=seconds)


def _ask(model: LanguageModel, kenlm: Any, unseen: Path) -> Speeds:
    lines = [line for line in unseen.read_text("utf-8").split("\n") if line]
    ids = model.word_ids("\n".join(lines))
    contenders: dict[str, Callable[[], object]] = {
        "strings": lambda: model.score_many(lines),
        "ids": lambda: model.score_ids(ids),
    }
    if kenlm is not None:
        contenders["kenlm"] = lambda: [kenlm.score(line) for line in lines]
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(_ROUNDS):
        for name, contender in contenders.items():
            started_s = time.process_time()
            contender()
            best[name] = min(best[name], time.process_time() - started_s)
    speeds = {name: len(ids) / seconds for name, seconds in best.items()}
    difference = _difference(model, kenlm, lines) if kenlm is not None else None
    return Speeds(speeds["strings"], speeds["ids"], speeds.get("kenlm"), difference)


def _difference(model: LanguageModel, kenlm: Any, lines: Sequence[str]) -> float:
    ours, _ = model.token_log10("\n".join(lines))
    theirs = np.array([log10 for line in lines for log10, _, _ in kenlm.full_scores(line)])
    return float(np.abs(ours - theirs).max())


def _report(
    texts: Texts, million: dict[str, Any], everything: dict[str, Any], speeds: Speeds, theirs: dict[str, Any] | None
) -> Report:
    grams = million["ngrams"] / _MILLION
    kenlm_mb = theirs["memory_mb"] / grams if theirs else None
    rows: list[tuple[Cell, ...]] = [
        ("text to lines", "million words/s", texts.words / texts.seconds / _MILLION, None),
        (f"training, {texts.million_words:,} words", "CPU s", million["cpu_s"], None),
        ("scoring lines", "tokens/s", round(speeds.strings), speeds.kenlm and round(speeds.kenlm)),
        ("scoring word numbers", "tokens/s", round(speeds.ids), None),
        ("file, ours mapped into memory", "MB per million n-grams", million["file_bytes"] / _MILLION / grams, kenlm_mb),
        (f"training, {texts.words:,} words", "CPU s", everything["cpu_s"], None),
        ("its memory at most", "MB", round(everything["peak_mb"]), None),
    ]
    goals = [
        Goal("text to lines", texts.words / texts.seconds / _MILLION, 3, "million words/s"),
        Goal(f"training on {texts.million_words:,} words", million["cpu_s"], 4, "s of CPU", at_least=False),
        Goal(f"memory of training on {texts.words:,} words", everything["peak_mb"], 2_000, "MB", at_least=False),
    ]
    notes = [
        "Text: all that is visible in the schools web." if recorded_web() else "Text: made, for want of OPILIO_DATA."
    ]
    bars = [("Opilio, lines", speeds.strings / _MILLION), ("Opilio, word numbers", speeds.ids / _MILLION)]
    if speeds.kenlm is None or speeds.difference is None:
        notes.append("kenlm cannot be imported here, so nothing is compared with it: pip install kenlm.")
    else:
        goals += [
            Goal("scoring lines, next to kenlm", speeds.strings / speeds.kenlm, 1.2, "times its tokens/s"),
            Goal("scoring word numbers, next to kenlm", speeds.ids / speeds.kenlm, 1.5, "times its tokens/s"),
            Goal("largest difference to kenlm", speeds.difference * 1e6, 10, "millionths of log10", at_least=False),
        ]
        bars.append(("kenlm, lines", speeds.kenlm / _MILLION))
    chart = Chart(
        f"Scoring with a 5-gram model of {texts.million_words:,} words", "million tokens a second", tuple(bars)
    )
    return Report("lm", _COLUMNS, rows, goals, notes, chart)


def _child(*arguments: str | Path) -> dict[str, Any]:
    figures: dict[str, Any] = measure_apart("bench.lm_child", *arguments)
    return figures
