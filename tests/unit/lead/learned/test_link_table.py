"""The open links that the learned lead follows, a row for each."""

from collections.abc import Sequence

import numpy as np
import pytest

from opilio.lead.learned.kernels.yields import slot_of
from opilio.lead.learned.link_table import LinkTable

SIGNS = (2, 3, 4, 5, 6)
MOST = 2_048
SIZES = (1 << 20, 1 << 18)
PARENTS = np.zeros((SIZES[1], 4), np.float32)


def _add(table: LinkTable, link: int, address: Sequence[int] = (11, 12)) -> int:
    table.add_all([link], np.array([SIGNS]), np.array(address, np.int32), np.array([len(address)]))
    return table.rows[link]


def _see(
    table: LinkTable,
    row: int,
    page: int = 1,
    anchor: Sequence[int] = (21,),
    context: Sequence[int] = (31,),
    *,
    places: Sequence[tuple[int, int]] = ((0, 1),),
) -> None:
    """`places` are blocks and paths."""
    words = np.array([*anchor, *context], np.int32)
    ends = np.cumsum([len(anchor), len(context), 0])
    flat = [number for place in places for number in place]
    table.see_all([row], [page, 3], [0.5, 0.3], flat, [len(places)], words, ends, SIZES[0], PARENTS)


def _sights(table: LinkTable, row: int) -> int:
    return int(table.table[row]["sights"])


def _tokens(table: LinkTable, row: int) -> list[list[int]]:
    return [each.tolist() for each in table.tokens(row)]


def _fill(table: LinkTable, links: int) -> None:
    """Links from 1, the higher the better."""
    for link in range(1, links + 1):
        row = _add(table, link)
        table.scores[row] = float(link)


def test_a_link_has_the_words_of_its_address_from_the_beginning() -> None:
    table = LinkTable(MOST)
    row = _add(table, 7)
    assert table.rows == {7: row}
    assert _tokens(table, row) == [[], [], [11, 12], []]


def test_sightings_add_their_words_each_once_in_their_order() -> None:
    table = LinkTable(MOST)
    row = _add(table, 7)
    _see(table, row, 1, (21, 22), (31,))
    _see(table, row, 2, (22, 23), (31, 32))
    assert _tokens(table, row) == [[21, 22, 23], [31, 32], [11, 12], [1]]
    assert _sights(table, row) == 2


def test_a_sighting_counts_once() -> None:
    table = LinkTable(MOST)
    row = _add(table, 7)
    for page in (1, 2, 1):
        _see(table, row, page)
    held = table.table[row]
    assert (held["parents"], held["total"], held["best"]) == (2.0, 1.0, 0.5)


def test_slots_of_blocks_and_pages_are_those_of_the_yields() -> None:
    """Learning from a page and seeing a link must speak of the same block."""
    table = LinkTable(MOST)
    row = _add(table, 7)
    for page, block in ((1, -1), (2_000_000_000, 77)):
        _see(table, row, page, places=[(block, 1)])
    held = table.table[row]
    assert held["groups"][:2].tolist() == [slot_of(1, -1, SIZES[0]), slot_of(2_000_000_000, 77, SIZES[0])]
    assert held["pages"][:2].tolist() == [slot_of(1, 0, SIZES[1]), slot_of(2_000_000_000, 0, SIZES[1])]


def test_a_page_counts_once_in_however_many_places_it_has_the_link() -> None:
    table = LinkTable(MOST)
    row = _add(table, 7)
    _see(table, row, 1, places=[(4, 1), (9, 2)])
    _see(table, row, 2, places=[(4, 3)])
    held = table.table[row]
    assert (held["parents"], held["total"], held["sights"], held["stands"], held["ways"]) == (2.0, 1.0, 2, 3, 2)
    assert held["groups"][:3].tolist() == [slot_of(page, block, SIZES[0]) for page, block in ((1, 4), (1, 9), (2, 4))]
    assert held["pages"][:2].tolist() == [slot_of(page, 0, SIZES[1]) for page in (1, 2)]
    assert _tokens(table, row)[3] == [1, 2], "the paths of the first page"


def test_a_row_does_not_grow_however_often_its_link_is_seen() -> None:
    table = LinkTable(MOST)
    row = _add(table, 7, range(1_000))
    other = _add(table, 8)
    for page in range(100):
        words = tuple(range(page, page + 50))
        _see(table, row, page, words, words, places=[(block, page + block) for block in range(4)])
    anchor, context, address, paths = _tokens(table, row)
    assert anchor == list(range(len(anchor)))
    assert context == list(range(len(context)))
    assert address == list(range(len(address)))
    assert paths == list(range(len(paths)))
    assert 0 < len(anchor) < 50
    assert len(paths) == 4
    assert 0 < _sights(table, row) < 100
    assert _tokens(table, other) == [[], [], [11, 12], []], "its neighbour is as it was"


def test_a_row_that_is_used_again_has_nothing_of_its_last_link() -> None:
    table = LinkTable(MOST)
    row = _add(table, 7)
    _see(table, row)
    table.drop(7)
    assert len(table) == 0
    again = _add(table, 8, ())
    assert again == row
    assert _tokens(table, again) == [[], [], [], []]
    assert [int(table.table[again][each]) for each in ("sights", "stands", "ways")] == [0, 0, 0]


def test_dropping_what_is_not_there_does_nothing() -> None:
    table = LinkTable(MOST)
    _add(table, 7)
    table.drop(8)
    assert len(table) == 1


@pytest.mark.parametrize("most", [1, 10, 5_000])
def test_the_best_links_are_found(most: int) -> None:
    table = LinkTable(MOST)
    _fill(table, 1_500)
    best = {int(table.ids[row]) for row in table.best(most)}
    assert best == set(range(max(1, 1_501 - most), 1_501))


def test_rows_keep_what_they_hold_when_the_table_grows() -> None:
    table = LinkTable(1 << 14)
    rows = {}
    for link in range(1, 5_000):
        rows[link] = _add(table, link, (link,))
        _see(table, rows[link], link, (link + 1,))
    assert len(table) == 4_999
    assert all(table.rows[link] == row for link, row in rows.items())
    assert all(_tokens(table, row)[:3:2] == [[link + 1], [link]] for link, row in rows.items())


def test_a_full_table_forgets_the_worse_half() -> None:
    table = LinkTable(MOST)
    _fill(table, MOST)
    newest = _add(table, MOST + 1)
    assert table.rows.keys() == set(range(MOST // 2 + 1, MOST + 2))
    assert all(int(table.ids[row]) == link for link, row in table.rows.items())
    assert len(set(table.rows.values())) == len(table)
    assert newest == table.rows[MOST + 1]


@pytest.mark.parametrize("most", [MOST, 2_500])
def test_the_table_never_holds_more_than_it_may(most: int) -> None:
    table = LinkTable(most)
    for link in range(1, 5 * most):
        row = _add(table, link)
        table.scores[row] = float(link % 97)
        assert len(table) <= most
    assert np.count_nonzero(table.ids) == len(table)
    assert len(table.ids) == len(table.table) == most


def test_a_row_begins_where_the_processor_begins_to_read() -> None:
    table = LinkTable(MOST).table
    assert table.itemsize % 64 == 0
    assert table.ctypes.data % 64 == 0
