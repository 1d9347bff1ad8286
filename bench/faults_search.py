"""Looks for markup that costs more than any case of the grammar: a genetic search with hill climbing.

An individual is a `Shape` and a size. A child is a parent, or two crossed, with one to three changes: a piece is added,
doubled, replaced, moved or removed, in the beginning or in the unit; a piece of the beginning is repeated more or less often;
two pieces grow together; or the size changes. Half of the population is ranked by cost per page and half by cost per byte,
where cost is the share of the bound on time or memory, whichever is nearer. The worse half dies after each generation.
"""

import time
from random import Random
from typing import Final, NamedTuple

from .faults_cost import Cost, measure
from .faults_grammar import PIECES, Shape, cases

_SIZES: Final = (20_000, 60_000, 200_000, 600_000, 2_000_000)
_TIMES: Final = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000)
_POPULATION: Final = 24
_MOST_PIECES: Final = 8


class Found(NamedTuple):
    shape: Shape
    size_bytes: int
    cost: Cost

    @property
    def per_byte(self) -> float:
        return self.cost.share / self.size_bytes


def search(seconds: float, seed: int) -> tuple[list[Found], int]:
    """Returns the worst that was found, by page and by byte, and how many pages were tried."""
    random, until_s = Random(seed), time.monotonic() + seconds
    shapes = [shape for group in cases().values() for shape in group]
    population = [_tried(random.choice(shapes), random.choice(_SIZES)) for _ in range(_POPULATION)]
    tried = len(population)
    while time.monotonic() < until_s:
        born = [_tried(*_child(random, population)) for _ in range(_POPULATION)]
        tried += len(born)
        population = _fittest([*population, *born])
    return [max(population, key=lambda one: one.cost.share), max(population, key=lambda one: one.per_byte)], tried


def _tried(shape: Shape, size_bytes: int) -> Found:
    return Found(shape, size_bytes, measure(shape.html(size_bytes)))


def _fittest(all_: list[Found]) -> list[Found]:
    distinct = list({(one.shape, one.size_bytes): one for one in all_}.values())
    by_page = sorted(distinct, key=lambda one: -one.cost.share)[: _POPULATION // 2]
    by_byte = sorted(set(distinct) - set(by_page), key=lambda one: -one.per_byte)
    return [*by_page, *by_byte[: _POPULATION - len(by_page)]]


def _child(random: Random, population: list[Found]) -> tuple[Shape, int]:
    one, other = random.choice(population), random.choice(population)
    shape = Shape(one.shape.start, other.shape.unit) if random.random() < 0.3 else one.shape
    for _ in range(random.randint(1, 3)):
        shape = _changed(random, shape)
    return shape, one.size_bytes if random.random() < 0.8 else random.choice(_SIZES)


def _changed(random: Random, shape: Shape) -> Shape:
    start, unit = list(shape.start), list(shape.unit)
    if random.random() < 0.5:
        pieces = _edited(random, unit)
        return Shape(shape.start, tuple(pieces))
    if start and random.random() < 0.5:
        place = random.randrange(len(start))
        start[place] = start[place][0], random.choice(_TIMES)
        return Shape(tuple(start), shape.unit)
    names = _edited(random, [piece for piece, _ in start])
    times = dict(start)
    return Shape(tuple((piece, times.get(piece, random.choice(_TIMES))) for piece in names), shape.unit)


def _edited(random: Random, pieces: list[str]) -> list[str]:
    place = random.randrange(len(pieces) + 1)
    match random.choice(("add", "double", "replace", "remove", "swap", "join")):
        case "add":
            pieces.insert(place, random.choice(PIECES))
        case "double" if pieces:
            pieces.insert(place, random.choice(pieces))
        case "replace" if place < len(pieces):
            pieces[place] = random.choice(PIECES)
        case "remove" if place < len(pieces):
            del pieces[place]
        case "swap":
            random.shuffle(pieces)
        case "join":
            pieces.insert(
                place,
                random.choice(PIECES).rstrip(">") + random.choice((" ", ' x="', "='", "/")) + random.choice(PIECES),
            )
    return pieces[:_MOST_PIECES] or [random.choice(PIECES)]
