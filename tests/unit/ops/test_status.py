"""The status of a crawl, read from its folder."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import opilio
from opilio.core.items import Target
from tests.builders import PROSE, install_plugin, write_web

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
