"""Seeds come from settings, options and files, say where they were named, and are refused if one is not a URL."""

from pathlib import Path

import pytest

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Seed
from opilio.ops.seeds import choose_seeds, read_seeds


def _file(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_seeds_say_where_they_were_named(tmp_path: Path) -> None:
    _file(tmp_path / "own.txt", "http://own.test/\n")
    given = _file(tmp_path / "given.txt", "http://given.test/\n")
    config = load_config(tables={"seeds": {"urls": ["http://toml.test/"], "files": ["own.txt"]}})
    assert read_seeds(config, tmp_path, [given], ["http://option.test/"]) == [
        Seed("http://toml.test/", "crawl.toml"),
        Seed("http://option.test/", "named by the operator"),
        Seed("http://own.test/", "own.txt line 1"),
        Seed("http://given.test/", "given.txt line 1"),
    ]


def test_a_named_seed_is_a_url_or_a_file_however_long_it_is(tmp_path: Path) -> None:
    file = _file(tmp_path / "s.txt", "http://file.test/\n")
    long = f"http://long.test/{'x' * 5_000}"
    assert [seed.url for seed in choose_seeds(load_config(), tmp_path, [long, str(file)], "HTTP://b.test/")] == [
        long, "HTTP://b.test/", "http://file.test/",
    ]  # fmt: skip
    with pytest.raises(ConfigError, match=r'"xxx.*is not a valid URL'):
        choose_seeds(load_config(), tmp_path, "x" * 5_000, ())


def test_comments_empty_lines_and_a_byte_order_mark_are_not_seeds(tmp_path: Path) -> None:
    file = _file(tmp_path / "s.txt", "\ufeffhttp://a.test/#top\n\n# a comment\n  http://b.test/  # the second\r\n")
    assert read_seeds(load_config(), tmp_path, [file]) == [
        Seed("http://a.test/#top", "s.txt line 1"),
        Seed("http://b.test/", "s.txt line 4"),
    ]


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("ftp://a.test/", "is not an http or https URL"),
        ("a.test", "is not a valid URL"),
        ("http://", "is not a valid URL"),
    ],
)
def test_a_line_that_is_not_a_url_is_named(tmp_path: Path, line: str, cause: str) -> None:
    file = _file(tmp_path / "s.txt", f"http://a.test/\n{line}\n")
    with pytest.raises(ConfigError, match=rf's\.txt line 2: "{line}" {cause}.*nothing was crawled'):
        read_seeds(load_config(), tmp_path, [file])


def test_a_file_that_cannot_be_read_is_named_with_the_cause(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"missing\.txt: No such file"):
        read_seeds(load_config(), tmp_path, [tmp_path / "missing.txt"])
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"binary\.txt: it is not UTF-8 text"):
        read_seeds(load_config(), tmp_path, [tmp_path / "binary.txt"])
