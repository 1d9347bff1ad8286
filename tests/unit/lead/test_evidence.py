"""What signs of a link are worth."""

from opilio.lead.evidence import Evidence


def test_when_there_is_no_room_the_kind_that_was_learned_of_least_recently_is_forgotten() -> None:
    evidence = Evidence(3.0, room=2)
    for kind in ("first", "second", "first", "third"):
        evidence.learn(kind, retained=True)
    assert evidence.counts == {"first": (2, 2), "third": (1, 1)}
