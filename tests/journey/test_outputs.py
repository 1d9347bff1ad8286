"""What verbs write: to standard output if that is asked for, and never into a folder that does not exist."""

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard

import opilio
from tests.builders import PROSE, run_opilio, write_web

SEED = "http://a.test/0"
MISSING = "missing/out"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Has the folder of a crawl, `c`, its web, and files for verbs that read something."""
    pages = {f"http://a.test/{n}": f'<p>Page {n}. {PROSE}</p><a href="/{n + 1}">on</a>' for n in range(3)}
    write_web(tmp_path / "web.warc.gz", pages)
    (tmp_path / "web.labels.tsv").write_text("".join(f"{url}\tspiders\n" for url in pages), "utf-8")
    (tmp_path / "text.txt").write_text(PROSE * 5, "utf-8")
    opilio.crawl(tmp_path / "c", url=SEED, web=tmp_path / "web.warc.gz", workers=1).to_end()
    return tmp_path


def export(folder: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "opilio", "export", "c", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False)


def test_a_dash_is_standard_output(folder: Path) -> None:
    lines = export(folder, "--format", "jsonl", "-o", "-")
    assert [json.loads(line)["url"] for line in lines.stdout.splitlines()] == [r.url for r in opilio.read(folder / "c")]
    assert b"Wrote 3 documents to standard output." in lines.stderr
    packed = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(export(folder, "-o", "-").stdout))
    assert packed.read() == lines.stdout
    assert pq.read_table(io.BytesIO(export(folder, "--format", "parquet", "-o", "-").stdout)).num_rows == 3
    assert export(folder, "--format", "text", "--output", "-").stdout.count(b"Page ") == 3
    assert {path.name for path in folder.iterdir()} == {"c", "web.warc.gz", "web.labels.tsv", "text.txt"}


def test_a_terminal_is_not_sent_what_it_cannot_show(folder: Path) -> None:
    ours, terminal = pty.openpty()
    command = [sys.executable, "-m", "opilio", "export", "c", "-o", "-"]
    done = subprocess.run(command, cwd=folder, stdout=terminal, stderr=subprocess.PIPE, text=True, check=False)
    os.close(terminal)
    os.close(ours)
    assert done.returncode == 2
    assert "a terminal cannot show jsonl.zst. Choose --format jsonl or text" in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        f"export c -o {MISSING}",
        f"lm train text.txt -o {MISSING}",
        f"lm mix text.txt --dev text.txt -o {MISSING}",
        f"lm export text.txt -o {MISSING}",
        f"lm export text.txt --arpa {MISSING}",
        f"judge run web.warc.gz -o {MISSING} --like text.txt",
        f"judge train comments text.txt -o {MISSING}",
        f"judge train badness text.txt --language en -o {MISSING}",
        f"judge train commonness text.txt -o {MISSING}",
        f"sample walk --url {SEED} --web web.warc.gz -o {MISSING}",
        f"lab run --web web.warc.gz -o {MISSING}",
        f"lab run --web web.warc.gz --json {MISSING}",
        f"lab judge --web web.warc.gz -o {MISSING}",
        f"lab judge --web web.warc.gz --json {MISSING}",
        f"lab record c -o {MISSING}.warc.gz",
        f"lab make --pages 20 --domains 2 -o {MISSING}.warc.gz",
    ],
)
def test_a_missing_folder_of_an_output_is_an_error_before_anything_is_done(folder: Path, command: str) -> None:
    before = sorted(folder.iterdir())
    done = run_opilio(*command.split(), folder=folder, code=2)
    assert "there is no folder missing. Create it, or choose another place." in done.stderr
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("style", ["jsonl", "jsonl.zst", "parquet", "text"])
def test_a_full_disk_behind_standard_output_is_an_error_with_words(folder: Path, style: str) -> None:
    command = [sys.executable, "-m", "opilio", "export", "c", "-f", style, "-o", "-"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "opilio: cannot write standard output: No space left on device." in done.stderr
    assert "Traceback" not in done.stderr


def test_an_empty_name_of_an_output_is_an_error(folder: Path) -> None:
    assert "is not the name of a file." in run_opilio("export", "c", "-o", "", folder=folder, code=2).stderr


@pytest.mark.parametrize("command", ["train text.txt", "mix text.lm --dev text.txt", "export text.lm"])
def test_a_verb_that_cannot_stream_does_not_write_a_file_named_dash(folder: Path, command: str) -> None:
    done = run_opilio("lm", *command.split(), "-o", "-", folder=folder, code=2)
    assert "this verb cannot write to standard output; name a file." in done.stderr
    assert not (folder / "-").exists()
