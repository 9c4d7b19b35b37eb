"""Two sides that did different work are never compared."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from apps.tools.base import ToolTarget
from benchlab.bench import fio_runs
from benchlab.bench.durable_fio import FIO, check_equal
from benchlab.bench.observer import check_same_test
from benchlab.bench.row import NotEqual

NO_OPTIONS: Mapping[str, str] = {}


def result(
    operations: int = 1000, error: int = 0, options: Mapping[str, str] = NO_OPTIONS
) -> bytes:
    """A fio result of one job, as small as the checks need it."""
    nothing = {"total_ios": 0, "io_bytes": 0}
    job: dict[str, object] = {
        "error": error,
        "job options": {"rw": "randread", "bs": "4096", **options},
        "read": {"total_ios": operations, "io_bytes": operations * 4096},
        "write": nothing,
    }
    return json.dumps({"jobs": [job]}, indent=2).encode()


def test_the_same_work_passes_whatever_watched_it() -> None:
    watched = {"lat_percentiles": "1", "percentile_list": "50:99"}
    check_equal(result(), result(options=watched))


@pytest.mark.parametrize("other", [result(999), result(options={"bs": "8192"}), result(error=5)])
def test_different_work_is_refused(other: bytes) -> None:
    with pytest.raises(NotEqual, match="same work"):
        check_equal(result(), other)


@pytest.mark.parametrize("data", [result(0), result(error=5)])
def test_equal_but_failed_is_refused(data: bytes) -> None:
    with pytest.raises(NotEqual, match="failed or did nothing"):
        check_equal(data, data)


def test_a_different_test_is_not_an_observers_effect() -> None:
    with pytest.raises(NotEqual, match="two different tests"):
        check_same_test(result(), result(options={"iodepth": "1"}))


def test_of_many_status_documents_the_last_counts() -> None:
    assert fio_runs.work_done(result(5) + b"\n" + result(7)) == [(7, 7 * 4096, 0)]


def test_bare_fio_has_nothing_of_what_benchlab_adds() -> None:
    argv = fio_runs.room_argv(FIO, ToolTarget("directory", "/scratch"))
    bare = fio_runs.bare(argv, "/scratch")
    assert not any(word.startswith(("--status-interval", "--output=")) for word in bare)
    assert bare[-1] == "--output-format=json"
    assert "--directory=/scratch" in bare
    added = [word for word in argv if word not in bare and word != "--directory={target}"]
    assert all(word.startswith(fio_runs.WATCHING) for word in added)
    assert "--rw=randread" in bare


def test_the_same_fio_prints_to_stdout() -> None:
    argv = fio_runs.room_argv(FIO, ToolTarget("directory", "/scratch"))
    plain = fio_runs.to_stdout(argv, "/scratch")
    assert len(plain) == len(argv) - 1
    assert not any(word.startswith("--output=") or "{target}" in word for word in plain)
