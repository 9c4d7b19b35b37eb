"""Runs over two parameters."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import apps.tools
from apps.accounts.models import User
from apps.inventory.models import Host
from apps.plans.models import Workload
from apps.results.services.attempt_results import results_store
from apps.runs.models import Attempt, AttemptState, Run, RunState
from apps.runs.tests.factories import create_case
from apps.tools.params import canonical_key
from apps.tools.parse_result import Latency, Measurement, Output, Parsed
from apps.tools.registry import tool
from apps.tools.values import Parameters

# iozone's automatic mode as it printed its table: four record sizes in files of 64 to 512 KiB.
SAMPLES = Path(apps.tools.__file__).parent / "iozone/tests/samples"
SAMPLE = SAMPLES / "3.489--auto/output.txt"
# One file size, thirteen record sizes, four operations.
FLATTENED = SAMPLES / "3.408--flattened/output.txt"


def create_archive() -> Host:
    """The host that stands for results of old."""
    return Host.objects.get_or_create(name="old", defaults={"kind": Host.Kind.IMPORTED_ONLY})[0]


def create_table(
    owner: User,
    *,
    repeats: int = 1,
    target: str = "/srv",
    operations: Collection[str] = (),
    sample: Path = SAMPLE,
) -> Run:
    """A run with a case for each cell of the sample's tables, or of those of some operations."""
    run = Run.objects.create(name="table", owner=owner, state=RunState.SUCCEEDED)
    host = create_archive()
    parsed = tool("iozone").parse(Output({"stdout": sample.read_bytes()}))
    sequence = 0
    for each in parsed.measurements:
        if operations and each.operation not in operations:
            continue
        key = canonical_key({"tool": "iozone", "params": each.params})
        workload, _made = Workload.objects.get_or_create(
            key=key, defaults={"tool": "iozone", "params": each.params, "label": "cell"}
        )
        for repeat in range(1, repeats + 1):
            case = create_case(run, workload, host, name=target, sequence=sequence, repeat=repeat)
            attempt = Attempt.objects.create(case=case, state=AttemptState.SUCCEEDED)
            one = Parsed("iozone", "text", "3.489", (each,))
            results_store(attempt=attempt, parsed=one, parser_version=1)
            sequence += 1
    return run


def add_fio(
    run: Run, rw: str, operation: str, bs: int, target: str = "", more: Parameters | None = None
) -> None:
    """One more case: fio beside iozone, as in an import of everything that was measured once."""
    params: Parameters = {"rw": rw, "bs": bs, "iodepth": 8, **(more or {})}
    key = canonical_key({"tool": "fio", "params": params})
    workload = Workload.objects.create(key=key, tool="fio", params=params, label=rw)
    case = create_case(run, workload, create_archive(), name=target)
    attempt = Attempt.objects.create(case=case, state=AttemptState.SUCCEEDED)
    found = Measurement(operation, 1e6, 100.0, Latency())
    results_store(attempt=attempt, parsed=Parsed("fio", "json", "3", (found,)), parser_version=1)
