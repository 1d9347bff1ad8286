"""The documents keep their word: their commands run, their links lead somewhere, what they name exists.

Blocks of `sh`, `console` and `python` run in the order of their document, in a scratch folder. So that nothing leaves the
machine, a crawl that names no recorded web gets one of ours, in which https://example.org/ is a small site. In `console`
blocks the lines below a command must come out of it, "…" standing for anything. A python block that begins with a
comment such as `# name.py` is saved under that name. Two more words after a block's language: `running` starts a crawl in
my-corpus first, `installed` makes the entry points of the document's TOML block known.
"""

import bz2
import os
import re
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from typer.main import get_command

from opilio.cli.app import _app
from opilio.core.config import load_config
from opilio.core.outcome import Drop, Outcome
from opilio.engine.build import SCHEMAS
from opilio.folder import CrawlFolder
from opilio.folder.control import socket_path
from opilio.webs.demo import articles
from opilio.webs.server import LoopbackServer
from tests.builders import ROOT, SOURCE, opilio_command, write_web

DOCS: Final = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
NAMES: Final = [str(path.relative_to(ROOT)) for path in DOCS]
DEFAULTS: Final = tomllib.loads((SOURCE / "opilio/core/defaults.toml").read_text("utf-8"))
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
FREE: Final = ("judge", "lead", "fetch.hosts", "sources")  # their keys belong to plug-ins and users
RUNNABLE: Final = ("sh", "console", "python")
PATIENCE_S: Final = 60
COLUMNS: Final = 100

SITES: Final = ("kebun.example", "dapur.example", "pasar.example", "sawah.example")
INDONESIAN: Final = [
    "Setiap pagi para petani pergi ke sawah untuk melihat apakah air sudah cukup, karena tanpa air padi tidak akan tumbuh.",
    "Di belakang rumah kami ada kebun kecil dengan pohon mangga, pisang, dan pepaya yang ditanam oleh nenek puluhan tahun lalu.",
    "Anak-anak yang pulang dari sekolah sering berhenti di pasar untuk membeli kue dan mendengarkan cerita para pedagang.",
    "Musim hujan tahun ini datang lebih lambat daripada biasanya, sehingga banyak orang khawatir dengan hasil panen mereka.",
    "Menurut ibu, rahasia masakan yang enak adalah bumbu yang segar dan kesabaran pada saat memasak di atas api yang kecil.",
    "Pada malam hari kita dapat mendengar suara katak dan jangkrik dari sungai yang mengalir tidak jauh dari desa ini.",
    "Perpustakaan desa dibuka kembali setelah diperbaiki, dan sekarang memiliki lebih banyak buku untuk pembaca muda.",
    "Kami berharap tulisan ini berguna bagi siapa saja yang ingin belajar tentang kehidupan sehari-hari di kampung kami.",
    "Jalan menuju pelabuhan sudah ramai sejak subuh, ketika nelayan membawa ikan hasil tangkapan mereka untuk dijual.",
    "Kalau cuaca cerah, gunung di sebelah utara terlihat jelas dan banyak orang berfoto di tepi danau bersama keluarga.",
]
OPILIO: Final = """#!/bin/sh
case " $* " in
  *" --web "*) ;;
  " scout ls "* | " scout stats "*) ;;
  " crawl "* | " pilot "* | " revisit "* | " scout "* | " cycle run "*) set -- "$@" --web "$RECORDED" ;;
esac
exec "$PYTHON" -m opilio "$@"
"""
PYTHON: Final = """
import functools, os, runpy, sys, opilio
opilio.crawl = functools.partial(opilio.crawl, web=os.environ["RECORDED"])
runpy.run_path(sys.argv[1], run_name="__main__")
"""


class Block(NamedTuple):
    language: str
    mark: str  # "running", "installed" or nothing
    text: str


