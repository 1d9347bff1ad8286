"""The small cases of markup that are right, of all that are in `bench/markup`: a floor that only goes up."""

import pytest

from bench.extractors import KEPT, OURS, Extractor
from bench.markup_cases import read_cases
from bench.text import is_right

RIGHT_FLOOR = 63  # of 65; wrong: faq-3, minutes-2
KEPT_RIGHT_FLOOR = 64  # wrong: manual-2
OTHERS_FLOOR = 54  # of 60; wrong: accordion-2, product-1, crumbs-1, language-1, newsletter-1, letters-1
KEPT_OTHERS_FLOOR = 53
LEAST_CASES_OF_A_FORM = {"quote": 1, "inline": 1, "chrome": 2}  # 3 of any other


def test_every_form_has_its_cases() -> None:
    cases = read_cases()
    forms = {case.form: sum(other.form == case.form for other in cases) for case in cases}
    assert len(cases) >= 60
    assert all(count >= LEAST_CASES_OF_A_FORM.get(form, 3) for form, count in forms.items())


@pytest.mark.parametrize(
    ("extractor", "name", "floor"),
    [
        (OURS, "cases", RIGHT_FLOOR),
        (KEPT, "cases", KEPT_RIGHT_FLOOR),
        (OURS, "others", OTHERS_FLOOR),
        (KEPT, "others", KEPT_OTHERS_FLOOR),
    ],
)
def test_the_cases_that_are_right_stay_above_their_floor(extractor: Extractor, name: str, floor: int) -> None:
    cases = read_cases(name)
    wrong = [case.name for case in cases if not is_right(extractor, case)]
    assert len(cases) - len(wrong) >= floor, f"wrong: {', '.join(wrong)}"
