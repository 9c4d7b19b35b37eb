"""Parameters and target -> fio's command line."""

from typing import Any

import pytest

from apps.tools.errors import ParamsError
from apps.tools.fio.command import MAX_DOCUMENTS, MAX_RESULT_BYTES, build_procedure
from apps.tools.fio.fields import MODES
from apps.tools.fio.params import FioParams
from apps.tools.procedure import Procedure
from apps.tools.targets import ToolTarget
from apps.tools.values import RawParameters
from tests.harness.documents import Changes

DISK = ToolTarget("disk", "wwn:0x5000", 1024**4)
FOLDER = ToolTarget("directory", "/scratch")


def plan(target: ToolTarget = DISK, **raw: Any) -> Procedure:
    return build_procedure(FioParams.from_raw(raw), target)


def argv(target: ToolTarget = DISK, **raw: Any) -> tuple[str, ...]:
    return plan(target, **raw).commands[-1].argv


def test_the_teams_standard_write_test() -> None:
    assert argv(rw="randwrite") == (
        *("fio", "--name=benchlab", "--filename={target}", "--size=1073741824"),
        *("--rw=randwrite", "--bs=4096", "--ioengine=libaio", "--iodepth=128", "--numjobs=1"),
        *("--direct=1", "--invalidate=1", "--refill_buffers=1", "--norandommap=1"),
        *("--randrepeat=0", "--runtime=300s", "--time_based=1", "--group_reporting=1"),
        *("--clat_percentiles=1", "--lat_percentiles=1", "--slat_percentiles=0"),
        "--percentile_list=1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99",
        *("--output-format=json+", "--output=result.json", "--status-interval=1", "--eta=never"),
    )


@pytest.mark.parametrize("mode", MODES)
def test_only_the_reading_modes_do_not_write_to_a_disk(mode: str) -> None:
    assert plan(rw=mode).writes is (mode not in ("read", "randread"))
    assert ("--readonly" in argv(rw=mode)) is (mode in ("read", "randread"))


def test_a_directory_is_written_to_even_by_a_reading_test() -> None:
    steps = plan(FOLDER, rw="randread", size="1M", numjobs=2)
    assert steps.writes
    assert steps.bytes_written == steps.space_needed == 2 * 1024**2
    assert "--directory={target}" in steps.commands[-1].argv
    assert "--readonly" not in steps.commands[-1].argv


def test_the_whole_disk_is_used_without_a_size() -> None:
    assert not [word for word in argv(size=None) if word.startswith("--size")]


@pytest.mark.parametrize(
    ("target", "raw", "name"),
    [
        (FOLDER, {"size": None}, "size"),
        (FOLDER, {"rw": "randtrim"}, "rw"),
        (ToolTarget("disk", "x", 10**9), {"size": "1G"}, "size"),
        (ToolTarget("disk", "x", 2**30), {"size": "1G", "offset": "4k"}, "size"),
        (ToolTarget("disk", "x", 2**20), {"size": None, "offset": "1M"}, "size"),
    ],
)
def test_what_does_not_fit_the_target_gets_a_sentence(
    target: ToolTarget, raw: RawParameters, name: str
) -> None:
    with pytest.raises(ParamsError) as caught:
        plan(target, **raw)
    assert caught.value.errors[name].endswith(".")


@pytest.mark.parametrize("runtime", [1, 60, 300, 3600, 7 * 86400])
@pytest.mark.parametrize("numjobs", [1, 16, 256])
@pytest.mark.parametrize("together", [True, False])
def test_status_documents_stay_bounded(runtime: int, numjobs: int, together: bool) -> None:
    words = argv(rw="rw", runtime=runtime, numjobs=numjobs, group_reporting=together, bs="4k")
    (interval,) = [int(w.split("=")[1]) for w in words if w.startswith("--status-interval")]
    documents = runtime // interval
    assert documents <= MAX_DOCUMENTS
    size = 8_000 + (1 if together else numjobs) * 136_000
    assert documents <= 1 or documents * size <= MAX_RESULT_BYTES * 1.01


def test_a_buffered_test_starts_with_a_cold_cache() -> None:
    roles = [command.role for command in plan(direct=False).commands]
    assert roles == ["drop-caches", "main"]
    assert [command.role for command in plan().commands] == ["main"]


def test_expected_seconds_and_bytes() -> None:
    assert plan(runtime=60, ramp_time=10).seconds == 70
    assert plan(rw="randwrite").bytes_written is None
    assert plan(rw="randread").bytes_written == 0
    timed = plan(rw="randwrite", rate_iops=100, runtime=10, numjobs=2)
    assert timed.bytes_written == 100 * 4096 * 2 * 10
    assert plan(rw="write", time_based=False, size="1M", loops=3).bytes_written == 3 * 1024**2
    mixed = plan(rw="rw", time_based=False, size="1M", rwmixread=75)
    assert mixed.bytes_written == 1024**2 // 4


def test_no_value_can_become_another_option() -> None:
    raw: Changes = {"cpus_allowed": "0-1", "cpus_allowed_policy": "split", "loops": 2}
    raw |= {"time_based": False, "thread": True, "fsync": 8, "end_fsync": True, "ramp_time": 5}
    raw |= {"fdatasync": 1}
    words = argv(rw="write", **raw)
    assert all(word.startswith("--") for word in words[1:])
    assert not any(letter in word for word in words for letter in "\n$`;|&<> \\'\"")


def test_jobs_that_share_a_file_need_its_space_once() -> None:
    own = plan(FOLDER, rw="randwrite", size="1M", numjobs=4)
    shared = plan(FOLDER, rw="randwrite", size="1M", numjobs=4, shared_file="yes")
    assert (own.space_needed, shared.space_needed) == (4 * 1024**2, 1024**2)
    words = shared.commands[-1].argv
    assert "--filename_format=benchlab-fio" in words
    assert "--overwrite=1" in words
    assert "--overwrite=1" not in own.commands[-1].argv


def test_shared_file_with_overwrite_has_the_option_once() -> None:
    words = argv(FOLDER, rw="write", size="1M", numjobs=2, shared_file="yes", overwrite="yes")
    assert words.count("--overwrite=1") == 1


def test_shared_file_that_is_only_read_is_laid_out_by_fio() -> None:
    steps = plan(FOLDER, rw="read", size="1M", numjobs=4, shared_file="yes")
    assert steps.bytes_written == 1024**2
    assert "--overwrite=1" not in steps.commands[-1].argv


def test_shared_file_on_a_disk_changes_nothing() -> None:
    assert argv(numjobs=4, shared_file="yes") == argv(numjobs=4)
