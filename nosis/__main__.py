"""The ``nosis`` command, also as ``python -m nosis``."""

from __future__ import annotations

import sys

from nosis.cli.entry import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
