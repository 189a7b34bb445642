"""Short random ids that a small model can copy without a slip."""

from __future__ import annotations

import secrets

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no 0/o, 1/l/i


def new_id(prefix: str, length: int = 7) -> str:
    """A prefix (m fact, t turn message, s session, o operation, e event) and random letters.

    Seven letters are 34 bits: the writer of a fact checks that its id is free.
    """
    return prefix + "".join(secrets.choice(_ALPHABET) for _ in range(length))
