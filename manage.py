#!/usr/bin/env python
"""Django's command line; bin/manage runs it in the project's environment."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

from apps.common.garbage import collect_rarely

if __name__ == "__main__":
    # Looking for garbage among what is loaded took a sixth of the start.
    collect_rarely()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
    execute_from_command_line(sys.argv)
