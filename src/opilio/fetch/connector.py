"""The HTTP library's connector with its doors shut: one address per request, one connection per host, no repeats.

Four habits of the library that do not suit a crawler end here:
* it would resolve names itself: the resolver here only repeats the address that was checked for this request;
* it would repeat a request whose connection was lost: a host in trouble must not get two where one was allowed;
* it would read interim (1xx) responses for ever: five are enough;
* it would not tell who reads a body that the rest of it cannot be parsed, and the reader would wait for the deadline.

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

_INTERIM: Final = 5
# Common servers close an idle connection after 5 s. A request that crosses such a close on the wire is lost, and must
# not be repeated; so a connection is given up before.
_KEEP_S: Final = 4.0


class Connector(aiohttp.TCPConnector):
    def __init__(self, connections: int, proxy_host: str | None) -> None:
        super().__init__(
            resolver=PinnedResolver(proxy_host),
            use_dns_cache=False,  # else the library would look up in a task of its own, where no pin is set
            limit=connections,
            limit_per_host=1,
            happy_eyeballs_delay=None,  # there is one address
            keepalive_timeout=_KEEP_S,
        )
        handler: type[ResponseHandler] = _Handler
        self._factory = functools.partial(handler, loop=self._loop)


class _Handler(ResponseHandler):
    """A connection that counts the interim responses before each answer, and that is lost for good when it is lost:
    the library repeats what fails with certain classes, so a loss is given another one."""

    _interim = 0

    async def read(self) -> tuple[RawResponseMessage, StreamReader]:
        try:
            message, payload = await super().read()
        except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
            raise DroppedError from error
        if message.code >= 200:
            self._interim = 0
        elif message.code == 101 or self._interim >= _INTERIM:
            raise BadHttpMessage("interim responses without end, or a change of protocol")
        else:
            self._interim += 1
        return message, payload

    def set_exception(self, exc: BaseException, exc_cause: BaseException | None = None) -> None:
        super().set_exception(exc, exc_cause or exc)
        payload = self._payload
        if payload is not None and payload.exception() is None and not payload.is_eof():
            payload.set_exception(exc, exc_cause or exc)
