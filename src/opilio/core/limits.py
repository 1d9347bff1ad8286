"""Bounds on what one response may cost. Everything that reads from the network takes them as an argument."""

from typing import Annotated

import msgspec

Seconds = Annotated[float, msgspec.Meta(gt=0, le=1e6)]
Bound = Annotated[int, msgspec.Meta(ge=1)]


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    connect_s: Seconds = 10.0
    first_byte_s: Seconds = 20.0
    total_s: Seconds = 60.0
    least_bytes_per_s: Annotated[float, msgspec.Meta(ge=0)] = 200.0  # of a body, over some seconds
    body_bytes: Bound = 10 * 2**20  # as received
    decoded_bytes: Bound = 20 * 2**20  # after Content-Encoding
    header_line_bytes: Bound = 16 * 2**10
    header_bytes: Bound = 64 * 2**10
    header_fields: Bound = 100
    redirects: Annotated[int, msgspec.Meta(ge=0)] = 5
    page_cpu_s: Annotated[float, msgspec.Meta(gt=0)] = (
        20.0  # ten times what the largest page takes within the other bounds
    )
    page_memory_bytes: Bound = 600 * 2**20
    robots_bytes: Bound = 500 * 2**10  # RFC 9309 asks for at least this
    links_per_page: Bound = 2_000
    text_chars: Bound = 2_000_000
    pdf_pages: Annotated[int, msgspec.Meta(ge=0)] = 0  # 0: PDFs are not read
    tree_depth: Bound = 400
