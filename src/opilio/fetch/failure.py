"""Turns the HTTP library's exceptions into an `Outcome`. No other file knows these exceptions.

Rules: the detail is the name of a class, never the text of an exception, which may hold an address. The order of the
tests matters, because the library's classes overlap (a time-out is also an OSError, a TLS failure also a connection
failure).
"""

import ssl
from typing import Final

import aiohttp
from aiohttp import http_exceptions

from opilio.core.outcome import Outcome

# Everything that a request may raise except cancellation; ValueError is for a URL or header that the library cannot
# write.
FAILURES: Final = (aiohttp.ClientError, TimeoutError, OSError, http_exceptions.HttpProcessingError, ValueError)

_TOO_LARGE_TEXTS: Final = ("Got more than", "Too many headers")


class DroppedError(aiohttp.ClientError):
    """The connection was lost before an answer. For this class the library does not silently repeat the request."""


def failure(error: BaseException, *, headers_seen: bool) -> Outcome:
    if isinstance(error, DroppedError):
        return Outcome.RESET
    if isinstance(error, (aiohttp.ClientHttpProxyError, aiohttp.ClientProxyConnectionError)):
        return Outcome.PROXY_ERROR
    if isinstance(error, TimeoutError):
        return _time_out(error, headers_seen)
    if isinstance(error, aiohttp.ClientPayloadError):
        return _payload(error)
    if isinstance(error, (aiohttp.ClientResponseError, http_exceptions.HttpProcessingError)):
        return Outcome.HEADERS_TOO_LARGE if _too_large(error.message) else Outcome.PROTOCOL_ERROR
    return _connection(error)


def failure_name(error: BaseException) -> str:
    """Returns the class name of the innermost cause: what the parser, the socket or TLS raised, without the
    wrapping."""
    while error.__cause__ is not None and not isinstance(error, TimeoutError):
        error = error.__cause__
    return type(error).__name__


def _time_out(error: TimeoutError, headers_seen: bool) -> Outcome:
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return Outcome.CONNECT_TIMEOUT
    return Outcome.TIMEOUT_TOTAL if headers_seen else Outcome.TIMEOUT_FIRST_BYTE


def _payload(error: aiohttp.ClientPayloadError) -> Outcome:
    """Looks at the error's text, because a reset inside a body is reported only as a payload that ended too early."""
    text = str(error)
    if "ConnectionReset" in text or "BrokenPipe" in text:
        return Outcome.RESET
    cause = error.__cause__
    if isinstance(cause, http_exceptions.ContentLengthError) or "not completed" in text:
        return Outcome.INCOMPLETE
    return Outcome.PROTOCOL_ERROR


def _connection(error: BaseException) -> Outcome:
    if isinstance(error, (aiohttp.ClientSSLError, ssl.SSLError, ssl.CertificateError)):
        return Outcome.TLS_ERROR
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return Outcome.DNS_ERROR
    if isinstance(error, aiohttp.ClientConnectorError):
        return Outcome.CONNECT_REFUSED
    if isinstance(error, (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError)):
        return Outcome.PROTOCOL_ERROR
    if isinstance(error, (OSError, aiohttp.ClientConnectionError)):
        return Outcome.RESET
    return Outcome.PROTOCOL_ERROR


def _too_large(message: str) -> bool:
    return any(text in message for text in _TOO_LARGE_TEXTS)
