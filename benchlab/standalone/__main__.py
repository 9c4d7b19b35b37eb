"""The one entry of the commands in bin/ (up, demo, manage, bench, test): `standalone COMMAND`.

Started by path under the machine's bare Python, it makes the virtual environment and goes on in it.
"""

from __future__ import annotations

import sys
import types
from pathlib import Path

if "benchlab" not in sys.modules:
    # The project package itself imports Celery, which a bare machine has not: stand in for it, so
    # that only what is below `standalone` is imported.
    project = types.ModuleType("benchlab")
    project.__path__ = [str(Path(__file__).resolve().parents[1])]
    sys.modules["benchlab"] = project

from benchlab.standalone.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
