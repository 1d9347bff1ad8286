"""`--until` is the short form of the settings in `[stop]`."""

import pytest

from opilio.core.errors import ConfigError
from opilio.ops.until import until_settings


def test_until_is_the_short_form_of_the_bounds() -> None:
    wishes = ["precision=0.2", "saturation", "precision", "pages=100", "bytes=1000000", "documents=5", "kept=6"]
    assert list(until_settings(wishes)) == [
        "stop.precision=0.2", "stop.saturation=0.95", "stop.precision=0.1", "stop.pages=100", "stop.size_bytes=1000000",
        "stop.documents=5", "stop.documents=6",
    ]  # fmt: skip


@pytest.mark.parametrize("wish", ["", "pages", "pages=", "pages=many", "page=5", "saturation=high"])
def test_until_says_what_it_could_be(wish: str) -> None:
    with pytest.raises(ConfigError, match=r"such as precision=0\.1 or pages=1000"):
        list(until_settings([wish]))
