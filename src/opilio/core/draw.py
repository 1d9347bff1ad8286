"""Random numbers that need no memory: the same text and key always give the same one, in every process and run."""

from hashlib import blake2b
from typing import Literal


def hash_number(
    text: str | bytes, size_bytes: int, key: bytes = b"", order: Literal["little", "big"] = "little"
) -> int:
    """Returns a whole number below 256 ** `size_bytes`."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return int.from_bytes(blake2b(data, digest_size=size_bytes, key=key).digest(), order)


def hash_share(
    text: str | bytes, size_bytes: int, key: bytes = b"", order: Literal["little", "big"] = "little"
) -> float:
    """Returns a number between 0 and 1. Every size and order draws other numbers, and recorded crawls depend on them."""
    return hash_number(text, size_bytes, key, order) / (1 << 8 * size_bytes)
