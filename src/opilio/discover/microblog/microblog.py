"""A microblog as a source of seeds: a service, where to start, the language filter, and a traversal."""

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.languages import language_codes
from opilio.core.plugin import Context
from opilio.discover.find import Find
from opilio.discover.source import Ask, Memory, Source

from .listing import Listing
from .message_filter import MessageFilter
from .scope import Scope
from .service import Service
from .truc import Terms, Truc

_CHANNELS: Final = "channels"
_LEVELS: Final = {_CHANNELS: 0, "surface": 1, "deep": 2}


class Microblog(Source):
    """Every microblog has these options beside its own: those of `Terms`, and `filter` and `threshold` of the message filter."""

    def __init__(
        self, service: Service, starts: Sequence[Listing], message_filter: MessageFilter, terms: Terms,
        now: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self._service, self._starts, self._filter, self._terms, self._now = service, starts, message_filter, terms, now

    def finds(self, ask: Ask, memory: Memory) -> AsyncIterator[Sequence[Find]]:
        scope = Scope(memory, self._service.place, self._filter.terms)
        truc = Truc(self._service, ask, scope, self._filter, self._terms, self._now)
        return truc.finds(self._starts)


def settle(
    service: Service, context: Context, starts: Sequence[Listing], options: Mapping[str, Any]
) -> tuple[Service, Sequence[Listing], MessageFilter, Terms]:
    """Returns what a `Microblog` is made of. `starts` are the listings that the operator has named, if any."""
    scout, languages = context.config.scout, language_codes(context.config.corpus.languages)
    others = dict(options)
    message_filter = MessageFilter(
        exclude=language_codes(scout.exclude),
        wanted=languages,
        way=str(others.pop("filter", "")),
        threshold=float(others.pop("threshold", service.threshold)),
    )
    if not starts:
        starts = service.channels(languages) if scout.mode == _CHANNELS else service.timelines()
    return service, starts, message_filter, _terms(service.name, {"levels": _LEVELS[scout.mode], **others})


def _terms(name: str, options: Mapping[str, Any]) -> Terms:
    try:
        return msgspec.convert(options, Terms)
    except msgspec.ValidationError as error:
        known = ", ".join((*Terms.__struct_fields__[1:], "filter", "threshold"))
        raise ConfigError(f"sources.{name}: {error}. Its options are {known}, and those of the service.") from error
