"""`python -m tests.statistics [--pages N] [--seed N] [--workloads N ...]
[--repeats N ...]`: the table of docs/concepts/statistics.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.statistics.table import HEAD, REPEATS, WORKLOADS, lines


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("python -m tests.statistics")
    parser.add_argument("--pages", type=int, default=2_000, help="made-up pages of each line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workloads", type=int, nargs="+", default=WORKLOADS)
    parser.add_argument("--repeats", type=int, nargs="+", default=REPEATS)
    options = parser.parse_args(arguments)
    print(HEAD)
    for one in lines(options.pages, options.seed, options.workloads, options.repeats):
        print(one, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
