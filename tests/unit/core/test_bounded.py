"""A map that forgets its oldest entries."""

from opilio.core.bounded import BoundedMap


def test_the_oldest_is_forgotten_first() -> None:
    known: BoundedMap[str, int] = BoundedMap(2, {"a": 1, "b": 2})
    known["a"] = 3  # does not make it younger
    known["c"] = 4
    assert known == {"b": 2, "c": 4}


def test_what_was_moved_to_the_end_is_kept() -> None:
    known: BoundedMap[str, int] = BoundedMap(2, {"a": 1, "b": 2})
    known.move_to_end("a")
    known["c"] = 4
    assert known == {"a": 1, "c": 4}


def test_more_entries_than_there_is_room_for_are_cut_at_the_beginning() -> None:
    assert list(BoundedMap(3, ((number, "") for number in range(10)))) == [7, 8, 9]
