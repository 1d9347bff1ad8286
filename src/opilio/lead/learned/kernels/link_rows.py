"""The rows of links that `links` measures: a row is made when its link is met, and every sighting adds to it."""

import numpy as np

from opilio.model.compiling import njit

from .yields import slot_of

_LAST_POSITION = 9.0  # logarithm of a position that no link has
_MOST_DEPTH = 32_767
_MOST_DISTANCE = 10.0  # links
TITLE, _USED, SHARE, DISTANCE = range(4)  # what a page's links take over from it


@njit(cache=True)
def _take(words, start, end, held, size):
    """Appends the words that are not held yet, while there is room, and returns how many are held then."""
    for at in range(start, end):
        if size >= len(held):
            break
        times = 0
        for k in range(size):  # never left early, so that many are compared at once
            times += held[k] == words[at]
        if times == 0:
            held[size] = words[at]
            size += 1
    return size


@njit(cache=True)
def _hold(slot, held, size):
    """Appends the slot, if it is not held yet and there is room, and returns how many are held then."""
    for k in range(size):
        if held[k] == slot:
            return size
    if size < len(held):
        held[size] = slot
        size += 1
    return size


@njit(cache=True)
def place(rows, signs, words, ends, table):
    """Makes rows without sightings. `signs` has the slots of folder and host, the language that the address names, that of its
    domain, and the depth. `words` are those of the addresses."""
    start = 0
    for at in range(len(rows)):
        row = table[rows[at]]
        row.parents, row.total, row.best, row.title, row.cash = 0.0, 0.0, 0.0, 0.0, 0.0
        row.boilerplate, row.position, row.distance = 1.0, _LAST_POSITION, _MOST_DISTANCE
        row.sights, row.stands, row.ways, row.anchor, row.context = 0, 0, 0, 0, 0
        row.folder, row.host = signs[at, 0], signs[at, 1]
        row.hint, row.domain, row.depth = signs[at, 2], signs[at, 3], min(signs[at, 4], _MOST_DEPTH)
        row.address = _take(words, start, ends[at], row.address_words, 0)
        start = ends[at]


@njit(cache=True)
def see(rows, stands, scores, places, place_ends, words, ends, table, blocks, parents):
    """Adds sightings to their rows, except on pages that are there already. For each, `stands` has parent and position,
    `scores` has the parent's score and boilerplate, `places` has block and path of each place, and `words` has those of the
    anchor, before it and after it. `blocks` is the number of slots for blocks; `parents` has title, share and distance of
    pages. A page counts once, in however many places it has the link. Blocks are those of all pages, and paths those of the
    first: the weights of many paths would add up to more than they know."""
    start = first = 0
    for at in range(len(rows)):
        row = table[rows[at]]
        anchor_end, end = ends[3 * at], ends[3 * at + 2]
        parent = stands[2 * at]
        page = slot_of(parent, 0, len(parents))
        known = False
        for k in range(row.sights):
            known = known or row.pages[k] == page
        if not known:
            row.parents += 1.0
            row.total += scores[2 * at]
            row.best = max(row.best, scores[2 * at])
            if parents[page, _USED] > 0.0:
                row.title = max(row.title, parents[page, TITLE])
                row.cash += parents[page, SHARE]
                row.distance = min(row.distance, parents[page, DISTANCE] + 1.0)
            row.boilerplate = min(row.boilerplate, scores[2 * at + 1])
            row.position = min(row.position, np.log1p(float(stands[2 * at + 1])))
            if row.sights < len(row.pages):
                row.pages[row.sights] = page
                row.sights += 1
            for k in range(first, place_ends[at]):
                row.stands = _hold(slot_of(parent, places[2 * k], blocks), row.groups, row.stands)
                if row.sights == 1:
                    row.ways = _hold(places[2 * k + 1], row.paths, row.ways)
            row.anchor = _take(words, start, anchor_end, row.anchor_words, row.anchor)
            row.context = _take(words, anchor_end, end, row.context_words, row.context)
        start, first = end, place_ends[at]


@njit(cache=True)
def tokens(row, table):
    """Returns the slots of the words of the anchor, around it and in the address, and the slots of the paths."""
    held = table[row]
    return (
        held.anchor_words[: held.anchor].copy(),
        held.context_words[: held.context].copy(),
        held.address_words[: held.address].copy(),
        held.paths[: held.ways].astype(np.int32),
    )
