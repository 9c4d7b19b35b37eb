"""Programs that this machine has."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from benchlab.standalone import apt


def missing_programs(programs: Mapping[str, str]) -> list[str]:
    """The Debian packages of the programs that are not there."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    missing = {
        package for program, package in programs.items() if not shutil.which(program, path=path)
    }
    return sorted(missing)


def missing_packages(programs: Mapping[str, str], fonts: str) -> list[str]:
    """The same, and a font when there is none."""
    missing = set(missing_programs(programs))
    if not any(Path("/usr/share/fonts").glob("**/*.ttf")) and not apt.installed(fonts):
        missing.add(fonts)
    return sorted(missing)
