"""`python3 -I agent-<sha256>.pyz serve TOKEN`."""

import re
import sys
from typing import List

from .session import serve

USAGE = "usage: agent.pyz serve TOKEN (8 to 128 letters, digits, - or _)"


def main(argv: List[str]) -> int:
    """Run one session; exit code 2 for an invalid command line."""
    if len(argv) != 2 or argv[0] != "serve" or not re.match(r"^[A-Za-z0-9_-]{8,128}$", argv[1]):
        sys.stderr.write(USAGE + "\n")
        return 2
    serve(argv[1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
