"""What somebody probably meant."""

from opilio.core.suggestion import did_you_mean


def test_a_near_word_is_suggested_as_it_has_to_be_written() -> None:
    assert did_you_mean("delay", ["delay_s", "hosts"], "fetch.") == ' Did you mean "fetch.delay_s"?'


def test_without_a_near_word_nothing_is_said() -> None:
    assert did_you_mean("xyzzy", ["delay_s", "hosts"]) == ""
