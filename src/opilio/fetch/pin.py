"""A resolver for the HTTP library that does not resolve: it repeats the address that was checked for this request.

The address is passed in a context variable, so simultaneous requests cannot see each other's, and nothing has to be
cleaned up. This works only because the library calls the resolver within the task of the request, which it does if its
own cache is off. Without a checked address there is no connection.
"""

import asyncio
import socket
from contextvars import ContextVar

from aiohttp.abc import AbstractResolver, ResolveResult

pinned: ContextVar[str] = ContextVar("pinned", default="")


class PinnedResolver(AbstractResolver):
    """`proxy_host` is the only name that is looked up here, and it is not checked, because the operator chose it."""

    def __init__(self, proxy_host: str | None = None) -> None:
        self._proxy_host = proxy_host

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002  the library's signature
    ) -> list[ResolveResult]:
        address = await _proxy_address(host, port) if host == self._proxy_host else pinned.get()
        if not address:
            raise OSError("no address was checked for this request")
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        pass


async def _proxy_address(host: str, port: int) -> str:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return str(found[0][4][0])
