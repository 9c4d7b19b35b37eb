"""Libraries that take long to load and that few pages need stay out of every start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys, django
django.setup()
import benchlab.urls
print(sorted({name.split(".")[0] for name in sys.modules} & {"scipy", "kaleido", "pyarrow"}))
"""


def test_a_start_with_every_page_loads_no_scipy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"
