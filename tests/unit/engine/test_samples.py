"""What the operator gives as samples: every kind of file that is read, and every one that is refused by name."""

import contextlib
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opilio.core.errors import ConfigError
from opilio.engine.samples import Sample, read_samples, warn_small
from tests.builders import response

PROSE = (
    "The shepherd leads his flock over the hill before the evening comes. In winter the sheep stay near the village, "
    "where there is hay enough for all of them, and a stone wall that keeps the wind away from the youngest lambs. "
)
GERMAN = (
    "Die Schäfer führen ihre Herden im Frühling über die Hügel. Für größere Tiere gibt es später frisches Öl und Heu. "
)
MENU = '<ul class="menu"><li><a href="/a">Home</a></li><li><a href="/b">Contact</a></li><li><a href="/c">Imprint</a></li></ul>'
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\x06\0\0\0\x1f\x15\xc4\x89"


def _html(text: str) -> str:
    return f"<!doctype html><html><head><title>T</title></head><body>{MENU}<main><p>{text}</p><p>{text}</p></main></body></html>"


def _words(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes], Path]:
    def put(name: str, data: bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    return put


Write = Callable[[str, bytes], Path]


def _warc(*pages: tuple[str, str, bytes]) -> bytes:
    return b"".join(response(url, body, kind=media) for url, media, body in pages)


# --- what is read


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "cp1252"])
def test_plain_text_is_read_in_the_usual_encodings(write: Write, encoding: str) -> None:
    path = write("sample.txt", (GERMAN * 3).encode(encoding))
    assert read_samples([path]) == [Sample(str(path), _words(GERMAN * 3))]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n"])
def test_lines_of_several_encodings_are_each_read_in_their_own(write: Write, end: bytes) -> None:
    lines = [GERMAN.encode(encoding) for encoding in ("utf-8", "latin-1", "utf-8")]
    [sample] = read_samples([write("joined.txt", end.join(lines))])
    assert _words(sample.text) == _words(GERMAN * 3)


def test_zstandard_of_several_frames_is_read_to_its_end(write: Write) -> None:
    pack = zstandard.ZstdCompressor().compress
    skippable = b"\x50\x2a\x4d\x18\x04\0\0\0skip"
    path = write("x.txt.zst", pack(b"one") + skippable + pack(b" two" * 100_000) + pack(b" three"))
    assert read_samples([path]) == [Sample(str(path), "one" + " two" * 100_000 + " three")]


def test_the_lines_of_a_paragraph_are_joined_and_paragraphs_are_not(write: Write) -> None:
    [sample] = read_samples([write("wrapped", b"One\ntwo\r\nthree\n\n\nFour\n")])
    assert sample.text == "One two three\nFour"


@pytest.mark.parametrize("name", ["page.html", "page", "page.txt"])
def test_markup_gives_its_main_text_whatever_the_file_is_called(write: Write, name: str) -> None:
    [sample] = read_samples([write(name, _html(PROSE).encode())])
    assert sample.text == f"{_words(PROSE)}\n{_words(PROSE)}"


def test_the_declared_charset_of_markup_counts(write: Write) -> None:
    html = _html(GERMAN * 2).replace("<head>", '<head><meta charset="windows-1252">')
    [sample] = read_samples([write("page.html", html.encode("cp1252"))])
    assert "Schäfer" in sample.text


def test_markup_with_hardly_any_main_text_gives_all_of_its_text(write: Write) -> None:
    [sample] = read_samples([write("page.html", f"<html><body>{MENU}<p>Sheep.</p></body></html>".encode())])
    assert set(re.findall(r"\w+", sample.text)) == {"Home", "Contact", "Imprint", "Sheep"}


@pytest.mark.parametrize("name", ["web.warc.gz", "web.warc", "renamed"])
def test_a_warc_gives_a_sample_for_each_page_with_text(write: Write, name: str) -> None:
    data = _warc(
        ("http://a.test/robots.txt", "text/plain", b"User-agent: *\nDisallow: /private\n"),
        ("http://a.test/2", "text/html", _html(PROSE).encode()),
        ("http://a.test/picture", "image/png", PNG),
        ("http://a.test/1", "text/plain", PROSE.encode()),
    )
    samples = read_samples([write(name, gzip.decompress(data) if name == "web.warc" else data)])
    assert [sample.name for sample in samples] == ["http://a.test/2", "http://a.test/1"]
    assert samples[1].text == _words(PROSE)