def blocks(document: str) -> list[Block]:
    found = re.findall(r"^```(\w+) ?(\w*)\n(.*?)^```$", (ROOT / document).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [Block(*each) for each in found]


# --- the commands


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """https://example.org/ with six documents, a copy of one, and a page that asks not to be used; and a few sites in
    Indonesian."""
    texts = [f"<h1>{each.title}</h1><p>" + "</p><p>".join(each.text.splitlines()) for each in articles("cats.en")[:6]]
    links = '<p><a href="/page">A page</a> <a href="/copy">The same page again</a> <a href="/noai">Not for you</a></p>'
    links += "".join(f'<p><a href="/more/{number}.html">More {number}</a></p>' for number in range(2, 6))
    pages = {"": texts[0] + links, "page": texts[1], "copy": f"<!-- -->{texts[1]}"}
    pages |= {f"more/{number}.html": texts[number] for number in range(2, 6)}
    pages["noai"] = f'<meta name="robots" content="noai">{texts[2]}'
    path = tmp_path_factory.mktemp("web") / "recorded.warc.gz"
    return write_web(path, {f"https://example.org/{name}": html for name, html in pages.items()} | indonesian_pages())


def indonesian_pages() -> dict[str, str]:
    """Three pages on each of a few sites. They have the same sentences in other orders."""
    pages = {}
    for place, site in enumerate(SITES):
        other = SITES[(place + 1) % len(SITES)]
        for number, name in enumerate(("", "tanaman", "kabar")):
            start = (3 * place + number) % len(INDONESIAN)
            text = "</p><p>".join(INDONESIAN[start:] + INDONESIAN[:start])
            links = f'<a href="/tanaman">Tanaman</a> <a href="/kabar">Kabar</a> <a href="https://{other}/">{other}</a>'
            pages[f"https://{site}/{name}"] = f"<title>{site} {name}</title><h1>{site}</h1><p>{text}</p><p>{links}</p>"
    return pages


def indonesian_dump() -> bytes:
    """A dump of a wiki whose articles link to these sites."""
    articles = "".join(
        f"<page><title>{site}</title><ns>0</ns><id>{number}</id><revision><id>{number}</id>"
        f"<text>Lihat [https://{site}/ situs resmi].</text></revision></page>"
        for number, site in enumerate(SITES, 1)
    )
    head = '<mediawiki xml:lang="id"><siteinfo><dbname>idwiki</dbname></siteinfo>'
    return bz2.compress(f"{head}{articles}</mediawiki>".encode())


class Scratch:
    """A folder in which a document's blocks run, with an `opilio` on the path that cannot reach the network."""

    def __init__(self, folder: Path, recorded: Path) -> None:
        self.folder = folder
        bin_folder = folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "opilio").write_text(OPILIO, "utf-8")
        (bin_folder / "opilio").chmod(0o755)
        (folder / "recorded.warc.gz").symlink_to(recorded)
        page, sample = articles("cats.en")[6:8]
        (folder / "page.html").write_text(f"<title>{page.title}</title><p>{page.text}</p>", "utf-8")
        (folder / "article.txt").write_text(sample.text, "utf-8")
        (folder / "idwiki-pages-articles.xml.bz2").write_bytes(indonesian_dump())
        self.environment = os.environ | {
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": f"{folder}{os.pathsep}{SOURCE}",
            "PYTHON": sys.executable,
            "RECORDED": str(recorded),
            "COLUMNS": "200",
        }

    def run(self, *command: str, folder: Path | None = None) -> str:
        done = subprocess.run(
            command, cwd=folder or self.folder, env=self.environment, capture_output=True, text=True,
            timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command[-1]}\n{done.stdout}{done.stderr}"
        return done.stdout

    def run_block(self, block: Block, number: int) -> None:
        if block.language == "python":
            self.run(sys.executable, "-c", PYTHON, self._save(block, number))
        elif block.language == "console":
            self._converse(block.text)
        elif block.mark == "running":
            with running_crawl(self.folder / "running", self.environment) as place:
                self.run("bash", "-euc", block.text, folder=place)
        else:
            self.run("bash", "-euc", block.text)

    def install(self, project: Mapping[str, Any]) -> None:
        """What pip would leave behind of this pyproject.toml."""
        info = self.folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n", "utf-8")
        groups = project["entry-points"].items()
        lines = [
            f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in each.items()) for group, each in groups
        ]
        (info / "entry_points.txt").write_text("\n".join(lines), "utf-8")

    def _save(self, block: Block, number: int) -> str:
        named = re.match(r"# (\w+\.py)\n", block.text)
        name = named[1] if named else f"block_{number}.py"
        (self.folder / name).write_text(block.text, "utf-8")
        return name

    def _converse(self, text: str) -> None:
        for turn in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, *shown = turn.splitlines()
            said = [line.rstrip() for line in self.run("bash", "-euc", command).splitlines()]
            for line in shown:
                pattern = ".*".join(map(re.escape, line.split("…")))
                assert any(re.fullmatch(pattern, each) for each in said), f"{command}\nnever said: {line}\nbut: {said}"


