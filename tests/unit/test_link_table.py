"""The open links that the learned lead follows, a row for each."""

import numpy as np
import pytest

from opilio.lead.link_table import LinkTable, Place, Seen

PLACE = Place((11, 12), 1, 2, 3, 4, 5, 6)
MOST = 2_048


def _seen(page: int) -> Seen:
    return Seen(100 + page, page, 0.5, 0.3, 1.0)


def _see(
    table: LinkTable, row: int, page: int = 1, anchor: tuple[int, ...] = (21,), context: tuple[int, ...] = (31,)
) -> None:
    words = np.array([*anchor, *context], np.int32)
    table.see_all([row], [_seen(page)], words, np.cumsum([len(anchor), len(context)]))


def _tokens(table: LinkTable, row: int) -> list[list[int]]:
    return [each.tolist() for each in table.tokens(row)]


def _fill(table: LinkTable, links: int) -> None:
    """Links from 1, the higher the better."""
    for link in range(1, links + 1):
        row = table.add(link, PLACE)
        table.scores[row] = float(link)


def test_a_link_has_the_words_of_its_address_from_the_beginning() -> None:
    table = LinkTable(MOST)
    row = table.add(7, PLACE)
    assert table.rows == {7: row}
    assert _tokens(table, row) == [[], [], [11, 12], [1]]


def test_sightings_add_their_words_each_once_in_their_order() -> None:
    table = LinkTable(MOST)
    row = table.add(7, PLACE)
    _see(table, row, 1, (21, 22), (31,))
    _see(table, row, 2, (22, 23), (31, 32))
    assert _tokens(table, row) == [[21, 22, 23], [31, 32], [11, 12], [1]]
    assert table.sights(row) == [(101, 1), (102, 2)]


def test_a_sighting_is_known_again() -> None:
    table = LinkTable(MOST)
    row = table.add(7, PLACE)
    _see(table, row, 1)
    assert table.has_seen(row, _seen(1))
    assert not table.has_seen(row, _seen(2))


def test_a_row_does_not_grow_however_often_its_link_is_seen() -> None:
    table = LinkTable(MOST)
    row = table.add(7, Place(tuple(range(1_000)), 1, 2, 3, 4, 5, 6))
    other = table.add(8, PLACE)
    for page in range(100):
        _see(table, row, page, tuple(range(page, page + 50)), tuple(range(page, page + 50)))
    anchor, context, address, _ = _tokens(table, row)
    assert anchor == list(range(len(anchor)))
    assert context == list(range(len(context)))
    assert address == list(range(len(address)))
    assert 0 < len(anchor) < 50
    assert 0 < len(table.sights(row)) < 100
    assert _tokens(table, other) == [[], [], [11, 12], [1]], "its neighbour is as it was"


def test_a_row_that_is_used_again_has_nothing_of_its_last_link() -> None:
    table = LinkTable(MOST)
    row = table.add(7, PLACE)
    _see(table, row)
    table.drop(7)
    assert len(table) == 0
    again = table.add(8, Place((), 9, 8, 7, 6, 5, 4))
    assert again == row
    assert _tokens(table, again) == [[], [], [], [9]]
    assert table.sights(again) == []


def test_dropping_what_is_not_there_does_nothing() -> None:
    table = LinkTable(MOST)
    table.add(7, PLACE)
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
        rows[link] = table.add(link, Place((link,), 1, 2, 3, 4, 5, 6))
        _see(table, rows[link], link, (link + 1,))
    assert len(table) == 4_999
    assert all(table.rows[link] == row for link, row in rows.items())
    assert all(_tokens(table, row)[:3:2] == [[link + 1], [link]] for link, row in rows.items())


def test_a_full_table_forgets_the_worse_half() -> None:
    table = LinkTable(MOST)
    _fill(table, MOST)
    newest = table.add(MOST + 1, PLACE)
    assert table.rows.keys() == set(range(MOST // 2 + 1, MOST + 2))
    assert all(int(table.ids[row]) == link for link, row in table.rows.items())
    assert len(set(table.rows.values())) == len(table)
    assert newest == table.rows[MOST + 1]


def test_the_table_never_holds_more_than_it_may() -> None:
    table = LinkTable(MOST)
    for link in range(1, 5 * MOST):
        row = table.add(link, PLACE)
        table.scores[row] = float(link % 97)
        assert len(table) <= MOST
    assert len(table.ids) == MOST
    assert np.count_nonzero(table.ids) == len(table)
    assert all(len(array) == MOST for array in table.arrays)
