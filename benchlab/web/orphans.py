"""A web process ends with the one that started it, also where that was killed: a process left over
would keep the port and answer with old code.
"""

from __future__ import annotations

import os
from multiprocessing import parent_process
from threading import Thread
from typing import Any


def end_with_parent() -> None:
    """Nothing where nobody started this process by multiprocessing (`uvicorn --workers`)."""
    parent = parent_process()
    if parent is not None:
        Thread(target=_wait_for, args=(parent,), daemon=True, name="parent").start()


def _wait_for(parent: Any) -> None:
    parent.join()
    os._exit(1)
