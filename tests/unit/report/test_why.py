"""The story of a URL on the terminal: steps first, then commands that a shell understands."""

import shlex
import subprocess

from opilio.report.why import why_lines

STORY = [("verdict", "not kept: not relevant"), ("score", "0.5, bucket 0: first\n+0.1 second")]


def _shown(*steps: tuple[str, str], width: int = 80) -> list[str]:
    return "\n".join(line.plain for line in why_lines([*STORY, *steps], width)).splitlines()


def test_every_reason_has_a_line_of_its_own() -> None:
    assert _shown() == ["verdict  not kept: not relevant", "score    0.5, bucket 0: first", "         +0.1 second"]


def test_a_command_that_fits_has_its_comment_beside_it() -> None:
    assert _shown(("next", "opilio pages c --near  # kept by little"))[3:] == [
        "",
        "Next steps:",
        "  opilio pages c --near  # kept by little",
    ]


def test_a_long_command_goes_on_after_a_backslash_and_stays_the_same_command() -> None:
    words = ["opilio", "mark", "a folder with spaces", "http://a.test/?a=$(rm);b&c='" + "x" * 90, "yes"]
    shown = _shown(("next", f"{shlex.join(words)}  # if it belongs"))[5:]
    assert shown[0] == "  # if it belongs"
    assert len(shown) > 2
    script = "\n".join(["opilio() { printf '%s\\n' opilio \"$@\"; }", *shown])
    done = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == words
    assert all(len(line) <= 80 or "://" in line for line in shown)
