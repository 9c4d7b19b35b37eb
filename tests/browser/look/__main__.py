"""`bin/look`: look at every view of a benchlab that runs; 1 where one is wrong."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from benchlab.local.paths import home
from tests.browser.look.looking import CannotLook, asked, looked_at, visiting
from tests.browser.look.questions import questions


def main(arguments: Sequence[str]) -> int:
    """Look at the views; the exit code."""
    given = _parser().parse_args(arguments)
    executable = shutil.which("chromium")
    if executable is None:
        print("Chromium is missing: apt-get install chromium.", file=sys.stderr)
        return 2
    try:
        with visiting(given.address, given.user, _password(), executable) as page:
            addresses = questions(lambda path: asked(page, path))
            chosen = given.views or list(addresses)
            wanted = {view: addresses[view] for view in chosen if view in addresses}
            print("Nothing to show of: " + (", ".join(set(chosen) - set(wanted)) or "none"))
            wrong = 0
            for seen in looked_at(page, wanted, given.folder):
                wrong += bool(seen.faults)
                print(f"{seen.picture}  {'; '.join(seen.faults) or 'as it should be'}", flush=True)
    except CannotLook as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if wrong else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bin/look", description="Look at every view.")
    port = os.environ.get("BENCHLAB_PORT", "8000")
    parser.add_argument("--address", default=f"http://127.0.0.1:{port}")
    parser.add_argument("--user", default="admin")
    parser.add_argument("--folder", type=Path, default=home().root / "look")
    parser.add_argument("views", nargs="*", metavar="VIEW", help="only these views")
    return parser


def _password() -> str:
    kept = home().root / "secrets" / "admin-password"
    given = os.environ.get("BENCHLAB_ADMIN_PASSWORD")
    return given or (kept.read_text().strip() if kept.exists() else "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
