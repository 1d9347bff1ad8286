"""Fits `glean/weights.py`: two logistic models over the look-ups of `glean/features.py` and `glean/neighbours.py`, by
Newton's method.

    OPILIO_DATA=… python -m bench.boilerplate_fit > src/opilio/glean/weights.py

Data: half of the articles and half of the comment pages, split by host or by number, so that no site is on both sides
(`is_training`). A block is content when half of its words lie in 4-word shingles of the hand-made text. Blocks weigh by
their words within their document, as the measure does; comment pages weigh less, because their hand-made text also
holds headline and date. Made pages of other forms (`page_forms`) weigh a fifth of an article. If a table is added, give the old
weights one of zeros first, because the program that is fitted has to load.

Articles of the other half, F1 (precision, recall): 0.954 (0.930, 0.980); `python3 dev.py bench text` has the peers.
"""

import gzip
import hashlib
import json
import os
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from opilio.core.limits import Limits
from opilio.core.sigmoid import sigmoids
from opilio.glean import features, hints, neighbours, tags
from opilio.glean.tree import Tree, parse
from opilio.glean.walk import walk

from .page_forms import TRAINING, made_pages

_RIDGE: Final = 5.0
COMMENT_PAGES_WEIGHT: Final = 0.3
_MADE_PAGES: Final = 40  # of each form
_MADE_PAGES_WEIGHT: Final = 0.2
_MOST_STEPS: Final = 12
_WORD: Final = re.compile(r"\w+")
_TABLES: Final = {
    "SIZE": 13, "LINKS": 16, "TAG": 4 * (features.OTHER_TAG + 1), "END": 8, "POSITION": 10, "PREVIOUS_SHAPE": 6, "NEXT_SHAPE": 6,
    "OWN_SHARE": 8, "SUBTREE": 8, "PARENT": 8, "MAIN": 3,
}  # fmt: skip
FLAG_BITS: Final = (
    tags.IN_NAV, tags.IN_FRAME, tags.IN_ASIDE, tags.IN_FORM, tags.IN_ARTICLE, tags.IN_LIST, tags.IN_TABLE, tags.IN_FIGURE,
    tags.IN_QUOTE, hints.CHROME, hints.SOCIAL, hints.RELATED, hints.COMMENT, hints.PROMO, hints.BYLINE, hints.CAPTION,
    hints.CONTENT, hints.BODY, hints.HIDDEN,
)  # fmt: skip
Floats = NDArray[np.float64]


def read_gold(name: str) -> Iterator[dict[str, Any]]:
    path = Path(os.environ["OPILIO_DATA"]) / "gold" / f"{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def is_training(row: dict[str, Any]) -> bool:
    key = urlsplit(row["url"]).hostname if "url" in row else str(row["id"])
    return bool(hashlib.sha256(str(key).encode()).digest()[-1] & 1)


def shingles(text: str, size: int = 4) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    if len(words) < size:
        return Counter([tuple(words)] if words else [])
    return Counter(zip(*(words[n:] for n in range(size)), strict=False))


def precision_recall(gold: str, found: str) -> tuple[float, float]:
    wanted, got = shingles(gold), shingles(found)
    shared = (wanted & got).total()
    return shared / got.total() if got else 0.0, shared / wanted.total() if wanted else 1.0


