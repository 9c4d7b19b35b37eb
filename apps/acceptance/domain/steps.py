"""Plans of an acceptance: the fill with verification, and the standard four tests. Pure."""

from __future__ import annotations

from apps.acceptance.schemas import SAMPLE, AcceptanceProfile
from apps.plans.schemas.plan import LISTED, PlanSpec, StepSpec
from apps.plans.schemas.preconditioning import NOTHING, Preconditioning
from apps.tools.values import RawValue

TOOL = "fio"
OFFSETS = 100
FILL_BLOCK = 1 << 20
# Samples are whole blocks of the largest test.
SAMPLE_BLOCK = 4 << 20
MIN_SAMPLED_BYTES = OFFSETS * OFFSETS * SAMPLE_BLOCK
STANDARD_FOUR: dict[str, tuple[str, dict[str, RawValue]]] = {
    "randwrite": ("IOPS, random write", {"bs": "4k", "iodepth": 128}),
    "randread": ("IOPS, random read", {"bs": "4k", "iodepth": 128}),
    "write": ("Throughput, write", {"bs": "4M", "iodepth": 64}),
    "read": ("Throughput, read", {"bs": "4M", "iodepth": 64}),
}
"""The standard four tests by access; writes first, so that reads find data."""


def fill_spec(profile: AcceptanceProfile, size: int) -> PlanSpec:
    """Return the fill: every block, or a hundredth, is written, then read back and verified."""
    params: dict[str, RawValue] = {
        "rw": "write",
        "bs": "1M",
        "iodepth": 8,
        "size": None,
        "time_based": False,
        "runtime": 0,
        "norandommap": False,
        "verify": "crc32c",
        **_sampled(profile, size),
    }
    if profile.coverage == SAMPLE:
        params["size"] = fill_bytes(profile, size)
    purge = Preconditioning(purge="discard") if profile.discard else NOTHING
    step = StepSpec(TOOL, params, "Fill and verify")
    return PlanSpec(steps=(step,), repeats=1, order=LISTED, preconditioning=purge)


def fill_bytes(profile: AcceptanceProfile, size: int) -> int:
    """Return the bytes of a disk that a fill writes and reads back: whole blocks only."""
    if profile.coverage == SAMPLE:
        return OFFSETS * _sample_bytes(size)
    return size // FILL_BLOCK * FILL_BLOCK


def measure_spec(profile: AcceptanceProfile, size: int) -> PlanSpec:
    """Return the standard four tests. Of a sample only what was filled is read and written."""
    steps = tuple(
        StepSpec(
            TOOL,
            {
                **{"rw": access, "size": None, "runtime": profile.seconds},
                **params,
                **_sampled(profile, size),
            },
            name,
        )
        for access, (name, params) in STANDARD_FOUR.items()
    )
    return PlanSpec(steps=steps, repeats=profile.repeats, order=LISTED)


def _sampled(profile: AcceptanceProfile, size: int) -> dict[str, RawValue]:
    """Return options that use the begin of each hundredth only (fio(1), zonemode=strided)."""
    if profile.coverage != SAMPLE:
        return {}
    return {
        "zonemode": "strided",
        "zonesize": _sample_bytes(size),
        "zonerange": size // OFFSETS // SAMPLE_BLOCK * SAMPLE_BLOCK,
    }


def _sample_bytes(size: int) -> int:
    """Return the bytes at each offset: a hundredth of a hundredth, at least one block."""
    return max(size // OFFSETS // OFFSETS // SAMPLE_BLOCK, 1) * SAMPLE_BLOCK
