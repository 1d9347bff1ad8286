"""`--until NAME=VALUE`: the short form of a `[stop]` setting."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.tables import Stop

_OLD_NAMES: Final = {"bytes": "size_bytes", "kept": "documents"}  # which still work
_DEFAULT_VALUES: Final = {"saturation": "0.95", "precision": "0.1"}  # of a name without a value


def until_settings(wishes: Iterable[str]) -> Iterator[str]:
    for wish in wishes:
        name, _, value = wish.partition("=")
        key = _OLD_NAMES.get(name, name)
        value = value or _DEFAULT_VALUES.get(key, "")
        if key not in Stop.__struct_fields__ or not _is_number(value):
            names = ", ".join(Stop.__struct_fields__)
            raise ConfigError(
                f'"--until {wish}" is not a stop condition. Write NAME=NUMBER, such as precision=0.1 or pages=1000. '
                f"Names: {names}."
            )
        yield f"stop.{key}={value}"


def _is_number(value: str) -> bool:
    try:
        msgspec.json.decode(value, type=float)
    except msgspec.DecodeError:
        return False
    return True
