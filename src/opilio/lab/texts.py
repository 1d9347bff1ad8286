"""Samples of one's own for the topics of a web: a file of JSON lines, each with a `topic` and a `text`."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from opilio.core.errors import ConfigError

Texts = Mapping[str, tuple[str, ...]]  # topic → its texts, in the order of the file


class _Line(msgspec.Struct):
    topic: str
    text: str


def read_texts(path: Path) -> Texts:
    try:
        lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()
    except OSError as error:
        raise ConfigError(f"cannot read the texts {path}: {error.strerror}. --texts takes a .jsonl file.") from error
    texts: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            found = _decode(path, number, line)
            texts[found.topic] = (*texts.get(found.topic, ()), found.text)
    if not texts:
        raise ConfigError(f"{path} has no texts. Each line must be a JSON object with a “topic” and a “text”.")
    return texts


def _decode(path: Path, number: int, line: bytes) -> _Line:
    try:
        return msgspec.json.decode(line, type=_Line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"line {number} of {path} cannot be used: {error}. Each line must be a JSON object with a “topic” and a “text”."
        ) from error
