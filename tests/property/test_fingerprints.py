"""The fingerprint map is a dict that can be saved, whatever the order of additions and however small its dict part."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.core.fingerprints import FingerprintMap

keys = st.integers(-(2**63), 2**63 - 1)
entries = st.dictionaries(keys, st.integers(1, 2**32 - 1), max_size=80)


def _filled(known: dict[int, int], merge_at: int) -> FingerprintMap:
    fingerprints = FingerprintMap(merge_at)
    fingerprints.extend(known.items())
    return fingerprints


@given(entries, st.lists(keys, max_size=20), st.integers(1, 9))
def test_it_finds_what_a_dict_finds(known: dict[int, int], strangers: list[int], merge_at: int) -> None:
    fingerprints = _filled(known, merge_at)
    asked = [*strangers, *known, *strangers]
    assert fingerprints.find(asked) == [known.get(key, 0) for key in asked]
    assert len(fingerprints) == len(known)


@given(entries, entries, st.integers(1, 9))
@settings(max_examples=50)
def test_what_was_saved_comes_back_and_can_grow(first: dict[int, int], more: dict[int, int], merge_at: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "seen.cache"
        _filled(first, merge_at).save(path, 70)
        loaded = FingerprintMap(merge_at)
        assert loaded.load(path, 70) == 70
        fresh = {key: row for key, row in more.items() if key not in first}
        loaded.extend(fresh.items())
        assert loaded.find([*first, *fresh]) == [*first.values(), *fresh.values()]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "seen.cache"
    _filled({key * 7919: key + 1 for key in range(50)}, 8).save(path, 50)
    return path


def test_a_cache_that_knows_more_than_the_store_is_not_used(saved: Path) -> None:
    assert FingerprintMap().load(saved, 49) == 0
    assert FingerprintMap().load(saved, 500) == 50


def test_no_file_is_no_cache(tmp_path: Path) -> None:
    assert FingerprintMap().load(tmp_path / "none", 9) == 0


def test_a_truncated_cache_is_not_used(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in range(0, len(whole), 7):
        saved.write_bytes(whole[:length])
        fingerprints = FingerprintMap()
        assert (fingerprints.load(saved, 50), len(fingerprints)) == (0, 0), f"cut to {length} bytes"


_COVERED = range(20, 28)  # where the head says up to which row the cache reaches


def _flip(path: Path, places: Iterable[int], bit: int) -> None:
    whole = path.read_bytes()
    for at in places:
        damaged = bytearray(whole)
        damaged[at] ^= 1 << bit
        path.write_bytes(damaged)
        assert FingerprintMap().load(path, 10**6) == 0, f"byte {at}"


@pytest.mark.parametrize("bit", [0, 3, 7])
def test_a_cache_with_a_flipped_bit_is_not_used(saved: Path, bit: int) -> None:
    _flip(saved, (at for at in range(saved.stat().st_size) if at not in _COVERED), bit)


def test_a_cache_that_claims_to_reach_further_is_not_used(saved: Path) -> None:
    _flip(saved, _COVERED, 3)
