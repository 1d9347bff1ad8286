"""What many tests are made of: values of the stages, recorded webs, and runs of the `opilio` command.

Every builder has a default for whatever a test does not care about, so that a test says only what it is about.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

import opilio
from opilio.core.items import Headers, Link, Page, Sighting, Target
from opilio.enqueue import SCHEMA, SqliteStore
from opilio.keep import payload_digest, response_record
from opilio.webs.demo import articles, demo_web

ROOT: Final = Path(__file__).parents[1]
SOURCE: Final = Path(opilio.__file__).parents[1]
DATE: Final = "2026-01-01T00:00:00Z"
PROSE: Final = "A long enough paragraph about the harvestman, which looks like a spider and is not one. " * 6
_PAGE: Final = Page(
    url="", host="", depth=1, title="", text="", words=0, language="en", language_confidence=0.9, charset="utf-8",
    canonical="", declared_language="", blocks=(), links=(), classes=(), signals=(), nofollow=False, truncated=False,
    refused_links={},
)  # fmt: skip


# --- values of the stages


def host_of(url: str) -> str:
    return url.split("/")[2]


def page(text: str = "", name: object = "", *, url: str = "", **fields: Any) -> Page:
    """A page at this path of a.test, or at this URL."""
    url = url or f"http://a.test/{name}"
    return replace(_PAGE, **{"url": url, "host": host_of(url), "text": text, "words": len(text.split()), **fields})


def link(url: str, **fields: Any) -> Link:
    return Link(url, host_of(url), **fields)


def sighting(
    url: str = "http://t.test/", parent: int = 1, score: float | None = 0.5, *, belongs: bool = True,
    measures: Mapping[str, float] | None = None, **fields: Any,
) -> Sighting:  # fmt: skip
    """A link to this URL on a page with this score; the further fields are those of the link."""
    found = link(url, **fields)
    return Sighting(parent, f"http://p{parent}.test/", score, belongs, found, dict(measures or {}))


def target(
    url: str = "http://t.test/",
    *sightings: Sighting,
    number: int = 9,
    depth: int = 1,
    score: float | None = None,
) -> Target:
    return Target(number, url, host_of(url), depth, 0, sightings, score)


# --- recorded webs


def memory_store() -> SqliteStore:
    """A frontier's store that is not on disk."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCHEMA)
    store = SqliteStore(connection)
    weakref.finalize(store, connection.close)
    return store


def response(url: str, body: str | bytes, status: int = 200, kind: str = "text/html", **fields: str) -> bytes:
    """A WARC record; the further fields are HTTP headers."""
    content = body.encode() if isinstance(body, str) else body
    return _record(url, status, (("Content-Type", kind), *fields.items()), content)


def write_web(path: Path, pages: Mapping[str, str]) -> Path:
    """A recorded web with the HTML of each URL."""
    path.write_bytes(b"".join(response(url, html) for url, html in pages.items()))
    return path


def write_demo_web(path: Path) -> Path:
    """The four sites of the demo as a recorded web."""
    pages = [(host, *each) for host, site in demo_web().items() for each in site.pages.items()]
    records = (_record(f"http://{host}{at}", got.status, got.headers, got.body) for host, at, got in pages)
    path.write_bytes(b"".join(records))
    return path


def demo_seeds() -> list[str]:
    """The options that make each site of the demo a seed."""
    return [option for host in demo_web() for option in ("--url", f"http://{host}/")]


def demo_texts(key: str) -> list[str]:
    """The prose of a site of the demo, three articles to a text, so that each has about 500 words."""
    found = [article.text for article in articles(key)]
    return ["\n".join(found[start : start + 3]) for start in range(0, len(found), 3)]


def write_samples(folder: Path, key: str, count: int = 3) -> Path:
    """A new folder with the first articles of a site of the demo."""
    folder.mkdir()
    for number, article in enumerate(articles(key)[:count]):
        (folder / f"{number}.txt").write_text(article.text, "utf-8")
    return folder


def _record(url: str, status: int, headers: Headers, body: bytes) -> bytes:
    return response_record(url, DATE, "", status, headers, body, payload_digest(body), 1)


# --- the command


def opilio_command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "opilio", *map(str, arguments)]


def opilio_environment(**variables: str) -> dict[str, str]:
    """A process of its own finds the Opilio under test, and the benchmarks beside it."""
    return os.environ | {"PYTHONPATH": f"{SOURCE}{os.pathsep}{ROOT}", **variables}


def run_opilio(
    *arguments: object, folder: Path | None = None, code: int | None = 0, text: str | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Runs the command and checks its exit code; `code=None` accepts every code."""
    return run_module("opilio", *arguments, folder=folder, code=code, text=text, **variables)


def run_module(
    module: str,
    *arguments: object,
    folder: Path | None = None,
    code: int | None = 0,
    text: str | None = None,
    **variables: str,
) -> subprocess.CompletedProcess[str]:
    """Runs `python -m MODULE` as `run_opilio` runs the command."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=folder, env=opilio_environment(**variables), input=text, capture_output=True,
        text=True, timeout=110, check=False,
    )  # fmt: skip
    assert code in (None, done.returncode), done.stdout + done.stderr
    return done


def run_and_kill(work: Callable[[], object], after_s: float) -> bool:
    """Works in another process, which is killed after this time. Returns False if it was ready before."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


# --- packages of others


def install_plugin(path: Path, kind: str, name: str, place: str) -> Path:
    """Leaves behind in the folder what pip would of a package with this judge or lead, for `sys.path`."""
    info = path / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[opilio.{kind}s]\n{name} = {place}\n", "utf-8")
    return path
