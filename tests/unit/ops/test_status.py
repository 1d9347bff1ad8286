"""The status of a crawl, read from its folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import opilio
from opilio.core.items import Target
from tests.builders import PROSE, install_plugin, run_opilio, write_web

SEED = "http://a.test/0"


class Guesser:
    """A lead that does not derive from `Lead`, and estimates what remains."""

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [0.0 for _ in targets]

    def remaining(self) -> float | None:
        return 42.0

    def save(self) -> bytes | None:
        return b"guess"

    def load(self, state: bytes) -> None:
        assert state == b"guess"


@pytest.fixture
def guesser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(install_plugin(tmp_path, "lead", "guesser", f"{__name__}:Guesser"))


@pytest.mark.usefixtures("guesser")
def test_the_outlook_of_a_lead_that_does_not_derive_from_ours_is_shown(tmp_path: Path) -> None:
    web = write_web(tmp_path / "web.warc.gz", {SEED: f"<p>{PROSE}</p>"})
    list(opilio.crawl(tmp_path / "c", url=SEED, web=web, workers=1, settings=["lead.name=guesser"]))
    assert opilio.status(tmp_path / "c")["remaining"] == 42


class Own(opilio.Lead):
    """A lead of the caller's own."""

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [0.0 for _ in targets]


class Everything:
    """A judge of the caller's own."""

    def judge(self, _page: opilio.Page) -> opilio.Verdict:
        return opilio.Verdict(1.0, belongs=True)


def test_a_crawl_is_called_by_a_recipe_only_if_it_has_its_judge_and_its_lead(tmp_path: Path) -> None:
    web = write_web(tmp_path / "web.warc.gz", {SEED: f"<p>{PROSE}</p>"})

    def strategy(name: str, **options: Any) -> tuple[str, str, str]:
        opilio.crawl(tmp_path / name, url=SEED, web=web, workers=1, **options).to_end()
        facts = opilio.status(tmp_path / name)
        return facts["recipe"], facts["judge"], facts["lead"]

    assert strategy("a") == ("breadth-first", "everything", "breadth-first")
    assert strategy("b", judge=Everything(), lead=Own()) == ("", "Everything", "Own")
    assert strategy("c", settings=["lead.name=opic"]) == ("", "everything", "opic")
    assert strategy("d", judge=Everything()) == ("", "Everything", "breadth-first")
    assert strategy("e", recipe="random") == ("random", "everything", "random")
    assert strategy("f", settings=["judge.name=comments"]) == ("", "comments", "breadth-first")
    assert strategy("g", language="en") == ("learned", "language", "learned")
    shown = run_opilio("status", tmp_path / "b").stdout
    assert "judge Everything, lead Own" in shown
    assert "breadth-first" not in shown


def test_documents_are_counted_by_the_old_name_too(tmp_path: Path) -> None:
    web = write_web(tmp_path / "web.warc.gz", {SEED: f"<p>{PROSE}</p>"})
    opilio.crawl(tmp_path / "c", url=SEED, web=web, workers=1).to_end()
    facts = opilio.status(tmp_path / "c")
    assert facts["documents"] == facts["kept"] == 1
