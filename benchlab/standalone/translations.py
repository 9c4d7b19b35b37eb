"""Compile every message catalogue into nowhere: a broken one fails the checks."""

from __future__ import annotations

import shutil
import subprocess
import sys

from benchlab.standalone.paths import PROJECT


def main() -> int:
    """0 when msgfmt accepts every catalogue, with format strings checked."""
    catalogues = sorted(PROJECT.glob("locale/*/LC_MESSAGES/*.po"))
    if not shutil.which("msgfmt"):
        print("msgfmt is not installed (package gettext): catalogues were not checked")
        return 0
    failed = 0
    for catalogue in catalogues:
        command = ["msgfmt", "--check", "-o", "/dev/null", str(catalogue)]
        failed |= subprocess.run(command, check=False).returncode
    print(f"{len(catalogues)} catalogues checked")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
