"""Sample texts that show what a corpus is about: the files of any kind that the operator gives with `--like`.

Rules:
* A folder stands for its files and those of its subfolders, except hidden ones. `.gz` and `.zst` are unpacked.
* The kind of a file is recognised by its content: a WARC gives one sample per page, markup is gleaned like a crawled page,
  anything else is plain text. Only `.jsonl` is recognised by its name: each line is an object with a "text".
* Samples and crawled pages are compared with each other, so both are treated alike: boilerplate is removed, and the lines
  of a paragraph are joined. Markup with hardly any main text gives all of its text, because somebody chose that file.
* A file whose lines are of several encodings, as `cat` makes them, is read line by line.
* A file that cannot be used is an error that names it. A sample that was left out silently would change every score.

Invariant: the same files give the same samples in the same order.
"""

import gzip
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Final

import msgspec
import zstandard

from opilio.core.errors import ConfigError
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.plugin import Sample
from opilio.core.url import Url, parse
from opilio.fetch.decode import decode
from opilio.fetch.recorded import RecordedWeb
from opilio.glean import decode_text, glean, looks_binary
from opilio.glean.plain import paragraphs

__all__ = ["Sample", "read_samples", "sample_reader", "warn_small"]

_FEW_WORDS: Final = 50
_MAX_DAMAGED_SHARE: Final = 0.05  # the share of characters that cannot be decoded
_KINDS: Final = "Give text, HTML, WARC files or .jsonl with a “text” in each line"
_MARKUP: Final = re.compile(r"\A\s*<[a-z!?]|<(?:!doctype html|html|body)[\s>]", re.IGNORECASE)
_MARKUP_CHARS: Final = 1_000  # at the beginning of a file, searched for markup
_MARKUP_NAMES: Final = frozenset({".html", ".htm", ".xhtml"})
_ADDRESS: Final = "http://sample.invalid/"  # links do not matter here, but a page needs an address
_LIMITS: Final = Limits()


class _Line(msgspec.Struct):
    text: str


def read_samples(paths: Sequence[Path]) -> list[Sample]:
    return [sample for path in paths for file in _files(path) for sample in _read(file)]


def sample_reader(folder: Path) -> Callable[[Sequence[str]], tuple[Sample, ...]]:
    """Returns a function that reads samples by their names in a crawl.toml, which are relative to its folder."""
    return lambda names: tuple(read_samples([folder / name for name in names]))


def warn_small(samples: Sequence[Sample]) -> str | None:
    """Returns a warning for the operator if the samples are too short to compare pages with, or None."""
    words = sum(len(sample.text.split()) for sample in samples)
    if words < _FEW_WORDS:  # or a script without spaces
        from opilio.model.words import to_lines  # noqa: PLC0415 - slow to import, and rarely needed

        words = sum(len(to_lines(sample.text).split()) for sample in samples)
    if words >= _FEW_WORDS:
        return None
    return (
        f"The samples have {words} words in all. With fewer than {_FEW_WORDS}, scores say little about what a page is about: "
        "expect pages that do not belong. Name more texts with --like."
    )


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    found = sorted(file for file in path.rglob("*") if file.is_file() and not _is_hidden(file.relative_to(path)))
    if not found:
        raise ConfigError(f"the samples folder {path} has no files. {_KINDS}.")
    yield from found


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _read(path: Path) -> list[Sample]:
    data = _contents(path)
    if data.startswith(b"WARC/"):
        samples = list(_of_warc(path))
    elif ".jsonl" in path.suffixes:
        samples = list(_of_lines(path, data))
    else:
        samples = [Sample(str(path), _text(path, data))]
    samples = [sample for sample in samples if sample.text.strip()]
    if not samples:
        raise ConfigError(f"the sample {path} has no text in it. Name another file, or leave it out.")
    return samples


def _contents(path: Path) -> bytes:
    """Returns the unpacked bytes of a file; only the first few if it is a WARC, which may be larger than memory."""
    try:
        with path.open("rb") as file:
            magic = file.read(4)
            file.seek(0)
            if magic == b"\x28\xb5\x2f\xfd":
                return b"".join(_unpack_zstd(file))
            with gzip.GzipFile(fileobj=file) if magic.startswith(b"\x1f\x8b") else file as reader:
                start = reader.read(5)
                return start if start == b"WARC/" else start + reader.read()
    except FileNotFoundError as error:
        raise ConfigError(f"the sample {path} does not exist. Correct its name, or leave it out.") from error
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        raise ConfigError(f"cannot read the sample {path}: {error}. {_KINDS}.") from error


def _unpack_zstd(file: IO[bytes]) -> Iterator[bytes]:
    """Unpacks frame by frame, because the library's own reader does not notice that a file was cut off."""
    whole = True
    while chunk := file.read(zstandard.DECOMPRESSION_RECOMMENDED_INPUT_SIZE):
        while chunk:
            if whole:
                frame = zstandard.ZstdDecompressor().decompressobj()
            yield frame.decompress(chunk)
            whole, chunk = frame.eof, frame.unused_data
    if not whole:
        raise EOFError("it ends in the middle")


def _text(path: Path, data: bytes) -> str:
    if looks_binary(data):
        raise ConfigError(f"the sample {path} is not text. {_KINDS}; PDF and office files must be converted first.")
    text = _decode(data)
    if text.count("\ufffd") + text.count("\0") > _MAX_DAMAGED_SHARE * len(text):
        raise ConfigError(f"the encoding of the sample {path} cannot be told. Save it as UTF-8.")
    if not _MARKUP.search(text[:_MARKUP_CHARS]) and path.suffix.lower() not in _MARKUP_NAMES:
        return "\n".join(block.text for block in paragraphs(text))
    page = glean(
        _url(_ADDRESS), 0, (("content-type", "text/html; charset=utf-8"),), text.encode(), _LIMITS, context=False
    )
    if isinstance(page, Drop):
        return ""
    return page.text if page.words >= _FEW_WORDS else "\n".join(block.text for block in page.blocks)


def _decode(data: bytes) -> str:
    text, charset, _ = decode_text(data, "")
    if charset != "windows-1252":  # which all that is not UTF-8 is taken for
        return text
    return "".join(_decode_line(line) for line in data.splitlines(keepends=True))


def _decode_line(line: bytes) -> str:
    """Tries UTF-8 first, because hardly any line of another encoding is valid UTF-8 by chance."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")


def _of_lines(path: Path, data: bytes) -> Iterator[Sample]:
    decoder = msgspec.json.Decoder(_Line)
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        try:
            yield Sample(f"{path} line {number}", decoder.decode(line).text if line.strip() else "")
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise ConfigError(
                f"line {number} of the sample {path} cannot be used: {error}. Each line must be a JSON object with a “text”."
            ) from error


def _of_warc(path: Path) -> Iterator[Sample]:
    web = RecordedWeb([path])
    for href in web.urls():
        url = _url(href)
        fetched = web.answer(url)
        body = decode(fetched.body, fetched.header("content-encoding"), _LIMITS.decoded_bytes)
        page = body if isinstance(body, Drop) else glean(url, 0, fetched.headers, body, _LIMITS, context=False)
        if not isinstance(page, Drop) and url.path != "/robots.txt":
            yield Sample(href, page.text)


def _url(href: str) -> Url:
    url = parse(href)
    assert isinstance(url, Url)
    return url
