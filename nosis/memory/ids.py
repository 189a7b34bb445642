"""Short random ids that a small model can copy without a slip."""

from __future__ import annotations

import hashlib
import secrets

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no 0/o, 1/l/i


LENGTH = 7  # letters after the prefix, 34 bits: so short an id is used where it is found free


def new_id(prefix: str, length: int = LENGTH) -> str:
    """A prefix (m fact, t turn message, s session, o operation, e event) and random letters."""
    return prefix + _letters(secrets.randbits(8 * length), length)  # one call to the system


def from_bytes(content: bytes, length: int = 18) -> str:
    """Letters that the same content always gives (its SHA-256), without a prefix."""
    return _letters(int.from_bytes(hashlib.sha256(content).digest()[:16], "big"), length)


def shortened(long_id: str) -> str:
    """An id of the usual length from a longer one."""
    return long_id[: 1 + LENGTH]


def _letters(number: int, length: int) -> str:
    letters = []
    for _ in range(length):
        number, rest = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[rest])
    return "".join(letters)
