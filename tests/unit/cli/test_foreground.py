"""What the command line shows of a crawl in the foreground."""

from typing import Any

import pytest

from opilio.cli.foreground import Foreground
from opilio.engine.stopping import outlook
from opilio.folder import Tally


def _status() -> dict[str, Any]:
    return {
        **outlook(Tally(), None), "pages": 3, "documents": 2, "seconds": 1.0, "queued": 5, "hosts": 1, "size_bytes": 10,
        "tokens": 4, "drops": {}, "paused": False, "goes_by": "the judge everything", "links_by": "chance", "last_kept": None,
        "last_refused": None,
    }  # fmt: skip


@pytest.mark.parametrize("quiet", [False, True])
def test_warnings_progress_and_the_stop_are_words_on_stderr(quiet: bool, capsys: pytest.CaptureFixture[str]) -> None:
    watch = Foreground(quiet=quiet)
    watch.start(_status, ["[few] samples"], pages=3)
    watch.tick()
    watch.stopping()
    watch.end()
    out, said = capsys.readouterr()
    assert out == ""
    assert ("Warning: [few] samples" in said, "3 pages" in said, "Stopping" in said) == (not quiet,) * 3


def test_a_crawl_that_could_not_be_built_ends_without_progress(capsys: pytest.CaptureFixture[str]) -> None:
    watch = Foreground()
    watch.tick()
    watch.end()
    assert capsys.readouterr().err == ""
