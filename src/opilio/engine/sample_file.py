"""The unpacked bytes of a file of samples: plain, gzip or zstd, which is recognised by its first bytes."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import zstandard

from opilio.core.errors import ConfigError

KINDS: Final = "Give text, Markdown, HTML, WARC files, .jsonl with a “text” in each line, or URLs"


def contents(path: Path) -> bytes:
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
        raise ConfigError(f"cannot read the sample {path}: {error}. {KINDS}.") from error


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
