"""The small cases of markup that are right, of all that are in `bench/markup`: a floor that only goes up."""

from bench.extractors import OURS
from bench.markup_cases import read_cases
from bench.text import is_right

RIGHT_FLOOR = 61  # of 65; wrong: definitions-3, faq-3, minutes-2, chrome-1
LEAST_CASES_OF_A_FORM = {"quote": 1, "inline": 1, "chrome": 2}  # 3 of any other


def test_every_form_has_its_cases() -> None:
    cases = read_cases()
    forms = {case.form: sum(other.form == case.form for other in cases) for case in cases}
    assert len(cases) >= 60
    assert all(count >= LEAST_CASES_OF_A_FORM.get(form, 3) for form, count in forms.items())


def test_the_cases_that_are_right_stay_above_their_floor() -> None:
    wrong = [case.name for case in read_cases() if not is_right(OURS, case)]
    assert len(read_cases()) - len(wrong) >= RIGHT_FLOOR, f"wrong: {', '.join(wrong)}"
