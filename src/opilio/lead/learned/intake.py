"""Brings targets, as they come from the frontier, into the rows of a `LinkTable`: words become slots, addresses become languages
and slots, and the places where a link stood become numbers.

Rule: Python only gathers. What is done for each word or sighting is done by kernels, for all targets at once.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from opilio.core.items import Sighting, Target

from .addresses import Addresses
from .facts import PATHS
from .link_table import LinkTable, Rows
from .wordbook import Wordbook
from .yields import Yields, text_slot

_PATH_ROOM: Final = 16_384  # tag paths whose slots are remembered


class Intake:
    def __init__(self, words: Wordbook, addresses: Addresses, blocks: int, parents: Yields) -> None:
        """`blocks` is the number of slots for blocks; `parents` has what links take over from the pages that they stand on."""
        self._words, self._addresses = words, addresses
        self._blocks, self._parents = blocks, parents
        self._slots: dict[str, int] = {}  # tag path → slot

    def rows(self, targets: Sequence[Target], links: LinkTable) -> Rows:
        """Returns the rows of targets that have sightings. A known target gets its newest sighting, and a new one all of them."""
        links.reserve(len(targets))
        new: list[Target] = []
        numbers: list[int] = []
        seen: list[Sighting] = []
        for target in targets:
            number, sightings = target.id, target.sightings
            if number in links.rows:
                sightings = sightings[-1:]
            else:
                new.append(target)
            seen += sightings
            numbers += [number] * len(sightings)
        self._fill(new, numbers, seen, links)
        return np.array([links.rows[target.id] for target in targets], np.int64)

    def _fill(self, new: Sequence[Target], numbers: Sequence[int], seen: Sequence[Sighting], links: LinkTable) -> None:
        """`numbers` has the link of each sighting."""
        texts = [target.url.partition("://")[2] for target in new]
        stands: list[int] = []
        scores: list[float] = []
        places: list[int] = []
        place_ends: list[int] = []
        for sighting in seen:
            link = sighting.link
            texts += (link.anchor, link.before, link.after)
            stands += (sighting.parent, link.position)
            scores += (sighting.parent_score or 0.0, link.boilerplate)
            places += (link.block, self._path(link.path, link.rel))
            for place in link.also:
                places += (place.block, self._path(place.path, place.rel))
            place_ends.append(len(places) // 2)
        words, ends = self._words.read(texts)
        start = 0
        if new:
            start = int(ends[len(new) - 1])
            links.add_all([target.id for target in new], self._signs(new), words, ends)
        rows = [links.rows[number] for number in numbers]
        heard = words[start:], ends[len(new) :] - start
        links.see_all(rows, stands, scores, places, place_ends, *heard, self._blocks, self._parents.table)

    def _signs(self, new: Sequence[Target]) -> NDArray[np.int64]:
        """Returns the signs that `LinkTable.add_all` takes."""
        found = np.empty((len(new), 5), np.int64)
        named = [(target.url, target.host, target.sightings[0].link.hreflang) for target in new]
        found[:, :4] = self._addresses.signs(named)
        found[:, 4] = [target.depth for target in new]
        return found

    def _path(self, path: str, rel: str) -> int:
        if rel:
            path = f"{path} {rel}"
        slot = self._slots.get(path)
        if slot is None:
            if len(self._slots) >= _PATH_ROOM:
                self._slots.clear()
            slot = self._slots[path] = text_slot(path, PATHS)
        return slot
