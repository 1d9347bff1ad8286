"""A title loses the name of its site, and nothing that is its own."""

import pytest

from opilio.glean.title import find_title, site_in


@pytest.mark.parametrize(
    ("title", "others", "shown", "site", "host", "wanted"),
    [
        ("Otters return - The Daily Brook", [], [], "The Daily Brook", "x.test", "Otters return"),
        ("Otters return | The Daily Brook", [], [], "", "www.dailybrook.test", "Otters return"),
        ("The Daily Brook » Otters return", [], [], "The Daily Brook", "x.test", "Otters return"),
        ("Otters return | Nature | The Daily Brook", ["Otters return"], [], "", "x.test", "Otters return"),
        ("Notes: Otters return home", [], ["Otters return home"], "", "x.test", "Otters return home"),
        ("Tom - Jerry", [], [], "", "cartoons.test", "Tom - Jerry"),
        ("Otters: how they return", ["Otters: how they return"], ["Otters"], "", "x.test", "Otters: how they return"),
        ("Big Brook", [], [], "Big Brook", "x.test", "Big Brook"),
        ("Big Brook", ["Otters return"], [], "Big Brook", "x.test", "Otters return"),
        ("", ["Otters return"], [], "", "x.test", "Otters return"),
        ("カワウソが戻る | 小川新聞", [], [], "小川新聞", "x.test", "カワウソが戻る"),
        ("  Otters \n return ", [], [], "", "x.test", "Otters return"),
        ("", [], [], "", "", ""),
    ],
)  # fmt: skip
def test_the_name_of_the_site_goes(
    title: str, others: list[str], shown: list[str], site: str, host: str, wanted: str
) -> None:
    assert find_title(title, others, shown, site, host) == wanted


def test_the_name_of_the_site_is_found_by_its_host() -> None:
    assert site_in("Otters return | The Daily Brook", "www.dailybrook.test") == "The Daily Brook"
    assert site_in("Otters return | Nature", "www.dailybrook.test") == ""


def test_a_title_of_separators_costs_nothing() -> None:
    assert find_title(" | " * 400, [], [], "", "x.test") is not None
    assert len(find_title("a | " * 1_000, [], [], "", "x.test")) <= 1_000
