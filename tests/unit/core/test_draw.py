"""Numbers drawn from a text: recorded crawls depend on every one of them."""

from opilio.core.draw import hash_number, hash_share


def test_the_same_text_and_key_draw_the_same_number_for_ever() -> None:
    assert hash_number("http://a.test/", 8, b"key") == 14026571661253740948
    assert hash_share("http://a.test/", 7, b"key") == 0.08539567957574382


def test_numbers_are_spread_evenly() -> None:
    drawn = [hash_share(f"http://a.test/{number}", 7) for number in range(4_000)]
    assert 0.0 <= min(drawn) < 0.01 < 0.99 < max(drawn) < 1.0
    assert 0.48 < sum(drawn) / len(drawn) < 0.52
