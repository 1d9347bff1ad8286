"""Whether the letters of pages are right, whatever is declared; the floor only goes up, the list of misses only shrinks."""

from bench.charset import measure, read_opilio
from bench.charset_cases import cases

RIGHT_FLOOR = 208  # of 209
MISSED = {"undeclared ro iso8859_16"}  # its bytes are the same words in windows-1250, with another form of two letters


def test_nearly_all_cases_are_right_and_the_others_are_known() -> None:
    found = measure(read_opilio, cases())
    assert found.all == 209
    assert found.right >= RIGHT_FLOOR
    assert set(found.garbled) <= MISSED
