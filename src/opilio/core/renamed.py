"""Settings that had another name before. Files and folders that use it are read as before."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

_OLD_NAMES: Final = {("stop", "kept"): "documents"}  # table and key that a setting had before → the key that it has now


def with_new_names(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the tables with the present names of their settings. If both names are there, the present one counts."""
    renamed = dict(tables)
    for (table, old), new in _OLD_NAMES.items():
        if isinstance(renamed.get(table), Mapping) and old in renamed[table]:
            rest = {key: value for key, value in renamed[table].items() if key != old}
            renamed[table] = {new: renamed[table][old], **rest}
    return renamed


def old_names(layers: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Returns a note for each setting that is called by the name that it had before. Each layer says where, and what was said
    there."""
    return [
        f'"{table}.{old}" in {where} is called "{table}.{new}" now. The old name still works.'
        for where, tables in layers
        for (table, old), new in _OLD_NAMES.items()
        if isinstance(tables.get(table), Mapping) and old in tables[table]
    ]
