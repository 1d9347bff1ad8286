"""What the learned lead keeps, and what it takes over from another crawl."""

from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from opilio.core.config import load_config
from opilio.core.errors import ConfigError, CrawlDirError
from opilio.core.plugin import Context, build_plugin
from opilio.folder.database import Database
from opilio.folder.other_crawl import saved_lead
from opilio.lead import Learned
from tests.unit.lead.lead_field import DECISIVE_PAIRS, SAMPLES, Field, Seen, explored, judged, taught


def test_a_lead_that_was_loaded_scores_and_learns_as_the_one_that_was_saved() -> None:
    """But for credit, which is not kept: pages that were fetched before get none."""
    field, crowd = taught(300, discount=0.0)
    state = field.lead.save()
    assert state is not None
    loaded = Learned(SAMPLES, ["de"], discount=0.0)
    loaded.load(state)
    targets = [next(crowd)[0] for _ in range(100)]
    assert loaded.score(targets) == pytest.approx(field.lead.score(targets), abs=0.02)
    for _ in range(50):
        lesson = judged(*next(crowd))
        field.lead.learn(lesson)
        loaded.learn(lesson)
    targets = [next(crowd)[0] for _ in range(100)]
    assert loaded.score(targets) == pytest.approx(field.lead.score(targets), abs=0.02)
    assert loaded.weights() == pytest.approx(field.lead.weights(), abs=0.02)


def test_what_was_explored_is_kept() -> None:
    field = Field(Learned(explore=0.9))
    targets = {target.id: target for target in (field.target(Seen()) for _ in range(100))}
    field.lead.score(list(targets.values()))
    for link in [link for _ in range(30) for link in explored(field.lead)]:
        field.learn(targets[link], 0.6)
    loaded = Learned()
    loaded.load(field.lead.save() or b"")
    assert loaded.remaining() == field.lead.remaining()
    assert loaded.remaining()


@pytest.mark.parametrize("version", [None, 0, 99])
def test_a_state_of_another_version_is_refused(version: int | None) -> None:
    field, _ = taught(10)
    held = msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(field.lead.save() or b""))
    held["version"] = version
    state = zstandard.ZstdCompressor().compress(msgspec.msgpack.encode(held))
    with pytest.raises(CrawlDirError, match=f"has version {version}, and this Opilio reads version"):
        Learned().load(state)


def test_a_state_of_version_2_is_read_with_nothing_under_way() -> None:
    field = Field(Learned(explore=0.9))
    targets = {target.id: target for target in (field.target(Seen()) for _ in range(100))}
    field.lead.score(list(targets.values()))
    for link in [link for _ in range(30) for link in explored(field.lead)]:
        field.learn(targets[link], 0.6)
    held = msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(field.lead.save() or b""))
    now = held["exploration"]
    held |= {"version": 2, "exploration": [now["found"], now["times"], *now["generator"]]}
    loaded = Learned(explore=0.9)
    loaded.load(zstandard.ZstdCompressor().compress(msgspec.msgpack.encode(held)))
    assert loaded.remaining() == field.lead.remaining()
    assert not any(link in loaded._exploration for link in targets)


def test_the_layout_of_version_3_stays() -> None:
    field, _ = taught(10)
    held = msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(field.lead.save() or b""))
    assert held["version"] == 3
    names = "version learner calibration odds yields highest met counts lines exploration reward"
    assert list(held) == names.split()
    assert list(held["learner"]) == ["weights", "covariance", "tokens"]
    assert [len(each) for each in held["learner"]["tokens"]] == [3, 3, 3]
    assert [len(each) for each in held["odds"]] == [4] * 5
    assert [len(each) for each in held["yields"]] == [2] * 6
    assert list(held["exploration"]) == ["found", "times", "generator", "under_way"]
    assert len(held["exploration"]["generator"]) == 625
    assert len(held["reward"]) == 5


def test_a_state_of_other_signals_is_refused() -> None:
    field, _ = taught(10)
    held = msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(field.lead.save() or b""))
    held["learner"]["weights"] += bytes(8)
    with pytest.raises(CrawlDirError, match="other signals"):
        Learned().load(zstandard.ZstdCompressor().compress(msgspec.msgpack.encode(held)))


def test_nothing_is_saved_where_nothing_was_learned() -> None:
    field, crowd = taught(100)
    assert field.lead.save()
    assert field.lead.save() is None
    for _ in range(11):
        field.learn(*next(crowd))
    assert field.lead.save()


def test_the_same_seed_gives_the_same_scores_and_the_same_explorations() -> None:
    def crawl(seed: int) -> list[Any]:
        field, crowd = taught(100, seed=seed, explore=0.5)
        told: list[Any] = []
        for _ in range(20):
            told.append(field.lead.score([next(crowd)[0] for _ in range(10)]))
            told.append(list(field.lead.fresh()))
            field.learn(*next(crowd))
        return told

    assert crawl(1) == crawl(1)
    assert crawl(1) != crawl(2)


