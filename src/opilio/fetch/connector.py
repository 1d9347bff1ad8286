"""The HTTP library's connector with its doors shut: one address per request, one connection per host, no repeats.

Three habits of the library that do not suit a crawler end here:
* it would resolve names itself: the resolver here only repeats the address that was checked for this request;
* it would repeat a request whose connection was lost: a host in trouble must not get two where one was allowed;
* it would read interim (1xx) responses for ever: five are enough.
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


class Connector(aiohttp.TCPConnector):
    def __init__(self, connections: int, proxy_host: str | None) -> None:
        super().__init__(
            resolver=PinnedResolver(proxy_host),
            use_dns_cache=False,  # else the library would look up in a task of its own, where no pin is set
            limit=connections,
            limit_per_host=1,
            happy_eyeballs_delay=None,  # there is one address
        )
        self._factory = functools.partial(_Handler, loop=self._loop)


class _Handler(ResponseHandler):
    """A connection that counts the interim responses before each answer."""

    _interim = 0

    async def read(self) -> tuple[RawResponseMessage, StreamReader]:
        message, payload = await super().read()
        if message.code >= 200:
            self._interim = 0
        elif message.code == 101 or self._interim >= _INTERIM:
            raise BadHttpMessage("interim responses without end, or a change of protocol")
        else:
            self._interim += 1
        return message, payload


async def once(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """A middleware. The library repeats what fails with certain classes, so a loss is given another one."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise DroppedError from error
