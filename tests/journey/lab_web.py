"""A small labelled web for the tests of the lab: two topics that link among themselves, and a list that links everywhere."""

from pathlib import Path
from random import Random
from typing import Final

from tests.builders import response

HOST: Final = "http://farm.test"
PAGES: Final = 20  # of each topic
_WORDS: Final = {
    "sheep": ("wool", "lamb", "shepherd", "meadow", "fleece", "flock", "pasture", "shear", "ewe", "ram"),
    "trains": ("engine", "rail", "carriage", "station", "signal", "track", "driver", "platform", "steam", "timetable"),
}


def page_url(topic: str, number: int) -> str:
    return f"{HOST}/{topic}/{number}"


def write_lab_web(folder: Path, *, extra_labels: str = "", extra_bytes: bytes = b"") -> Path:
    """web.warc.gz and web.labels.tsv; the web."""
    records = [response(f"{HOST}/list", _page("list", _everywhere(), Random(0)))]
    records.append(response(f"{HOST}/moved", "", 301, Location=page_url("sheep", 3)))
    lines = ["url\tlabel", f"{HOST}/list\t"]
    for topic in _WORDS:
        for number in range(PAGES):
            url = page_url(topic, number)
            records.append(response(url, _page(topic, _links(topic, number), Random(f"{topic} {number}"))))
            lines.append(f"{url}\tFarm.{topic.title()}" if number % 2 else f"{url}\tFarm.{topic.title()}.Even")
    path = folder / "web.warc.gz"
    path.write_bytes(b"".join(records) + extra_bytes)
    (folder / "web.labels.tsv").write_text("\n".join(lines) + "\n" + extra_labels, "utf-8")
    return path


def _links(topic: str, number: int) -> list[str]:
    other = "trains" if topic == "sheep" else "sheep"
    near = [page_url(topic, (number * 3 + step) % PAGES) for step in (1, 2, 7)]
    far = [page_url(other, (number + step) % PAGES) for step in (0, 5)]
    return [*far, f"{HOST}/list", f"{HOST}/gone/{number}", f"{HOST}/moved", *near]


def _everywhere() -> list[str]:
    return [page_url(topic, number) for number in range(0, PAGES, 4) for topic in _WORDS]


def lab_text(topic: str, random: Random) -> str:
    """Paragraphs about a topic, as its pages have them."""
    words = _WORDS.get(topic, ["page"])
    return "\n\n".join(
        f"The {' and the '.join(random.choices(words, k=9))} were there again that day."
        for _ in range(8 if topic in _WORDS else 1)
    )


def _page(topic: str, links: list[str], random: Random) -> str:
    paragraphs = lab_text(topic, random).replace("\n\n", "</p><p>")
    anchors = "".join(f'<li><a href="{link}">{link.rpartition("/")[0]}</a></li>' for link in links)
    return f"<html><title>{topic}</title><body><main><p>{paragraphs}</p></main><ul>{anchors}</ul></body></html>"
