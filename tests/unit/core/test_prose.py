from opilio.core.items import TextBlock
from opilio.core.prose import prose_of


def test_a_text_without_blocks_is_prose() -> None:
    assert prose_of("one\ntwo", ()) == "one\ntwo"


def test_each_block_and_each_cell_is_a_line_and_what_stands_aside_is_left_out() -> None:
    text = "a line\nbroken\nName\tValue\nread this elsewhere"
    blocks = [TextBlock("p", 0, 13), TextBlock("tr", 14, 24), TextBlock("p", 25, 44, aside=True)]
    assert prose_of(text, blocks) == "a line broken\nName\nValue"
