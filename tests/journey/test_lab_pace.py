"""Crawls of the lab in which time passes."""

from pathlib import Path

import msgspec
import pytest

from opilio.lab.protocol import Job, Run
from opilio.lab.runner import Runner
from tests.builders import response

HOSTS = 6
PAGES = 8  # of each host


def _write_web(folder: Path) -> Path:
    """A start page that links to several hosts, whose pages link one another."""
    records = [response("http://start.test/", _page([f"http://h{host}.test/0" for host in range(HOSTS)]))]
    lines = []
    for host in range(HOSTS):
        for number in range(PAGES):
            url = f"http://h{host}.test/{number}"
            links = [
                f"http://h{host}.test/{number + 1}",
                f"http://h{host}.test/dead/{number}",
                "http://elsewhere.test/",
            ]
            records.append(response(url, _page(links if number + 1 < PAGES else [])))
            lines.append(f"{url}\ttopic")
    (folder / "web.warc.gz").write_bytes(b"".join(records))
    (folder / "web.labels.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    return folder / "web.warc.gz"


def _page(links: list[str]) -> str:
    text = " ".join(f"This is sentence number {number} of a page of ours." for number in range(12))
    anchors = " ".join(f'<a href="{link}">on</a>' for link in links)
    return f"<html><body><p>{text}</p>{anchors}</body></html>"


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    web = _write_web(tmp_path_factory.mktemp("pace"))
    labels = str(web.with_name("web.labels.tsv"))
    return Job(str(web), labels, "topic", "breadth-first", 1, seed_urls=("http://start.test/",))


def _run(job: Job, **changes: object) -> Run:
    run = Runner().run(msgspec.structs.replace(job, **changes))
    assert isinstance(run, Run), run
    return run


def test_without_a_delay_and_one_after_the_other_no_time_passes(job: Job) -> None:
    run = _run(job)
    assert (run.time_to_r_s, run.seconds_per_relevant, run.time_curve) == (None, None, ())


def test_one_request_at_a_time_takes_the_time_of_all_answers(job: Job) -> None:
    run = _run(job, delay_s=1.0)
    assert run.relevant == HOSTS * PAGES
    assert run.time_to_r_s is not None
    answers_s = 0.5 * (run.relevant + HOSTS + 1)  # pages, and robots.txt of each host
    assert answers_s < run.time_to_r_s < answers_s + 2 * HOSTS  # little is waited for, because the hosts take turns
    assert run.seconds_per_relevant == pytest.approx(run.time_to_r_s / (run.relevant - 1))  # all but the start page
    last_s, found = run.time_curve[-1]
    assert (last_s, found) == (round(run.time_to_r_s, 3), run.relevant - 1)


def test_several_requests_at_once_save_time_but_a_host_still_rests(job: Job) -> None:
    alone, few, many = (_run(job, delay_s=1.0, parallel=parallel) for parallel in (1, 3, 60))
    assert alone.time_to_r_s is not None
    assert few.time_to_r_s is not None
    assert many.time_to_r_s is not None
    assert many.time_to_r_s < few.time_to_r_s < alone.time_to_r_s
    # The start page, then in every host robots.txt and its pages, with a rest before each, and before each dead link.
    assert many.time_to_r_s > 2.0 + (PAGES - 1) * (1.0 + 0.5)


def test_a_longer_rest_takes_longer_and_the_same_crawl_takes_the_same_time(job: Job) -> None:
    short, long, same = (_run(job, delay_s=delay_s, parallel=60) for delay_s in (1.0, 5.0, 1.0))
    assert short.time_to_r_s is not None
    assert long.time_to_r_s is not None
    assert long.time_to_r_s > 3 * short.time_to_r_s
    assert short == same


def test_recipes_that_wait_for_the_best_host_take_longer_than_those_that_ask_all(job: Job) -> None:
    waits, asks = (
        _run(job, delay_s=1.0, parallel=60, settings=(f"policy.choice={choice}",)) for choice in ("best", "strict")
    )
    assert waits.time_to_r_s is not None
    assert asks.time_to_r_s is not None
    assert waits.time_to_r_s > 2 * asks.time_to_r_s
