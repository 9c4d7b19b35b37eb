"""Programs that the tests use: installed as root, else tests that need them are skipped."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchlab.local import apt

CORES = len(os.sched_getaffinity(0))
# A program that proves that the package is installed, and the package.
PROGRAMS = {
    "fio": "fio",
    "/usr/sbin/sshd": "openssh-server",
    "/bin/tcsh": "tcsh",
    "/usr/bin/fish": "fish",
    "ip": "iproute2",
    "iptables": "iptables",
    "iperf3": "iperf3",
    "iperf": "iperf",
    "chromium": "chromium",
    "pdftotext": "poppler-utils",
    "fc-list": "fontconfig",
    "losetup": "mount",
    "mkfs.xfs": "xfsprogs",
    "mkfs.btrfs": "btrfs-progs",
    "git": "git",
    "xgettext": "gettext",
    "promtool": "prometheus",
    "zsh": "zsh",
}
FONTS = ("fonts-dejavu-core", "fonts-wqy-microhei")
# Installed apart from the rest: no Ceph on the machine's architecture does not stop the others.
CEPH = {
    "ceph": "ceph-common",
    "ceph-mon": "ceph-mon",
    "ceph-mgr": "ceph-mgr",
    "ceph-osd": "ceph-osd",
    "ceph-mds": "ceph-mds",
}
NON_FREE = {"iozone": "iozone3"}
# One line for each index that apt uses (apt-get(8), "indextargets").
INDEX_TARGETS = (
    "apt-get", "indextargets", "--format", "$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(LABEL)",
)  # fmt: skip


def install_programs() -> None:
    """As root, install the missing packages; else print their names."""
    heading("Programs of this machine")
    groups: tuple[tuple[list[str], Callable[[Sequence[str]], None]], ...] = (
        (missing(PROGRAMS) + _missing_fonts(), apt.install),
        (missing(CEPH), apt.install),
        (missing(NON_FREE), install_non_free),
    )
    for packages, install in groups:
        if packages:
            _install(packages, install)
    if not any(packages for packages, _ in groups):
        print("nothing is missing", flush=True)


def heading(text: str) -> None:
    """A line that is easy to see in a long log."""
    print(f"\n=== {text} ===", flush=True)


def missing(programs: Mapping[str, str]) -> list[str]:
    """The packages of the programs that are not installed."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    return sorted({programs[name] for name in programs if not shutil.which(name, path=path)})


def _missing_fonts() -> list[str]:
    return [package for package in FONTS if not apt.installed(package)]


def _install(packages: Sequence[str], install: Callable[[Sequence[str]], None]) -> None:
    names = ", ".join(packages)
    if os.geteuid() != 0 or not apt.available():
        print(f"not installed: {names}; tests that need them are skipped", flush=True)
        return
    print(f"installing {names}", flush=True)
    try:
        install(packages)
    except apt.AptError as error:
        print(f"{error}; tests that need them are skipped", flush=True)


def install_non_free(packages: Sequence[str]) -> None:
    """Install packages of Debian's non-free component as root. Raises AptError.

    The machine's own sources stay as they are: apt gets a private list for one download.
    """
    with tempfile.TemporaryDirectory(prefix="apt-") as folder:
        source = Path(folder, "sources.list")
        source.write_text(f"deb {_debian_archive()} non-free\n")
        options = [*apt.private_folders(Path(folder)), "-o", f"Dir::Etc::sourcelist={source}"]
        options += ["-o", "Dir::Etc::sourceparts=-"]
        apt.run(["apt-get", *options, "update", "-q"])
        apt.run(["apt-get", *options, "install", "-y", "-q", "--no-install-recommends", *packages])


def _debian_archive() -> str:
    """URI and release of the Debian archive that this machine uses. Raises AptError."""
    for line in apt.run([*INDEX_TARGETS, "Created-By: Packages"]).stdout.splitlines():
        uri, release, component, label = line.split("|")
        if (component, label) == ("main", "Debian"):
            return f"{uri} {release}"
    raise apt.AptError("this machine uses no archive of Debian's own")
