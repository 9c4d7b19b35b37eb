"""Packages of a part of Debian that this machine does not use, such as iozone3 of non-free.

The machine's own sources stay as they are: apt gets a list of its own, with the same archive and
the other component, for one download.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchlab.standalone.apt import AptError, private_folders, run

# One line for each index that apt uses (apt-get(8), "indextargets").
TARGETS = ("apt-get", "indextargets", "--format", "$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(LABEL)")


def install_from(component: str, packages: Sequence[str]) -> None:
    """Install packages of `component` as root, with what they need. Raises AptError."""
    with tempfile.TemporaryDirectory(prefix="apt-") as folder:
        room = Path(folder)
        source = room / "sources.list"
        source.write_text(f"deb {_archive()} {component}\n")
        options = [*private_folders(room), "-o", f"Dir::Etc::sourcelist={source}"]
        options += ["-o", "Dir::Etc::sourceparts=-"]
        run(["apt-get", *options, "update", "-q"])
        run(["apt-get", *options, "install", "-y", "-q", "--no-install-recommends", *packages])


def _archive() -> str:
    """URI and release of the Debian archive this machine uses. Raises AptError."""
    for line in run([*TARGETS, "Created-By: Packages"]).stdout.splitlines():
        uri, release, used, label = line.split("|")
        if (used, label) == ("main", "Debian"):
            return f"{uri} {release}"
    raise AptError("this machine uses no archive of Debian's own")
