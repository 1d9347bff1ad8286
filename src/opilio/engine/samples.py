"""Sample texts that show what a corpus is about: the files of any kind that the operator gives with `--like`.

Rules:
* A folder stands for its files and those of its subfolders, except hidden ones. `.gz` and `.zst` are unpacked.
* The kind of a file is recognised by its content: a WARC gives one sample per page, markup is gleaned like a crawled page, a
  file whose lines are all URLs stands for those pages, anything else is plain text. Only `.jsonl`, each line of which is an
  object with a "text", and Markdown that begins with a tag (`.md`) are recognised by their names.
* Samples and crawled pages are compared with each other, so both are treated alike: boilerplate is removed, and the lines
  of a paragraph are joined (`glean/plain.py`). Markup with hardly any main text, or without a link, gives all of its text,
  because somebody chose that file. Marks of Markdown are removed from every plain text, and one file may hold several texts
  (`division`).
* Pages of URLs are not fetched here: whoever reads samples brings their texts (`sample_pages`).
* A file whose lines are of several encodings, as `cat` makes them, is read line by line.
* A file that cannot be used is an error that names it. A sample that was left out silently would change every score.

Invariant: the same files give the same samples in the same order.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.plugin import Sample
from opilio.core.url import Url, is_url, parse
from opilio.fetch.decode import decode
from opilio.fetch.recorded import RecordedWeb
from opilio.glean import decode_text, glean, looks_binary
from opilio.glean.markdown import remove_blocks, remove_marks, separate_blocks
from opilio.glean.plain import paragraphs
from opilio.model.terms import terms

from .division import LEAST_WORDS, divide
from .sample_file import KINDS, contents
from .sample_pages import remembered

__all__ = ["Sample", "read_samples", "sample_reader", "sample_urls", "warn_small"]

_MAX_DAMAGED_SHARE: Final = 0.05  # the share of characters that cannot be decoded
_MARKUP: Final = re.compile(r"\A\s*<[a-z!?]|<(?:!doctype html|html|body)[\s>]", re.IGNORECASE)
_MARKUP_CHARS: Final = 1_000  # at the beginning of a file, searched for markup
_MARKUP_NAMES: Final = frozenset({".html", ".htm", ".xhtml"})
_MARKDOWN_NAMES: Final = frozenset({".md", ".markdown"})
_ADDRESS: Final = "http://sample.invalid/"  # links do not matter here, but a page needs an address
_URL_LINE: Final = re.compile(rb"https?://[^\x00-\x20]+", re.IGNORECASE)
_LIMITS: Final = Limits()


class _Line(msgspec.Struct):
    text: str


def read_samples(names: Sequence[str | Path], pages: Mapping[str, str] | None = None) -> list[Sample]:
    """Reads files, folders and URLs. `pages` has the texts of URLs; without it, URLs are left out."""
    return [sample for item in _items(names) for sample in _read(item, pages)]


def sample_urls(names: Sequence[str | Path]) -> list[str]:
    """Returns the URLs that are named, or listed in files."""
    return [
        url for item in _items(names) for url in ([item] if isinstance(item, str) else _listed(item, contents(item)))
    ]


def sample_reader(
    folder: Path, pages: Mapping[str, str] | None = None
) -> Callable[[Sequence[str]], tuple[Sample, ...]]:
    """Returns a function that reads samples by their names in a crawl.toml, which are relative to its folder. Unless `pages` has
    the texts of URLs, they are those that the folder remembers."""

    def read(names: Sequence[str]) -> tuple[Sample, ...]:
        return tuple(read_samples(from_folder(folder, names), remembered(folder) if pages is None else pages))

    return read


def from_folder(folder: Path, names: Sequence[str]) -> list[str | Path]:
    """Returns names in a crawl.toml as paths and URLs."""
    return [name if is_url(name) else folder / name for name in names]


def count_words(text: str) -> int:
    """Returns the number of words, or of pairs of characters in a script without spaces."""
    return len(terms(text))


def warn_small(samples: Sequence[Sample]) -> str | None:
    """Returns a warning for the operator if the samples are too short to compare pages with, or None."""
    words = sum(count_words(sample.text) for sample in samples)
    if words >= LEAST_WORDS:
        return None
    return (
        f"The samples have {words} words in all. With fewer than {LEAST_WORDS}, scores say little about what a page is about: "
        "expect pages that do not belong. Name more texts with --like."
    )


def _items(names: Sequence[str | Path]) -> Iterator[str | Path]:
    """Yields URLs, and the files that paths stand for."""
    for name in names:
        if isinstance(name, str) and is_url(name):
            yield name
        else:
            yield from _files(Path(name))


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    found = sorted(file for file in path.rglob("*") if file.is_file() and not _is_hidden(file.relative_to(path)))
    if not found:
        raise ConfigError(f"the samples folder {path} has no files. {KINDS}.")
    yield from found


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _read(item: str | Path, pages: Mapping[str, str] | None) -> list[Sample]:
    if isinstance(item, str):
        return _of_pages([item], pages)
    data = contents(item)
    if urls := _listed(item, data):
        return _of_pages(urls, pages)
    if data.startswith(b"WARC/"):
        samples = list(_of_warc(item))
    elif ".jsonl" in item.suffixes:
        samples = list(_of_lines(item, data))
    else:
        samples = list(_of_texts(item, _texts(item, data)))
    samples = [sample for sample in samples if sample.text.strip()]
    if not samples:
        raise ConfigError(f"the sample {item} has no text in it. Name another file, or leave it out.")
    return samples


def _listed(path: Path, data: bytes) -> list[str]:
    """Returns the URLs of a file that has a URL in each line, or nothing. "#" starts a comment, as in a file of seeds."""
    lines = [line.partition(b" #")[0].strip() for line in data.removeprefix(b"\xef\xbb\xbf").splitlines()]
    lines = [line for line in lines if line and not line.startswith(b"#")]
    if ".jsonl" in path.suffixes or not all(map(_URL_LINE.fullmatch, lines)):
        return []
    return [line.decode("utf-8", "replace") for line in lines]


def _of_pages(urls: Sequence[str], pages: Mapping[str, str] | None) -> list[Sample]:
    if pages is None:
        return []
    if missing := [url for url in urls if url not in pages]:
        raise ConfigError(
            f"the sample {missing[0]} was not fetched. `opilio crawl` and `opilio judge` fetch samples that are URLs."
        )
    return [Sample(url, pages[url]) for url in urls]


def _texts(path: Path, data: bytes) -> list[str]:
    if looks_binary(data):
        raise ConfigError(f"the sample {path} is not text. {KINDS}; PDF and office files must be converted first.")
    text = _decode(data)
    if text.count("\ufffd") + text.count("\0") > _MAX_DAMAGED_SHARE * len(text):
        raise ConfigError(f"the encoding of the sample {path} cannot be told. Save it as UTF-8.")
    suffix = path.suffix.lower()
    if suffix in _MARKDOWN_NAMES or not (suffix in _MARKUP_NAMES or _MARKUP.search(text[:_MARKUP_CHARS])):
        return plain_texts(text)
    page = glean(
        _url(_ADDRESS), 0, (("content-type", "text/html; charset=utf-8"),), text.encode(), _LIMITS, context=False
    )
    return [] if isinstance(page, Drop) else [page_text(page)]


def plain_texts(text: str) -> list[str]:
    """Returns the texts of a plain text, without marks of Markdown, one paragraph a line."""
    prose = remove_blocks(text.replace("\r\n", "\n").replace("\r", "\n"))
    return [remove_marks(_joined(separate_blocks(part))) for part in divide(prose)]


def page_text(page: Page) -> str:
    """Returns the main text of a page, or all of its text if that is hardly any, or if there is no link: then it is not a page
    of a web site, with menus around its text, but somebody's own."""
    is_whole = page.words < LEAST_WORDS or not (page.links or page.refused_links)
    return "\n".join(block.text for block in page.blocks) if is_whole else page.prose or page.text


def _joined(text: str) -> str:
    return "\n".join(block.text for block in paragraphs(text))


def _of_texts(path: Path, texts: Sequence[str]) -> Iterator[Sample]:
    for number, text in enumerate(texts, 1):
        yield Sample(f"{path} part {number}" if len(texts) > 1 else str(path), text)


def _decode(data: bytes) -> str:
    text, charset, replaced = decode_text(data, "")
    if charset != "windows-1252" and (not replaced or data.startswith(BOM_UTF8)):
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
            text = decoder.decode(line).text if line.strip() else ""
            yield Sample(f"{path} line {number}", _joined(text))
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
            yield Sample(href, page.prose or page.text)


def _url(href: str) -> Url:
    url = parse(href)
    assert isinstance(url, Url)
    return url
