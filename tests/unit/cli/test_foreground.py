"""What the command line shows of a crawl in the foreground."""

from typing import Any

import pytest

from opilio.cli.foreground import Foreground
from opilio.engine.stopping import outlook
from opilio.folder import Tally


def _status() -> dict[str, Any]:
    return {
        **outlook(Tally(), None), "pages": 3, "documents": 2, "seconds": 1.0, "queued": 5, "hosts": 1, "size_bytes": 10,
        "tokens": 4, "drops": {"not_in_web": 2}, "paused": False, "trouble": "connection refused",
        "goes_by": "the judge everything", "links_by": "chance", "last_kept": None, "last_refused": None,
    }  # fmt: skip


@pytest.mark.parametrize("quiet", [False, True])
def test_warnings_progress_and_the_stop_are_words_on_stderr(quiet: bool, capsys: pytest.CaptureFixture[str]) -> None:
    watch = Foreground(quiet=quiet)
    watch.note(["a.de is taken for https://a.de/."])
    watch.start(_status, ["[few] samples"], pages=3)
    watch.tick()
    watch.stopping()
    watch.end()
    out, said = capsys.readouterr()
    assert out == ""
    words = (
        "Note: a.de",
        "Warning: [few] samples",
        "3 pages",
        "not in this web 2",
        "no page yet: connection",
        "Stopping",
    )
    assert [word in said for word in words] == [not quiet] * len(words)


def test_a_crawl_that_could_not_be_built_ends_without_progress(capsys: pytest.CaptureFixture[str]) -> None:
    watch = Foreground()
    watch.tick()
    watch.end()
    assert capsys.readouterr().err == ""
