"""What of a user's name may reach the disk."""

from opilio.discover.microblog.names import Names


def test_a_sealed_name_comes_back_and_cannot_be_read_in_the_row() -> None:
    names = Names({})
    for name in ("anna", "did:plc:crmrddqmbqzyqd24yjlpibz2", "søren", ""):
        sealed = names.seal(name)
        assert names.unseal(sealed) == name
        assert not name or name.encode() not in sealed


def test_digests_are_the_same_in_one_directory_and_others_in_another() -> None:
    memory: dict[str, bytes] = {}
    first, again, elsewhere = Names(memory), Names(memory), Names({})
    assert first.digest("anna") == again.digest("anna") != elsewhere.digest("anna")
    assert first.digest("anna") != first.digest("bert")


def test_a_draw_is_a_share() -> None:
    draws = [Names({"key": bytes(32)}).draw(str(number)) for number in range(2_000)]
    assert 0.05 < sum(draw < 0.08 for draw in draws) / len(draws) < 0.11