@pytest.mark.parametrize(
    ("name", "pack"),
    [("x.jsonl", bytes), ("x.jsonl.gz", gzip.compress), ("x.jsonl.zst", zstandard.ZstdCompressor().compress)],
)
def test_every_line_of_jsonl_is_a_sample(write: Write, name: str, pack: Callable[[bytes], bytes]) -> None:
    lines = [{"text": PROSE, "url": "http://a.test/"}, {"text": ""}, {"text": "Grüße\nan alle"}]
    path = write(name, pack("\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()))
    assert read_samples([path]) == [Sample(f"{path} line 1", PROSE.strip()), Sample(f"{path} line 3", "Grüße an alle")]


def test_a_folder_stands_for_its_files_in_order_and_hidden_ones_are_left_out(write: Write, tmp_path: Path) -> None:
    write("like/b.txt", b"second")
    write("like/a.html", _html(PROSE).encode())
    write("like/c/deep.txt.gz", gzip.compress(b"third"))
    write("like/.hidden/x.txt", b"never")
    write("like/.DS_Store", PNG)
    last = write("z.txt", b"last")
    names = [Path(sample.name).name for sample in read_samples([tmp_path / "like", last])]
    assert names == ["a.html", "b.txt", "deep.txt.gz", "z.txt"]
    assert read_samples([tmp_path / "like"]) == read_samples([tmp_path / "like"])


# --- what is refused


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("picture.png", PNG, "is not text"),
        ("noise.txt", bytes(range(256)) * 40, "is not text"),
        ("paper.pdf", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "converted"),
        ("odd.txt", "Wölfe".encode("utf-32") * 50, "UTF-8"),
        ("hole.txt", b"\xef\xbb\xbf" + b"ab\xff" * 100, "UTF-8"),
        ("empty.txt", b"", "has no text"),
        ("blank.txt", b" \n\t\n", "has no text"),
        ("bare.html", b"<html><body><img src=x></body></html>", "has no text"),
        ("no.jsonl", b'{"text": "fine"}\n{"words": "not"}\n', "line 2"),
        ("not.jsonl", b"prose, no JSON\n", "line 1"),
        ("torn.txt.gz", gzip.compress(PROSE.encode(), mtime=0)[:-20], "cannot read"),
        ("bent.txt.gz", gzip.compress(PROSE.encode(), mtime=0)[:10] + b"\xff" * 40, "cannot read"),
        ("torn.txt.zst", zstandard.ZstdCompressor().compress(PROSE.encode())[:-20], "cannot read"),
        (
            "torn.jsonl.zst",
            zstandard.ZstdCompressor().compress(b'{"text": "fine"}\n') * 2 + b"\x28\xb5\x2f\xfd",
            "cannot",
        ),
        ("images.warc.gz", _warc(("http://a.test/p", "image/png", PNG)), "has no text"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(write: Write, name: str, data: bytes, says: str) -> None:
    good, bad = write("good.txt", PROSE.encode()), write(name, data)
    with pytest.raises(ConfigError) as refusal:
        read_samples([good, bad])
    assert str(bad) in str(refusal.value)
    assert says in str(refusal.value)


def test_a_missing_file_and_an_empty_folder_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.txt does not exist"):
        read_samples([tmp_path / "gone.txt"])
    (tmp_path / "none").mkdir()
    with pytest.raises(ConfigError, match="none has no files"):
        read_samples([tmp_path / "none"])


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300))
def test_any_bytes_are_text_or_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "any"
    path.write_bytes(data)
    with contextlib.suppress(ConfigError):
        [sample] = read_samples([path])
        assert sample.text.strip()


# --- too little


def test_few_words_are_warned_of_with_what_follows() -> None:
    warning = warn_small([Sample("a", "twelve words"), Sample("b", "or so")])
    assert warning is not None
    assert "4 words" in warning
    assert "do not belong" in warning


@pytest.mark.parametrize("text", ["word " * 50, "羊飼いは夕方になる前に丘を越えて群れを導きます。" * 3])
def test_fifty_words_are_enough_also_without_spaces(text: str) -> None:
    assert warn_small([Sample("a", text)]) is None
