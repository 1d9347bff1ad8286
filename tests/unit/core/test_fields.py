"""Fields of a type by their names: dots lead into other types, lists have a value for each element."""

from typing import NamedTuple

import msgspec

from opilio.core.fields import fields
from opilio.core.outcome import Drop


class Part(msgspec.Struct):
    name: str
    weight: float | None = None
    whole: "Whole | None" = None


class Whole(NamedTuple):
    title: str
    size: int
    ready: bool
    drop: Drop | None
    parts: tuple[Part, ...]
    other: dict[str, int]

    @property
    def length(self) -> int:
        return len(self.title)


ROW = Whole("abc", 3, ready=True, drop=None, parts=(Part("a", 1.5), Part("b")), other={})


def test_texts_numbers_and_flags_are_fields_and_nothing_else_is() -> None:
    kinds = {name: field.kind for name, field in fields(Whole).items()}
    assert kinds == {
        "title": str, "size": float, "ready": bool, "drop": str, "parts.name": str, "parts.weight": float, "length": float,
    }  # fmt: skip


def test_a_field_of_a_list_has_a_value_for_each_element_that_has_one() -> None:
    assert [*fields(Whole)["parts.name"].values(ROW)] == ["a", "b"]
    assert [*fields(Whole)["parts.weight"].values(ROW)] == [1.5]


def test_a_missing_value_is_left_out_and_a_property_is_read() -> None:
    assert [*fields(Whole)["drop"].values(ROW)] == []
    assert [*fields(Whole)["drop"].values(ROW._replace(drop=Drop.ROBOTS))] == ["robots"]
    assert [*fields(Whole)["length"].values(ROW)] == [3]
