"""Seeds come from settings, options and files, say where they were named, and are refused if one is not a URL."""

from pathlib import Path

import pytest

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Seed
from opilio.ops.seeds import choose_seeds


def _file(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_seeds_say_where_they_were_named(tmp_path: Path) -> None:
    _file(tmp_path / "own.txt", "http://own.test/\n")
    given = _file(tmp_path / "given.txt", "http://given.test/\n")
    config = load_config(tables={"seeds": {"urls": ["http://toml.test/"], "files": ["own.txt"]}})
    assert choose_seeds(config, tmp_path, [given], ["http://option.test/"]).seeds == [
        Seed("http://toml.test/", "crawl.toml"),
        Seed("http://option.test/", "--url"),
        Seed("http://own.test/", "own.txt line 1"),
        Seed("http://given.test/", "given.txt line 1"),
    ]


def test_a_named_seed_is_a_url_or_a_file_however_long_it_is(tmp_path: Path) -> None:
    file = _file(tmp_path / "s.txt", "http://file.test/\n")
    long = f"http://long.test/{'x' * 5_000}"
    chosen = choose_seeds(load_config(), tmp_path, [long, str(file)], "HTTP://b.test/")
    assert [seed.url for seed in chosen.seeds] == [long, "HTTP://b.test/", "http://file.test/"]
    with pytest.raises(ConfigError, match=r'"xxx.*is not a valid URL'):
        choose_seeds(load_config(), tmp_path, "x" * 5_000, ())


def test_comments_empty_lines_and_a_byte_order_mark_are_not_seeds(tmp_path: Path) -> None:
    file = _file(tmp_path / "s.txt", "\ufeffhttp://a.test/#top\n\n# a comment\n  http://b.test/  # the second\r\n")
    assert choose_seeds(load_config(), tmp_path, [file]).seeds == [
        Seed("http://a.test/#top", "s.txt line 1"),
        Seed("http://b.test/", "s.txt line 4"),
    ]


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("ftp://a.test/", "is not an http or https URL"),
        ("a.test", "is not a valid URL; if it is a host, write https://a.test"),
        ("intranet", "is not a valid URL"),
        ("mailto:somebody@example.org", "is not an http or https URL"),
        ("missing.txt", "is not a URL, and there is no such file"),
        ("http://", "is not a valid URL"),
    ],
)
def test_a_line_that_is_not_a_url_is_named(tmp_path: Path, line: str, cause: str) -> None:
    file = _file(tmp_path / "s.txt", f"http://a.test/\n{line}\n")
    with pytest.raises(ConfigError, match=rf's\.txt line 2: "{line}" {cause}.*nothing was crawled'):
        choose_seeds(load_config(), tmp_path, [file])


def test_a_file_that_cannot_be_read_is_named_with_the_cause(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"missing\.txt: No such file"):
        choose_seeds(load_config(), tmp_path, [tmp_path / "missing.txt"])
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"binary\.txt: it is not UTF-8 text"):
        choose_seeds(load_config(), tmp_path, [tmp_path / "binary.txt"])


def test_all_bad_lines_are_told_at_once_up_to_ten(tmp_path: Path) -> None:
    file = _file(tmp_path / "s.txt", "http://a.test/\n" + "".join(f"ftp://a.test/{n}\n" for n in range(47)))
    with pytest.raises(ConfigError) as caught:
        choose_seeds(load_config(), tmp_path, [file], ["http://"])
    lines = str(caught.value).splitlines()
    assert lines[0] == "48 seeds cannot be used:"
    assert lines[1] == '  --url: "http://" is not a valid URL'
    assert lines[2] == '  s.txt line 2: "ftp://a.test/0" is not an http or https URL'
    assert lines[11:] == ["  and 38 more", "Fix or remove them; nothing was crawled."]


def test_a_file_that_is_named_as_a_url_is_answered_with_the_option(tmp_path: Path) -> None:
    file = _file(tmp_path / "s.txt", "http://a.test/\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        with pytest.raises(ConfigError, match=r'"s\.txt" is a file, and not a URL; write --seeds s\.txt'):
            choose_seeds(load_config(), tmp_path, (), file.name)


def test_without_a_seed_a_crawl_cannot_begin_and_the_empty_file_is_named(tmp_path: Path) -> None:
    file = _file(tmp_path / "s.txt", "# nothing yet\n")
    with pytest.raises(ConfigError, match=r"nothing to crawl\. .*s\.txt has no URL in it\. Name seeds"):
        choose_seeds(load_config(), tmp_path, [file])
    (tmp_path / "crawl.db").touch()
    assert choose_seeds(load_config(), tmp_path, [file]).seeds == []  # it has begun, and can be resumed


def test_a_scout_is_named_only_by_a_verb_that_asks_scouts(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"with --seeds FILE or --url URL\."):
        choose_seeds(load_config(), tmp_path)
    with pytest.raises(ConfigError, match=r"--url URL or --from-scout SCOUT\.DB\."):
        choose_seeds(load_config(), tmp_path, found=[])


@pytest.mark.parametrize(
    ("raw", "meant"),
    [
        ("example.org", "https://example.org/"),
        ("www.example.co.uk/a?b=c", "https://www.example.co.uk/a?b=c"),
        ("Bücher.de/Über", "https://xn--bcher-kva.de/%C3%9Cber"),
        ("example.org:443/a", "https://example.org/a"),
        ("example.org:8080/a", "http://example.org:8080/a"),
        ("localhost:8080", "http://localhost:8080/"),
        ("localhost", "http://localhost/"),
        ("127.0.0.1:9/x", "http://127.0.0.1:9/x"),
        ("[::1]:9", "http://[::1]:9/"),
        ("example.md/page", "https://example.md/page"),
    ],
)
def test_a_seed_without_a_scheme_is_completed_with_a_note(tmp_path: Path, raw: str, meant: str) -> None:
    assert choose_seeds(load_config(), tmp_path, url=[raw]) == (
        [Seed(meant, "--url")],
        [f"{raw} is taken for {meant}."],
    )


@pytest.mark.parametrize(
    "raw", ["seeds.txt", "example.md", "12345", "a.test", "x@example.org", "a b.org", "host:port", "example.org:99999"]
)
def test_what_is_probably_not_a_host_is_not_completed(tmp_path: Path, raw: str) -> None:
    with pytest.raises(ConfigError, match="nothing was crawled"):
        choose_seeds(load_config(), tmp_path, url=[raw])


def test_many_seeds_without_a_scheme_have_one_note(tmp_path: Path) -> None:
    [note] = choose_seeds(load_config(), tmp_path, url=["example.org", "example.net", "http://a.test/", "b.de"]).notes
    assert note == "example.org is taken for https://example.org/, and so on for 2 more seeds without a scheme."
