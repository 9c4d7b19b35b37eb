"""`bin/visual-check`: check every view of a running benchlab; exit 1 if one has a fault."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from benchlab.local.paths import home
from benchlab.local.stack import web_port
from tests.browser.visual_check.addresses import view_addresses
from tests.browser.visual_check.browser import (
    VisualCheckError,
    api_json,
    check_pages,
    logged_in_page,
)


def main(arguments: Sequence[str]) -> int:
    """Check the views; return the exit code."""
    given = _parser().parse_args(arguments)
    executable = shutil.which("chromium")
    if executable is None:
        print("Chromium is missing: apt-get install chromium.", file=sys.stderr)
        return 2
    try:
        with logged_in_page(given.address, given.user, _password(), executable) as page:
            addresses = view_addresses(lambda path: api_json(page, path))
            names = given.views or list(addresses)
            selected = {view: addresses[view] for view in names if view in addresses}
            print("Without results: " + (", ".join(set(names) - set(selected)) or "none"))
            faulty = 0
            for checked in check_pages(page, selected, given.folder):
                faulty += bool(checked.faults)
                print(f"{checked.screenshot}  {'; '.join(checked.faults) or 'ok'}", flush=True)
    except VisualCheckError as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if faulty else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bin/visual-check", description="Check every view.")
    parser.add_argument("--address", default=f"http://127.0.0.1:{web_port()}")
    parser.add_argument("--user", default="admin")
    parser.add_argument("--folder", type=Path, default=home().root / "visual-check")
    parser.add_argument("views", nargs="*", metavar="VIEW", help="only these views")
    return parser


def _password() -> str:
    path = home().root / "secrets" / "admin-password"
    given = os.environ.get("BENCHLAB_ADMIN_PASSWORD")
    return given or (path.read_text().strip() if path.exists() else "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
