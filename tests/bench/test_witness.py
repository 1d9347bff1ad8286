"""The witness sees what the log shows, for hosts and for addresses, and accuses nobody without it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bench.witness import Witness


def line(start_s: float, end_s: float, connection: int = 1, where: str = "127.1.0.1 a.test", target: str = "/") -> str:
    address, host = where.split()
    return f"answer\t{start_s:.6f}\t{end_s:.6f}\t{connection}\t{address}\t{host}:80\t{target}\t200\t10\n"


def opened(when_s: float, connection: int, address: str = "127.1.0.1") -> str:
    return f"open\t{when_s:.6f}\t{connection}\t{address}\n"


def closed(when_s: float, connection: int) -> str:
    return f"close\t{when_s:.6f}\t{connection}\n"


def accused(lines: Sequence[str], delay_s: float, slack_s: float = 0.0) -> list[tuple[str, float]]:
    return [(gap.of, round(gap.seconds, 3)) for gap in Witness(lines).gaps_under(delay_s, slack_s)]


def test_gap_runs_from_the_end_of_an_answer_to_the_next_request() -> None:
    lines = [line(0.0, 0.5), line(1.0, 1.1), line(3.0, 3.1)]
    assert accused(lines, 1.0) == [("a.test", 0.5), ("127.1.0.1", 0.5)]
    assert accused(lines, 0.5) == []
    assert accused(lines, 0.6, slack_s=0.1) == []


def test_requests_that_overlap_have_a_negative_gap() -> None:
    lines = [line(0.0, 5.0), line(1.0, 1.1, 2), line(5.5, 5.6, 2)]
    assert accused(lines, 1.0)[:2] == [("a.test", -4.0), ("a.test", 0.5)]


def test_order_of_lines_does_not_matter() -> None:
    lines = [line(3.0, 3.1), line(0.0, 0.5), line(1.0, 1.1)]
    assert accused(lines, 1.0) == accused(sorted(lines), 1.0)


def test_two_hosts_at_one_address_share_its_delay() -> None:
    lines = [line(0.0, 0.1), line(0.2, 0.3, 2, "127.1.0.1 b.test"), line(0.4, 0.5, 3, "127.1.0.2 c.test")]
    assert accused(lines, 1.0) == [("127.1.0.1", 0.1)]


def test_two_connections_to_a_host_at_once_are_seen_for_host_and_address() -> None:
    lines = [opened(0, 1), line(0.1, 0.2, 1), opened(1, 2), line(1.1, 1.2, 2), closed(2, 1), closed(3, 2)]
    seen = Witness(lines).parallel_connections()
    assert [(each.of, each.seconds, each.connections) for each in seen] == [
        ("a.test", 1.0, (1, 2)),
        ("127.1.0.1", 1.0, (1, 2)),
    ]


def test_connection_that_was_never_used_still_counts_for_its_address() -> None:
    lines = [opened(0, 1), opened(1, 2), closed(2, 1), closed(2, 2)]
    assert [each.of for each in Witness(lines).parallel_connections()] == ["127.1.0.1"]


def test_one_connection_after_the_other_is_no_offence() -> None:
    lines = [opened(0, 1), opened(1.0, 2), closed(1.01, 1), closed(2, 2), opened(2, 3), closed(3, 3)]
    assert Witness(lines).parallel_connections() == []


def test_connection_without_a_close_was_open_to_the_end_of_the_log() -> None:
    lines = [opened(0, 1), opened(1, 2), line(1.1, 1.2, 2), line(9.0, 9.5, 2), closed(10, 2)]
    (overlap,) = Witness(lines).parallel_connections()
    assert overlap.seconds == pytest.approx(8.5, abs=1.0)


def test_disallowed_requests_are_found_by_prefix() -> None:
    lines = [line(0, 0, target="/private/x"), line(1, 1, target="/secret"), line(2, 2, target="/privateer")]
    witness = Witness(lines)
    assert [each.target for each in witness.disallowed({"*": ["/private/"]})] == ["/private/x"]
    assert [each.target for each in witness.disallowed({"a.test": ["/secret"], "b.test": ["/"]})] == ["/secret"]
    assert witness.disallowed({}) == []


def test_counts_are_per_page_host_and_address() -> None:
    witness = Witness([line(0, 0), line(1, 1), line(2, 2, 2, "127.1.0.1 b.test", "/x")])
    assert witness.fetch_counts() == {("a.test", "/"): 2, ("b.test", "/x"): 1}
    assert witness.host_counts() == {"a.test": 2, "b.test": 1}
    assert witness.address_counts() == {"127.1.0.1": 3}


def test_foreign_line_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("GET / 200\n")
    with pytest.raises(ValueError, match="not a line of a server's log"):
        Witness.of(log)
