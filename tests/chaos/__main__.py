"""`bin/chaos [N] [SEED]`: N rounds; exit code 1 when anything was wrong."""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from tests.chaos.faults import FAULTS
from tests.chaos.report import table
from tests.chaos.session import chosen, last, rounds, stage
from tests.harness.machine import install_programs
from tests.harness.netns_host import missing


def main() -> int:
    """Play the rounds and print them."""
    parser = argparse.ArgumentParser(prog="bin/chaos", description=__doc__)
    parser.add_argument("rounds", type=int, nargs="?", default=len(FAULTS))
    parser.add_argument("seed", type=int, nargs="?", default=int(time.time()) % 100_000)
    asked = parser.parse_args()
    install_programs()
    if reason := missing():
        print(f"bin/chaos makes hosts in boxes: {reason}", file=sys.stderr)
        return 2
    print(f"bin/chaos {asked.rounds} {asked.seed}", flush=True)
    random, began = Random(asked.seed), time.monotonic()
    with stage() as scene:
        done = list(rounds(scene, chosen(FAULTS, asked.rounds, random), random))
        left = last(scene)
    for finding in left:
        print(f"at last: {finding.kind}: {finding.words}")
    print(f"\n{table(done, left)}\n{len(done)} rounds in {time.monotonic() - began:.0f} s")
    wrong = len(done) < asked.rounds or left or any(each.findings for each in done)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
