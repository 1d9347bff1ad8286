"""The tour through the embedded demo web: what `opilio demo` crawls and shows."""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

if TYPE_CHECKING:
    from .verbs import Demo, run

__getattr__ = lazy_names(__name__, {"verbs": "Demo run"})

__all__ = ["Demo", "run"]