def f1(pairs: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Returns mean precision and mean recall over documents, and their harmonic mean."""
    precision = sum(pair[0] for pair in pairs) / len(pairs)
    recall = sum(pair[1] for pair in pairs) / len(pairs)
    return precision, recall, 2 * precision * recall / (precision + recall)


class Example(NamedTuple):
    """A page: the rows of its blocks in the tables of the first look, which of them are content, and what each weighs."""

    tree: Tree
    folded: features.Folded
    rows: list[list[int]]
    labels: list[bool]
    weights: list[float]


def main() -> None:
    examples = list(_all_examples())
    first = _fit_first(examples)
    halves = [_fit_first(examples[start::2]) for start in (0, 1)]
    # The second look is fitted on what the first says of pages that it has not seen, as it will be used.
    second_rows = [_second_rows(example, halves[1 - number % 2]) for number, example in enumerate(examples)]
    second = _fit(
        [row for rows in second_rows for row in rows],
        np.array([label for example in examples for label in example.labels], float),
        np.array([weight for example in examples for weight in example.weights]),
        sum(neighbours.SIZES.values()),
    )
    sys.stdout.write(_module(first, second))


def _all_examples() -> Iterator[Example]:
    for name, weigh in (("articles", 1.0), ("comments", COMMENT_PAGES_WEIGHT)):
        for row in read_gold(name):
            if is_training(row):
                yield from _examples(row["html"], row["text"], weigh)
    for made in made_pages(TRAINING, _MADE_PAGES, 1):
        yield from _examples(made.html, made.text, _MADE_PAGES_WEIGHT)


def _examples(html: str, text: str, weigh: float) -> Iterator[Example]:
    tree = walk(parse(html), Limits())
    folded = features.fold(tree)
    if not folded.texts:
        return
    places = features.places(tree.containers, folded.prose, tree.groups)
    shapes = [features.NO_NEIGHBOUR, *folded.shapes, features.NO_NEIGHBOUR]
    columns = []
    for n, (block, position) in enumerate(zip(tree.blocks, features.positions(folded.words), strict=True)):
        *rows, long = features.rows_of(folded.looks[n])
        codes = [*rows, position, shapes[n], shapes[n + 2], *places[block.container]]
        columns.append(_columns(codes, block.flags, long))
    yield Example(tree, folded, columns, content(folded.texts, text), block_weights(tree, folded, text, weigh))


def block_weights(tree: Tree, folded: features.Folded, gold: str, weigh: float) -> list[float]:
    """Returns what each block counts: its share of the gold text, if it were in it."""
    gold_words = max(150, len(_WORD.findall(gold)))
    return [
        0.0 if block.flags & tags.UNSEEN else weigh * min(0.3, max(words - 2, 0.5) / gold_words)
        for block, words in zip(tree.blocks, folded.words, strict=True)
    ]


def _fit_first(examples: Sequence[Example]) -> Floats:
    return _fit(
        [row for example in examples for row in example.rows],
        np.array([label for example in examples for label in example.labels], float),
        np.array([weight for example in examples for weight in example.weights]),
        sum(_TABLES.values()) + 4 * len(FLAG_BITS),
    )


def _second_rows(example: Example, first: Floats) -> list[list[int]]:
    tree, folded = example.tree, example.folded
    logits = (first[np.array(example.rows)].sum(axis=1) + first[-1]).tolist()
    logits = [-6.0 if block.flags & tags.UNSEEN else logit for block, logit in zip(tree.blocks, logits, strict=True)]
    chances = sigmoids(np.array(logits)).tolist()
    found = neighbours.surroundings(tree, folded, logits, chances)
    starts = np.cumsum([0, *neighbours.SIZES.values()]).tolist()
    rows = zip(found.own, found.sides, found.linked, found.named, found.page, tree.blocks, strict=True)
    return [
        [start + code for start, code in zip(starts, (*codes, *found.containers[block.container]), strict=False)]
        for *codes, block in rows
    ]


def _columns(codes: list[int], flags: int, long: int) -> list[int]:
    starts = np.cumsum([0, *_TABLES.values()]).tolist()
    columns = [start + code for start, code in zip(starts, codes, strict=False)]
    return columns + [starts[-1] + 4 * n + 2 * bool(flags & bit) + long for n, bit in enumerate(FLAG_BITS)]


def content(blocks: list[str], gold: str) -> list[bool]:
    wanted = shingles(gold)
    words = [(word, number) for number, block in enumerate(blocks) for word in _WORD.findall(block)]
    covered = [False] * len(words)
    for start in range(len(words) - 3):
        if tuple(word for word, _ in words[start : start + 4]) in wanted:
            covered[start : start + 4] = [True] * 4
    total, hit = Counter(number for _, number in words), Counter[int]()
    for (_, number), inside in zip(words, covered, strict=True):
        hit[number] += inside
    return [bool(total[number]) and hit[number] >= 0.5 * total[number] for number in range(len(blocks))]


def _fit(rows: list[list[int]], labels: Floats, weights: Floats, width: int) -> Floats:
    design = np.zeros((len(rows), width + 1), np.float32)
    design[np.arange(len(rows))[:, None], np.array(rows)] = 1.0
    design[:, width] = 1.0
    weights = weights / weights.mean()
    ridge = np.append(np.full(width, _RIDGE), 1e-3)
    solution = np.zeros(width + 1)
    for _ in range(_MOST_STEPS):
        guess = sigmoids(design @ solution)
        gradient = design.T @ (weights * (guess - labels)) + ridge * solution
        curvature = (design * (weights * guess * (1 - guess)).astype(np.float32)[:, None]).T @ design + np.diag(ridge)
        step = np.linalg.solve(curvature, gradient)
        solution -= step
        if np.abs(step).max() < 1e-2:
            break
    return solution


def _module(fitted: Floats, second: Floats) -> str:
    lines = [
        '"""Weights of the boilerplate classifier; positive speaks for content. Made by a program, not by hand:',
        "",
        "    OPILIO_DATA=… python -m bench.boilerplate_fit > src/opilio/glean/weights.py",
        "",
        "It reads half of gold/articles.jsonl.gz and of gold/comments.jsonl.gz, whose other halves are for measuring,",
        "and made pages.",
        'Run it again whenever a feature, a tag class or the words of a hint change.\n"""\n',
        "from typing import Final",
        "",
        "# fmt: off",
    ]
    start = 0
    for name, size in _TABLES.items():
        lines.append(_constant(name, _rounded(fitted[start : start + size])))
        start += size
    quads = [_rounded(fitted[start + 4 * n : start + 4 * n + 4]) for n in range(len(FLAG_BITS))]
    lines.append(_constant("FLAG_BITS", FLAG_BITS))
    lines.append(
        "# Per flag: absent in a short block, absent in a long one, present in a short one, present in a long one."
    )
    lines.append("FLAGS: Final = (\n" + "".join(f"    {quad},\n" for quad in quads) + ")")
    lines.append(f"BIAS: Final = {fitted[-1]:.3f}\n\n# The second look.")
    start = 0
    for name, size in neighbours.SIZES.items():
        lines.append(_constant(name, _rounded(second[start : start + size])))
        start += size
    lines.append(f"SECOND_BIAS: Final = {second[-1]:.3f}\n# fmt: on\n")
    return "\n".join(lines)


def _constant(name: str, values: tuple[float, ...]) -> str:
    return (
        f"{name}: Final = (\n"
        + textwrap.fill(f"{values}"[1:-1], 110, initial_indent="    ", subsequent_indent="    ")
        + ",\n)"
    )


def _rounded(values: Floats) -> tuple[float, ...]:
    return tuple(round(float(value), 3) for value in values)


if __name__ == "__main__":
    main()
