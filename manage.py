#!/usr/bin/env python
"""Django's command line; bin/manage runs it in the project's environment."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext

from apps.common.garbage import collect_rarely


def begun_before(words: list[str]) -> AbstractContextManager[None]:
    """Work of a command that needs nothing of Django, whose loading takes half a second."""
    if words[:1] != ["import"]:
        return nullcontext()
    from apps.imports.reading.early import read_ahead

    return read_ahead(words[1:])


if __name__ == "__main__":
    # Looking for garbage among what is loaded took a sixth of the start.
    collect_rarely()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
    with begun_before(sys.argv[1:]):
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