def test_how_often_the_state_is_saved_changes_nothing() -> None:
    def crawl(every: int) -> list[Any]:
        field, crowd = taught(100, explore=0.5)
        told: list[Any] = []
        for step in range(60):
            field.lead.score([next(crowd)[0] for _ in range(10)])
            told.append(list(field.lead.fresh()))
            field.learn(*next(crowd))
            if step % every == 0:
                field.lead.save()
        return told

    assert crawl(1) == crawl(50)


# --- a warm start


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The folder of a crawl that has learned of anchors and of hosts."""
    field = Field(Learned(SAMPLES))
    field.meet(*DECISIVE_PAIRS["anchor"], texts=("harvestmen and mites", "law and taxes"))
    field.meet(*DECISIVE_PAIRS["host"])
    return _crawled(tmp_path / "other", "learned", field.lead.save())


def _crawled(folder: Path, name: str, state: bytes | None) -> Path:
    folder.mkdir()
    database = Database(folder / "crawl.db", ())
    database.meta.config = load_config(settings=[f"lead.name={name}"])
    if state is not None:
        database.meta.lead = state
    database.commit()
    database.close()
    return folder


def _inheriting(folder: Path, **options: Any) -> Learned:
    lead = Learned(SAMPLES, warm=folder.name, saved_lead=partial(saved_lead, folder.parent), **options)
    lead.inherit()
    return lead


def test_a_warm_lead_knows_the_words_of_the_other_crawl_and_not_its_hosts(other: Path) -> None:
    warm = Field(_inheriting(other))
    good, bad = warm.scores(*DECISIVE_PAIRS["anchor"])
    assert good > bad + 1.0
    cold_good, cold_bad = Field(Learned(SAMPLES)).scores(*DECISIVE_PAIRS["anchor"])
    assert cold_good < cold_bad  # barley is a common word, and the samples have neither
    assert not warm.lead._known.hosts.table.any()
    assert not warm.lead._known.fates.table.any()
    assert warm.lead.remaining() is None


def test_a_warm_lead_holds_what_it_has_taken_over_no_firmer_than_its_own_beliefs(other: Path) -> None:
    field = Field(_inheriting(other))
    assert field.lead._known.seen == 20
    assert field.lead._known.good == pytest.approx(10.0)
    assert field.lead._learner.covariance == pytest.approx(Learned(SAMPLES)._learner.covariance)
    good, bad = DECISIVE_PAIRS["anchor"]
    field.meet(bad, good, 120)
    was_good, was_bad = field.scores(good, bad)
    assert was_bad > was_good


def test_what_was_taken_over_is_saved_at_once_and_found_again(other: Path) -> None:
    warm = _inheriting(other)
    again = Learned(SAMPLES)
    again.load(warm.save() or b"")
    targets = [Field(again).target(seen) for seen in DECISIVE_PAIRS["anchor"]]
    assert again.score(targets) == pytest.approx(warm.score(targets), abs=0.02)


def test_signals_that_are_left_out_stay_out_of_a_warm_lead(other: Path) -> None:
    field = Field(_inheriting(other, signals=["place"]))
    good, bad = field.scores(*DECISIVE_PAIRS["anchor"])
    assert good == pytest.approx(bad)


def test_without_another_crawl_nothing_is_taken_over() -> None:
    lead = Learned(SAMPLES)
    lead.inherit()
    assert lead.save() is None


def test_a_folder_without_learned_state_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"lead\.warm names .*nowhere, which holds no crawl"):
        _inheriting(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match=r"its lead: learned\)\. Name the folder"):
        _inheriting(_crawled(tmp_path / "young", "learned", None))
    with pytest.raises(ConfigError, match=r"its lead: quality\)"):
        _inheriting(_crawled(tmp_path / "another", "quality", b"something"))


def test_a_state_of_another_crawl_that_cannot_be_read_is_refused_as_a_setting(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"lead\.warm names damaged: what the learned lead .* Or leave lead\.warm out"
    ):
        _inheriting(_crawled(tmp_path / "damaged", "learned", b"something"))
    with pytest.raises(ConfigError, match="no folder to look for it from"):
        Learned(warm="other").inherit()


def test_the_folder_of_the_other_crawl_is_relative_to_that_of_this_one(other: Path, tmp_path: Path) -> None:
    settings = {"name": "learned", "warm": "../other"}
    folder = tmp_path / "other"
    context = Context(load_config(), folder, saved_lead=partial(saved_lead, folder))
    lead = build_plugin("lead", settings, context)
    lead.inherit()
    assert lead.save()
