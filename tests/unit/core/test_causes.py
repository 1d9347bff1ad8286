"""Every ending has its words, and names settings that exist."""

import tomllib
from importlib import resources

from opilio.core.causes import CAUSES
from opilio.core.outcome import Drop, Outcome

DEFAULTS = tomllib.loads(resources.files("opilio").joinpath("core", "defaults.toml").read_text("utf-8"))


def test_every_ending_that_is_not_a_success_has_a_cause_in_words() -> None:
    assert set(CAUSES) == {*Drop, *Outcome} - {Outcome.OK, Outcome.REDIRECT}
    for cause in CAUSES.values():
        assert cause.words.format(host="a.test", status=404, depth=3)


def test_the_settings_that_would_change_it_exist() -> None:
    named = {name for cause in CAUSES.values() for name in cause.settings}
    assert {name for name in named if name.partition(".")[2] not in DEFAULTS[name.partition(".")[0]]} == set()


def test_every_setting_of_the_scope_is_the_cause_of_something() -> None:
    named = {name for cause in CAUSES.values() for name in cause.settings}
    assert {f"scope.{name}" for name in DEFAULTS["scope"]} - named == set()