@contextmanager
def running_crawl(folder: Path, environment: dict[str, str]) -> Iterator[Path]:
    """A crawl of a loopback web in my-corpus, which the block is expected to stop."""
    place = folder / "my-corpus"
    place.mkdir(parents=True)
    with LoopbackServer("made:2,500,0") as server:
        hosts = "\n".join(f'"{name}" = "{address}"' for name, address in server.hosts.items())
        seeds = [f"{server.origin(name)}/" for name in server.hosts]
        (place / "crawl.toml").write_text(
            f"[seeds]\nurls = {seeds}\n[fetch]\ndelay_s = 0.2\nallow_private_addresses = true\n[fetch.hosts]\n{hosts}\n"
        )
        command = opilio_command("crawl", "my-corpus", "--quiet")
        process = subprocess.Popen(command, cwd=folder, env=environment)
        try:
            wait_for(socket_path(CrawlFolder(place)), process)
            yield folder
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()
            process.wait()


def wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not path.exists():
        assert process.poll() is None, "the crawl ended by itself"
        assert time.monotonic() < deadline_s, "the crawl never listened"
        time.sleep(0.02)


# A document may have many commands; none of them may take longer than PATIENCE_S.
@pytest.mark.timeout(10 * PATIENCE_S)
@pytest.mark.parametrize(
    "document", [name for name in NAMES if any(each.language in RUNNABLE for each in blocks(name))]
)
def test_commands_of_a_document_run(document: str, tmp_path_factory: pytest.TempPathFactory, recorded: Path) -> None:
    scratch = Scratch(tmp_path_factory.mktemp("docs"), recorded)  # short enough for a socket's path
    for number, block in enumerate(blocks(document)):
        if block.mark == "installed":
            tables = [tomllib.loads(each.text) for each in blocks(document) if each.language == "toml"]
            scratch.install(next(each["project"] for each in tables if "project" in each))
        if block.language in RUNNABLE:
            scratch.run_block(block, number)


@pytest.mark.parametrize("document", NAMES)
def test_commands_that_are_only_shown_could_be_given(document: str) -> None:
    shown = [each.text.replace("\\\n", " ") for each in blocks(document) if each.language == "text"]
    for line in re.findall(r"^opilio (?!.*[…<])(.+)", "\n".join(shown), re.MULTILINE):
        command, words = get_command(_app), ["opilio", *shlex.split(line, comments=True)]
        while hasattr(command, "get_command"):
            words = words[1:]
            command = command.get_command(None, words[0])
        command.make_context(words[0], words[1:])


def test_plugins_of_the_document_are_short() -> None:
    classes = [block.text for block in blocks("docs/plugins.md") if "\nclass " in block.text]
    assert classes
    assert all(len([line for line in text.splitlines() if line.strip()]) <= 20 for text in classes)


@pytest.mark.parametrize("document", NAMES)
def test_blocks_have_a_language_that_somebody_reads(document: str) -> None:
    assert {block.language for block in blocks(document)} <= {*RUNNABLE, "text", "toml"}
    assert (ROOT / document).read_text("utf-8").count("\n```") == 2 * len(blocks(document))


