"""How a crawl stands, at 80 columns."""

from rich.text import Text

from opilio.engine.stopping import outlook
from opilio.folder import Tally
from opilio.report.standing import belonging_now, standing

FACTS = {
    **outlook(Tally(), None), "folder": "a folder of a crawl " * 6, "recipe": "learned", "stop_reason": "", "state": "running",
    "pages": 9, "seconds": 1.0, "size_bytes": 9, "documents": 1, "judge": "topic", "lead": "learned",
    "tokens": 2, "document_yield": 0.1, "byte_yield": 0.1, "met": 9,
    "queued": 1, "waiting": 0, "hosts": 1, "closed_hosts": 0, "languages": {f"l{number}": number for number in range(40)},
    "changed_settings": ["fetch.delay_s=5"] * 9, "drops": {},
}  # fmt: skip


def test_long_values_hang_beside_their_names() -> None:
    lines = [part.plain for part in standing(FACTS, 80) if isinstance(part, Text)]
    assert max(map(len, lines)) <= 80
    assert all(line[:11].strip() or line.startswith(" " * 11) for line in lines)


def test_a_language_is_not_parted_from_its_count() -> None:
    lines = [part.plain for part in standing(FACTS, 80) if isinstance(part, Text)]
    named = [line[11:].strip().rstrip(",").split(", ") for line in lines if " l1" in line or " l3" in line]
    assert all(len(pair.split()) == 2 for line in named for pair in line)


def test_it_is_said_whether_verdicts_or_probabilities_were_counted() -> None:
    verdicts, graded = Tally(recent_worths=[1.0, 0.0]), Tally(recent_worths=[0.75, 0.25])
    assert belonging_now(outlook(verdicts, None)) == "50.0% of the last 2 pages belong"
    assert belonging_now(outlook(graded, None)) == "50.0% of the last 2 pages belong, by the judge's probabilities"
