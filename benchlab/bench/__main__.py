"""`python -m benchlab.bench [ROW ...]`: what bin/bench starts."""

from __future__ import annotations

import sys

from benchlab.bench.command import bench

if __name__ == "__main__":
    sys.exit(bench(sys.argv[1:]))
