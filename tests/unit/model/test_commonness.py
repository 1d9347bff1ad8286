"""How common terms are: the arithmetic by hand, and the knowledge that comes with the program."""

import bz2
import json
import os
from importlib import resources
from pathlib import Path

import pytest
from typer.testing import CliRunner

from opilio.cli.judge import judge
from opilio.core.errors import ConfigError, ModelError
from opilio.model.commonness import (
    commonness,
    language_of,
    languages,
    of_pages,
    of_sentences,
    read_commonness,
    write_commonness,
)
from opilio.model.terms import terms
from opilio.webs.demo import articles

EXPORT = '<mediawiki xml:lang="xy"><page><text xml:space="preserve">{}</text></page></mediawiki>'
MANY = " ".join(f"w{number}" for number in range(100))


def test_pages_are_counted_and_stubs_are_not() -> None:
    shares = of_pages([f"cat cat {MANY}", f"dog {MANY}", "cat"])
    assert shares["cat"] == shares["dog"] == 0.5
    assert shares["w7"] == 1.0


def test_sentences_are_extrapolated_to_pages_of_a_thousand_words() -> None:
    shares = of_sentences(["the cat sat", "the dog", "one two three four five"])
    assert shares == {"the": pytest.approx(1 - (1 - 2 / 10) ** 1000)}  # the others were seen once


def test_shares_are_rounded_and_rare_terms_dropped(tmp_path: Path) -> None:
    file = tmp_path / "shares"
    write_commonness({"xy": {"often": 0.98765, "rare": 0.0194, "same": 0.9877}}, file)
    assert read_commonness("shares", file.read_bytes()) == {"xy": [(0.988, "often same")]}


def test_what_comes_with_the_program_knows_grammar_from_subjects() -> None:
    english = commonness("en")
    assert english["the"] > 0.98
    assert english.get("kitten", 0.0) < 0.1
    assert commonness("de")["und"] > 0.98
    assert commonness("no") == commonness("nb") != {}
    assert commonness("tlh") == {}
    assert len(languages()) >= 75


@pytest.mark.parametrize("code", ["en", "de"])
def test_the_language_of_a_text_is_told_by_common_terms(code: str) -> None:
    assert {language_of(terms(each.text)) for each in articles(f"cats.{code}")} == {code}


@pytest.mark.parametrize("text", ["", "qapla batlh tlhingan"])
def test_a_language_that_is_not_known_has_no_code(text: str) -> None:
    assert language_of(terms(text)) == ""


@pytest.mark.parametrize("data", [b"", b"no such file", bytes.fromhex("28b52ffd0401000001")])
def test_a_file_of_something_else_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(ModelError, match="mine is not a file of term frequencies"):
        read_commonness("mine", data)


@pytest.mark.parametrize("name", ["dump.xml", "dump.xml.bz2"])
def test_the_command_reads_sentences_and_a_dump(tmp_path: Path, name: str) -> None:
    sentences, dump, output = tmp_path / "sentences.json", tmp_path / name, tmp_path / "shares"
    sentences.write_text(json.dumps({"xy": ["cat", "cat", "sat", "sat"], "yz": ["le le"]}), "utf-8")
    export = EXPORT.format(f"{{{{box|hidden}}}} [[link|cat]]&lt;ref&gt; http://a.test/hidden {MANY}").encode()
    dump.write_bytes(bz2.compress(export) if name.endswith(".bz2") else export)
    run = CliRunner().invoke(judge, ["train", "commonness", str(sentences), "--wiki", str(dump), "-o", str(output)])
    assert run.exit_code == 0, run.output
    found = read_commonness("shares", output.read_bytes())
    assert found["yz"] == [(1.0, "le")]
    assert set(found["xy"][0][1].split()) == {"cat", "sat", *MANY.split()}


@pytest.mark.parametrize("data", [b"BZh", b"<html>", b"\xff"])
def test_a_dump_that_is_none_is_the_operators_mistake(tmp_path: Path, data: bytes) -> None:
    sentences, dump = tmp_path / "sentences.json", tmp_path / "dump.xml"
    dump = dump.with_suffix(".bz2") if data == b"BZh" else dump
    sentences.write_text("{}", "utf-8")
    dump.write_bytes(data)
    run = CliRunner().invoke(judge, ["train", "commonness", str(sentences), "--wiki", str(dump), "-o", "x"])
    assert isinstance(run.exception, ConfigError)
    assert "MediaWiki export" in str(run.exception)


def test_what_comes_with_the_program_can_be_made_again(tmp_path: Path) -> None:
    folder = Path(os.environ.get("OPILIO_DATA", ""))
    sentences, dump = folder / "text" / "sentences.json.gz", folder / "vectors" / "enwiki-sample.xml.bz2"
    if not sentences.is_file() or not dump.is_file():
        pytest.skip("OPILIO_DATA names no folder with text/sentences.json.gz and vectors/enwiki-sample.xml.bz2")
    output = tmp_path / "shares"
    run = CliRunner().invoke(judge, ["train", "commonness", str(sentences), "--wiki", str(dump), "-o", str(output)])
    assert run.exit_code == 0, run.output
    shipped = (resources.files("opilio.model") / "commonness.msgpack.zst").read_bytes()
    assert read_commonness("made", output.read_bytes()) == read_commonness("shipped", shipped)
