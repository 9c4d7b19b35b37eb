"""Entry point of the commands in bin/ (up, demo, ...): `python3 benchlab/local COMMAND`.

The system Python starts it; it creates the virtual environment and continues there.
"""

from __future__ import annotations

import sys
import types
from pathlib import Path

if "benchlab" not in sys.modules:
    # `benchlab/__init__.py` imports Celery, which a bare machine does not have.
    project = types.ModuleType("benchlab")
    project.__path__ = [str(Path(__file__).resolve().parents[1])]
    sys.modules["benchlab"] = project

from benchlab.local.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
