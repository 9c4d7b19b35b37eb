"""The tool's bytes against the device's: said where they differ, silent otherwise."""

from __future__ import annotations

from apps.execution.domain.byte_accounting import disagreements
from apps.tools.devices.blockstat import Sample
from apps.tools.parse_result import Measurement, Parsed

MIB = 1024**2


def parsed(*measurements: Measurement) -> Parsed:
    return Parsed("fio", "json+", "fio-3.33", measurements)


def measured(operation: str, moved: int, *, rate: float = 0.0, component: str = "") -> Measurement:
    return Measurement(
        operation, rate or None, None, values={"io_bytes": moved}, component=component
    )


def log(read: int = 0, written: int = 0) -> dict[str, list[Sample]]:
    """A device's counters before and after; others of the eleven stay as they were."""
    before = (5, 0, 800, 1, 7, 0, 1600, 2, 0, 3, 4)
    after = list(before)
    after[2] += read // 512
    after[6] += written // 512
    return {"vdb": [Sample(0.0, before), Sample(10.0, tuple(after))]}


def warnings(found: Parsed, device: dict[str, list[Sample]], **how: object) -> str:
    direct = bool(how.get("direct", True))
    seconds = 10.0 if how.get("timed") else None
    return " | ".join(disagreements(found, device, seconds=seconds, direct=direct))


def test_equal_counts_say_nothing() -> None:
    assert warnings(parsed(measured("read", 100 * MIB)), log(read=100 * MIB)) == ""
    assert warnings(parsed(measured("write", 100 * MIB)), log(written=97 * MIB)) == ""


def test_the_page_cache_answered() -> None:
    text = warnings(parsed(measured("read", 1024 * MIB)), log(read=64 * MIB), direct=False)
    assert "the tool read 1 GiB, the device only 64 MiB: the page cache" in text


def test_writes_stay_in_the_page_cache() -> None:
    text = warnings(parsed(measured("write", 512 * MIB)), log(written=0), direct=False)
    assert "the tool wrote 512 MiB, the device only 0" in text
    assert "still in the page cache" in text


def test_holes_answer_direct_reads() -> None:
    found = parsed(measured("read", 512 * MIB), measured("write", 20 * MIB))
    text = warnings(found, log(read=1 * MIB, written=20 * MIB))
    assert "holes of a file" in text
    assert "wrote" not in text


def test_counters_that_stand_still_under_direct_io_say_nothing() -> None:
    assert warnings(parsed(measured("read", 512 * MIB)), log()) == ""


def test_small_amounts_say_nothing() -> None:
    assert warnings(parsed(measured("read", 10 * MIB)), log(), direct=False) == ""


def test_somebody_else_on_the_device() -> None:
    found = parsed(measured("write", 100 * MIB, rate=10 * MIB))
    text = warnings(found, log(written=400 * MIB), timed=True)
    assert "the device wrote 400 MiB where the tool's rate explains 100 MiB" in text


def test_ramp_time_is_no_disagreement() -> None:
    # The tool counted 5 of 10 s; the device moved the same rate all the time.
    found = parsed(measured("write", 50 * MIB, rate=10 * MIB))
    assert warnings(found, log(written=100 * MIB), timed=True) == ""


def test_parts_are_not_counted_twice() -> None:
    found = parsed(
        measured("read", 100 * MIB),
        measured("read", 60 * MIB, component="target0"),
        measured("read", 40 * MIB, component="target1"),
    )
    assert warnings(found, log(read=100 * MIB)) == ""


def test_warnings_without_counters_or_bytes_are_empty() -> None:
    assert warnings(parsed(measured("read", 100 * MIB)), {}, direct=False) == ""
    assert warnings(parsed(Measurement("read", 1.0, None)), log(), direct=False) == ""


def test_warnings_with_syncs_of_writes_still_name_the_device_excess() -> None:
    synced = Measurement("sync", None, 10.0, values={"total_ios": 100})
    found = parsed(measured("write", 100 * MIB, rate=10.0 * MIB), synced)
    assert "the device wrote" in warnings(found, log(written=300 * MIB), timed=True)