@pytest.mark.parametrize("document", NAMES)
def test_prose_is_wrapped(document: str) -> None:
    text = re.sub(r"^```.*?^```$", "", (ROOT / document).read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    unwrappable = re.compile(r"\||!?\[[^]]*\]\(\S+\)$")  # a row of a table, or a picture or link by itself
    prose = [line for line in text.splitlines() if not unwrappable.match(line)]
    assert [line for line in prose if len(line) > COLUMNS] == []


# --- what the documents name


@pytest.mark.parametrize("document", NAMES)
def test_files_that_a_document_links_exist(document: str) -> None:
    path = ROOT / document
    links = re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8"))
    files = [link.partition("#")[0] for link in links if "://" not in link and not link.startswith("#")]
    assert [name for name in files if not (path.parent / name).exists()] == []


def test_every_dependency_has_a_line_with_its_licence() -> None:
    extras = PROJECT["project"]["optional-dependencies"].values()
    wanted = [
        *PROJECT["build-system"]["requires"],
        *PROJECT["project"]["dependencies"],
        *(name for each in extras for name in each),
    ]
    names = {re.split(r"[^\w-]", requirement)[0] for requirement in wanted} - {"opilio"}
    lines = (ROOT / "docs/dependencies.md").read_text("utf-8").partition("## Turned down")[0].splitlines()
    rows = {line.split("`")[1]: line for line in lines if line.startswith("| `")}
    assert names - rows.keys() == set()
    assert rows.keys() - names == set(), "no longer a dependency"
    assert all(min(len(cell.strip()) for cell in row.split("|")[1:-1]) >= 3 for row in rows.values())


@pytest.mark.parametrize("document", NAMES)
def test_settings_that_a_document_names_exist(document: str) -> None:
    text = (ROOT / document).read_text("utf-8")
    named = set(re.findall(rf"\b((?:{'|'.join(DEFAULTS)})\.[a-z_]+)(?=[`=])", text))
    named -= {name for name in named if name.rpartition(".")[2] in ("toml", "db", "py", "md", "json")}
    assert [name for name in sorted(named) if not name.startswith(FREE) and _default(name) is None] == []


@pytest.mark.parametrize("document", NAMES)
def test_defaults_that_a_document_states_are_the_defaults(document: str) -> None:
    rows = re.findall(r"^\| `([a-z_.]+)` \| `([^`]+)` \|", (ROOT / document).read_text("utf-8"), re.MULTILINE)
    stated = {name: tomllib.loads(f"value = {value}")["value"] for name, value in rows if _default(name) is not None}
    assert stated == {name: _default(name) for name in stated}


@pytest.mark.parametrize("document", NAMES)
def test_settings_in_toml_blocks_are_accepted(document: str) -> None:
    for block in blocks(document):
        tables = tomllib.loads(block.text) if block.language == "toml" else {}
        if "project" not in tables:
            load_config(tables=tables)


def test_the_journey_names_every_ending() -> None:
    text = (ROOT / "docs/journey.md").read_text("utf-8")
    assert [ending for ending in (*Drop, *Outcome) if f"`{ending}`" not in text] == []


def test_the_folder_page_names_every_table() -> None:
    text = (ROOT / "docs/folder.md").read_text("utf-8")
    tables = {"meta", *re.findall(r"CREATE TABLE IF NOT EXISTS (\w+)", " ".join(SCHEMAS))}
    assert {name for name in tables if f"| `{name}` |" not in text} == set()


@pytest.mark.parametrize("verb", get_command(_app).list_commands(None))  # type: ignore[attr-defined]
def test_the_example_of_a_verb_parses(verb: str) -> None:
    command = get_command(_app).get_command(None, verb)  # type: ignore[attr-defined]
    example = re.search(rf"Example: opilio {verb}\b(.*)", command.help)
    assert example, f"opilio {verb} --help has no example"
    command.make_context(verb, shlex.split(example[1]))


def _default(name: str) -> Any:
    table, _, key = name.partition(".")
    return DEFAULTS.get(table, {}).get(key)
