"""The unpacked bytes of a file of samples."""

from pathlib import Path
from typing import Final

from opilio.core.errors import ConfigError
from opilio.core.unpacked import UNPACKING_ERRORS, unpacked

KINDS: Final = "Give text, Markdown, HTML, WARC files, .jsonl with a “text” in each line, or URLs"


def contents(path: Path) -> bytes:
    """Returns the unpacked bytes of a file; only the first few if it is a WARC, which may be larger than memory."""
    try:
        with path.open("rb") as file:
            reader = unpacked(file)
            start = reader.read(5)
            return start if start == b"WARC/" else start + reader.read()
    except FileNotFoundError as error:
        raise ConfigError(f"the sample {path} does not exist. Correct its name, or leave it out.") from error
    except UNPACKING_ERRORS as error:
        raise ConfigError(f"cannot read the sample {path}: {error}. {KINDS}.") from error
