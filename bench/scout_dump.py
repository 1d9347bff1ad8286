"""A Wikipedia dump of any size for `bench scout`: the sample of OPILIO_DATA again and again, with its titles and URLs renumbered.

No two pages are the same, so that neither the packing nor the reading gets easier than with a real dump.
"""

import bz2
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from opilio.core.errors import ConfigError

_NUMBERED: Final = re.compile(rb"(<title>)|(https?://)")


def sample_dump() -> Path:
    path = Path(os.environ.get("OPILIO_DATA", "")) / "vectors" / "enwiki-sample.xml.bz2"
    if not path.is_file():
        raise ConfigError("bench scout needs vectors/enwiki-sample.xml.bz2 in the folder that OPILIO_DATA names.")
    return path


def write_dump(path: Path, size_bytes: int) -> int:
    """Writes a dump of at least this many bytes before packing, and returns how many it has."""
    packer = bz2.BZ2Compressor()
    size = 0
    with path.open("wb") as file:
        for part in _parts(bz2.decompress(sample_dump().read_bytes()), size_bytes):
            file.write(packer.compress(part))
            size += len(part)
        file.write(packer.flush())
    return size


def _parts(sample: bytes, size_bytes: int) -> Iterator[bytes]:
    start, end = sample.index(b"<page>"), sample.rindex(b"</page>") + len(b"</page>")
    yield sample[:start]
    copies = max(1, -(-size_bytes // (end - start)))
    for number in range(copies):
        yield _NUMBERED.sub(lambda found, mark=b"%d." % number: found[0] + mark, sample[start:end])  # type: ignore[misc]
    yield sample[end:]
