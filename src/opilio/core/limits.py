"""Bounds on what one response may cost. Everything that reads from the network is built with these."""

import msgspec


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    connect_s: float = 10.0
    first_byte_s: float = 20.0
    total_s: float = 60.0
    body_bytes: int = 10 * 2**20  # as received
    decoded_bytes: int = 20 * 2**20  # after Content-Encoding
    header_line_bytes: int = 16 * 2**10
    header_bytes: int = 64 * 2**10
    header_fields: int = 100
    redirects: int = 5
    robots_bytes: int = 500 * 2**10  # RFC 9309 asks for at least this
    links_per_page: int = 2_000
    text_chars: int = 2_000_000
    tree_depth: int = 400
