"""A mixture's file: JSON with weights, and the models' files relative to it.

A part's checksum covers the size and the first 4 KiB of its file, where the head holds the checksum of the rest. So a
mixture notices at once if one of its models was trained again. It names single models only, so it can never refer to
itself.
"""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec

from opilio.core.durable import replacing
from opilio.core.errors import ConfigError, ModelError, StorageError

from .language_model import LanguageModel
from .mixture import Mixture
from .scorer import open_model

_VERSION: Final = 1
_HEAD_BYTES: Final = 4096


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    file: str
    weight: float
    checksum: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    opilio: Literal["mixture"]
    version: int
    parts: list[_Part]


def save_mixture(path: Path, weights: Sequence[float], files: Sequence[Path]) -> None:
    if len(files) != len(weights):
        raise ConfigError(
            f"{path} needs the files of all {len(weights)} models, not {len(files)}: save the models first."
        )
    parts = [
        _Part(os.path.relpath(file.resolve(), path.parent.resolve()), weight, _checksum(file))
        for file, weight in zip(files, weights, strict=True)
    ]
    text = msgspec.json.format(msgspec.json.encode(_File("mixture", _VERSION, parts)))
    try:
        with replacing(path) as part:
            part.write_bytes(text + b"\n")
    except OSError as error:
        raise StorageError(f"the mixture {path} cannot be written: {error.strerror or error}.") from error


def open_mixture(path: Path, *, verify: bool = True) -> Mixture:
    content = _read(path)
    files = [path.parent / part.file for part in content.parts]
    models = [_open_part(path, file, part, verify) for file, part in zip(files, content.parts, strict=True)]
    try:
        return Mixture(models, [part.weight for part in content.parts], files=files)
    except ConfigError as error:
        raise ModelError(f"the mixture {path} is damaged: {error}") from error


def _read(path: Path) -> _File:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ModelError(f"the mixture {path} cannot be read: {error.strerror or error}.") from error
    try:
        version = msgspec.json.decode(raw, type=dict[str, msgspec.Raw]).get("version")
        if version is not None and bytes(version) != str(_VERSION).encode():
            text = bytes(version).decode()
            raise ModelError(f"the mixture {path} has format {text}, this version of Opilio reads {_VERSION}.")
        return msgspec.json.decode(raw, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ModelError(
            f"{path} is not a mixture of Opilio, or damaged: {error}. Make it again: opilio lm mix."
        ) from error


def _open_part(path: Path, file: Path, part: _Part, verify: bool) -> LanguageModel:
    if _checksum(file) != part.checksum:
        raise ModelError(f"the mixture {path} was made with another version of {file}. Mix again: opilio lm mix.")
    model = open_model(file, verify=verify)
    if not isinstance(model, LanguageModel):
        raise ModelError(
            f"the mixture {path} names the mixture {file}, but a part must be a model. Mix again: opilio lm mix."
        )
    return model


def _checksum(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            head = opened.read(_HEAD_BYTES)
            size = os.fstat(opened.fileno()).st_size
    except OSError as error:
        raise ModelError(f"the language model {file} cannot be read: {error.strerror or error}.") from error
    return hashlib.sha256(size.to_bytes(8, "little") + head).hexdigest()
