"""The HTTP library's connector, restricted: one address per request, one connection per host, no repeated requests.

It changes four things that the library does by default and a crawler must not do:
* The library resolves names itself. The resolver here only repeats the address that was checked for this request.
* It repeats a request whose connection was lost. A host in trouble must not get two requests where one was allowed.
* It reads interim (1xx) responses for ever. Five are enough.
* It does not tell the reader of a body that the rest cannot be parsed, so that the reader waits for the deadline.

This takes private parts of the library (`_factory`, `_loop`, `ResponseHandler`, `_payload`), so its version has an upper bound.
"""

import functools
from typing import Final

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import BadHttpMessage
from aiohttp.http_parser import RawResponseMessage
from aiohttp.streams import StreamReader

from .failure import DroppedError
from .pin import PinnedResolver

_MOST_INTERIM: Final = 5
# Common servers close an idle connection after 5 s. A request that is sent at that moment is lost, and must
# not be repeated; so the connection is closed earlier.
_KEEP_S: Final = 4.0


class Connector(aiohttp.TCPConnector):
    def __init__(self, connections: int, proxy_host: str | None) -> None:
        super().__init__(
            resolver=PinnedResolver(proxy_host),
            use_dns_cache=False,  # otherwise the library resolves in a task of its own, where `pinned` is not set
            limit=connections,
            limit_per_host=1,
            happy_eyeballs_delay=None,  # there is one address
            keepalive_timeout=_KEEP_S,
        )
        handler: type[ResponseHandler] = _Handler
        self._factory = functools.partial(handler, loop=self._loop)


class _Handler(ResponseHandler):
    """Counts the interim responses before each answer. A lost connection raises an error class of ours, because the
    library repeats requests that fail with certain classes of its own."""

    _interim = 0

    async def read(self) -> tuple[RawResponseMessage, StreamReader]:
        try:
            message, payload = await super().read()
        except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
            raise DroppedError from error
        if message.code >= 200:
            self._interim = 0
        elif message.code == 101 or self._interim >= _MOST_INTERIM:
            raise BadHttpMessage("too many interim responses, or a change of protocol")
        else:
            self._interim += 1
        return message, payload

    def set_exception(self, exc: BaseException, exc_cause: BaseException | None = None) -> None:
        super().set_exception(exc, exc_cause or exc)
        payload = self._payload
        if payload is not None and payload.exception() is None and not payload.is_eof():
            payload.set_exception(exc, exc_cause or exc)
