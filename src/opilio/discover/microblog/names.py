"""Names of users, as they may reach the disk: as digests, or sealed where the user is still to be asked.

Rules: the key is random and made once per directory and filter, in the source's own memory. A digest says whether a user is known
and cannot be turned back. A sealed name can, with the key: it is written only for users who will be visited (again), so
that a traversal can go on after a kill, and removed as soon as a user is given up.
"""

import hashlib
import secrets
from typing import Final

from opilio.discover.source import Memory

_KEY: Final = "key"
_KEY_BYTES: Final = 32
_DIGEST_BYTES: Final = 16


class Names:
    def __init__(self, memory: Memory) -> None:
        if _KEY not in memory:
            memory[_KEY] = secrets.token_bytes(_KEY_BYTES)
        self._key = memory[_KEY]

    def digest(self, name: str) -> str:
        return hashlib.blake2b(name.encode(), key=self._key, digest_size=_DIGEST_BYTES).hexdigest()

    def seal(self, name: str) -> bytes:
        salt = bytes.fromhex(self.digest(name))
        return salt + self._mask(name.encode(), salt)

    def unseal(self, sealed: bytes) -> str:
        salt, hidden = sealed[:_DIGEST_BYTES], sealed[_DIGEST_BYTES:]
        return self._mask(hidden, salt).decode()

    def draw(self, name: str) -> float:
        """Returns a number from 0 to 1 that looks random and is always the same for this name."""
        return int(self.digest(name)[:13], 16) / 16**13

    def _mask(self, data: bytes, salt: bytes) -> bytes:
        """Adds a key stream that belongs to the salt; doing so twice gives the data back."""
        stream = hashlib.shake_256(self._key + salt).digest(len(data))
        return bytes(one ^ other for one, other in zip(data, stream, strict=True))
