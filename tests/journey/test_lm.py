"""The verbs of `opilio lm`, as people use them."""

import contextlib
import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import zstandard
from typer.main import get_command
from typer.testing import CliRunner

from opilio.cli.app import _app
from opilio.core.errors import OpilioError
from opilio.model import to_lines
from opilio.webs.demo import articles
from tests.builders import run_opilio

WORDS = "\n".join(article.text for article in articles("cats.en")[:10])


class Said(NamedTuple):
    stdout: str
    stderr: str


def run(folder: Path, *arguments: str, code: int = 0) -> Said:
    """Runs the command in this process, which has loaded all that a model needs; `pipe` runs it in one of its own."""
    with contextlib.chdir(folder):
        done = CliRunner().invoke(_app, ["lm", *arguments])
    if isinstance(done.exception, OpilioError):
        assert code == 2, done.exception
        return Said(done.stdout, str(done.exception))
    assert done.exit_code == code, done.output
    return Said(done.stdout, done.stderr)


def pipe(folder: Path, *arguments: str, text: str) -> subprocess.CompletedProcess[str]:
    return run_opilio("lm", *arguments, folder=folder, text=text, code=None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("lm")
    (place / "cats.txt").write_text(WORDS, "utf-8")
    (place / "dev.txt").write_text("\n".join(article.text for article in articles("cats.en")[10:14]), "utf-8")
    (place / "tech.txt").write_text("\n".join(article.text for article in articles("tech.en")[:10]), "utf-8")
    run(place, "train", "cats.txt", "-o", "cats.lm")
    run(place, "train", "tech.txt", "-o", "tech.lm", "--smoothing", "katz")
    return place


def scores(folder: Path, model: str, *arguments: str, text: str | None = None) -> list[dict[str, Any]]:
    if text is not None:
        (folder / "asked.txt").write_text(text, "utf-8")
        arguments = ("asked.txt", *arguments)
    rows: list[dict[str, Any]] = json.loads(run(folder, "score", model, *arguments, "--json").stdout)
    return rows


def test_a_model_finds_its_own_topic_likelier(folder: Path) -> None:
    cats, tech = scores(folder, "cats.lm", "dev.txt", "tech.txt")
    assert list(cats) == ["file", "words", "oov", "sentences", "log10", "perplexity", "perplexity_without_oov"]
    assert cats["file"] == "dev.txt"
    assert cats["perplexity"] < tech["perplexity"]
    assert cats["perplexity"] == pytest.approx(10 ** (-cats["log10"] / cats["words"]))
    assert "dev.txt" in run(folder, "score", "cats.lm", "dev.txt").stdout


def test_text_comes_from_a_pipe_too(folder: Path) -> None:
    done = pipe(folder, "train", "-", "-o", "piped.lm", text=WORDS)
    assert done.returncode == 0
    assert done.stderr.startswith("Wrote piped.lm: kneser-ney, order 5")
    assert (folder / "piped.lm").read_bytes() == (folder / "cats.lm").read_bytes()
    assert pipe(folder, "train", "-", "-o", "none.lm", text="").returncode == 2


def test_raw_lines_are_taken_as_they_are(folder: Path) -> None:
    (folder / "lines.txt").write_text(to_lines(WORDS), "utf-8")
    run(folder, "train", "lines.txt", "--raw", "-o", "raw.lm")
    assert (folder / "raw.lm").read_bytes() == (folder / "cats.lm").read_bytes()
    [row] = scores(folder, "cats.lm", "--raw", text="The cat.\nthe cat\n")
    assert (row["words"], row["oov"], row["sentences"]) == (6, 2, 2)


def test_each_sentence_can_have_its_own_score(folder: Path) -> None:
    first, second = scores(folder, "cats.lm", "--sentences", text="The cat sleeps. Qwxyz!")
    assert first["sentence"] == "the cat sleeps"
    assert (second["words"], second["oov"]) == (2, 1)


def test_a_mixture_is_fitted_saved_and_used(folder: Path) -> None:
    *parts, whole = json.loads(
        run(folder, "mix", "cats.lm", "tech.lm", "--dev", "dev.txt", "-o", "m.mix.json", "--json").stdout
    )
    assert [part["model"] for part in parts] == ["cats.lm", "tech.lm"]
    assert sum(part["weight"] for part in parts) == pytest.approx(1)
    assert whole["comparable_perplexity"] <= min(part["comparable_perplexity"] for part in parts)
    [row] = scores(folder, "m.mix.json", "dev.txt")
    assert row["perplexity"] == pytest.approx(whole["perplexity"])
    one, none, _ = json.loads(
        run(
            folder, "mix", "m.mix.json", "tech.lm", "--dev", "dev.txt", "-o", "n.mix.json", "--best", "1", "--json"
        ).stdout
    )
    assert (one["weight"], none["weight"]) == (1, 0)
    facts = json.loads(run(folder, "info", "n.mix.json", "--json").stdout)
    assert [part["file"] for part in facts["parts"]] == ["cats.lm", "tech.lm"]


def test_info_tells_what_a_model_is(folder: Path) -> None:
    facts = json.loads(run(folder, "info", "cats.lm", "--json").stdout)
    assert (facts["order"], facts["smoothing"], facts["checksum"]) == (5, "kneser-ney", "verified")
    assert facts["ngrams"][0] == facts["vocabulary"]
    assert facts["size_bytes"] == (folder / "cats.lm").stat().st_size
    assert "verified" in run(folder, "info", "m.mix.json" if (folder / "m.mix.json").exists() else "cats.lm").stdout


def test_an_exported_model_gives_the_same_answers(folder: Path) -> None:
    run(folder, "export", "cats.lm", "-o", "cats.arpa")
    [ours], [theirs] = scores(folder, "cats.lm", "dev.txt"), scores(folder, "cats.arpa", "dev.txt")
    assert ours["log10"] == pytest.approx(theirs["log10"])
    assert json.loads(run(folder, "info", "cats.arpa", "--json").stdout)["smoothing"] == "arpa"


def test_counts_train_a_model(folder: Path) -> None:
    (folder / "counts.txt").write_text("the cat\t3\nthe dog\t2\n", "utf-8")
    run(folder, "train", "counts.txt", "--counts", "-o", "counted.lm")
    assert json.loads(run(folder, "info", "counted.lm", "--json").stdout)["order"] == 2


def test_a_tiny_text_is_warned_about(folder: Path) -> None:
    (folder / "tiny.txt").write_text("Hardly any text.", "utf-8")
    assert "only 3 words" in run(folder, "train", "tiny.txt", "-o", "tiny.lm").stderr
    assert "only" not in run(folder, "train", "cats.txt", "-o", "again.lm").stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("train missing.txt -o x.lm", "missing.txt cannot be read: No such file"),
        ("train latin.txt -o x.lm", "latin.txt is not UTF-8"),
        ("train broken.gz -o x.lm", "broken.gz cannot be read"),
        ("train bad.jsonl -o x.lm", "line 2 of bad.jsonl"),
        ("train empty.txt -o x.lm", "without words"),
        ("train cats.txt -o no/folder/x.lm", "cannot write no/folder/x.lm: there is no folder no/folder"),
        ("train cats.txt -o x.lm --smoothing witten-bell", "no smoothing"),
        ("train cats.txt -o x.lm --prune a", "such as 0,0,1"),
        ("train cats.txt -o x.lm --memory much", "such as 500MB"),
        ("score latin.txt cats.txt", "latin.txt is not a language model"),
        ("score cut.lm cats.txt", "cut.lm"),
        ("score bad.lm cats.txt", "bad.lm is damaged"),
        ("mix cats.lm bad.lm --dev dev.txt -o x.mix.json", "bad.lm is damaged"),
        ("export bad.lm --arpa x.arpa", "bad.lm is damaged"),
        ("train cut.zst -o x.lm", "cut.zst cannot be read"),
        ("train cats.txt -o x.lm --raw --clean", "one of the two"),
        ("score cats.lm cats.txt --raw --clean", "one of the two"),
        ("info cut.lm", "cut.lm"),
        ("mix cats.lm tech.lm --dev empty.txt -o x.mix.json", "development text"),
        ("export made.mix.json --arpa x.arpa", "is a mixture"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, arguments: str, words: str) -> None:
    (folder / "latin.txt").write_bytes("café".encode("latin-1"))
    (folder / "broken.gz").write_bytes(b"\x1f\x8b12345")
    (folder / "bad.jsonl").write_text('{"text": "a"}\n{"words": 1}\n', "utf-8")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "cut.lm").write_bytes((folder / "cats.lm").read_bytes()[:-100])
    (folder / "cut.zst").write_bytes(zstandard.compress(WORDS.encode())[:-1])
    whole = (folder / "cats.lm").read_bytes()
    (folder / "bad.lm").write_bytes(whole[: len(whole) // 2] + b"\xff" * 64 + whole[len(whole) // 2 + 64 :])
    if "made.mix.json" in arguments:
        run(folder, "mix", "cats.lm", "tech.lm", "--dev", "dev.txt", "-o", "made.mix.json")
    done = run(folder, *arguments.split(), code=2)
    assert words in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        "export kept.lm --arpa kept.lm",
        "export kept.lm --arpa ./link.lm",
        "mix kept.lm tech.lm --dev dev.txt -o kept.lm",
        "mix kept.mix.json --dev dev.txt -o kept.lm",
        "train kept.lm -o kept.lm",
    ],
)
def test_what_is_read_is_never_overwritten(folder: Path, arguments: str) -> None:
    (folder / "kept.lm").write_bytes(whole := (folder / "cats.lm").read_bytes())
    (folder / "link.lm").unlink(missing_ok=True)
    (folder / "link.lm").symlink_to("kept.lm")
    run(folder, "mix", "kept.lm", "--dev", "dev.txt", "-o", "kept.mix.json")
    assert "would be overwritten" in run(folder, *arguments.split(), code=2).stderr
    assert (folder / "kept.lm").read_bytes() == whole


@pytest.mark.parametrize("verb", ["train", "score", "mix", "info", "export"])
def test_the_example_of_a_verb_parses(verb: str) -> None:
    group = get_command(_app).get_command(None, "lm")  # type: ignore[attr-defined]
    command = group.get_command(None, verb)
    example = re.search(rf"Example: opilio lm {verb}\b(.*)", command.help)
    assert example, f"opilio lm {verb} --help has no example"
    command.make_context(verb, shlex.split(example[1]))
