"""Parameters that a plan may ask of fio, and the sentences for all others."""

from typing import Any

import pytest

from apps.tools.errors import ParamsError
from apps.tools.fio.params import FioParams
from apps.tools.fio.templates import STANDARD_FOUR
from apps.tools.params import workload_key
from apps.tools.values import RawParameters, RawValue


def standard_four() -> list[dict[str, RawValue]]:
    return [{**s.params, "size": s.space, "runtime": 300} for s in STANDARD_FOUR.steps]


def errors_of(**raw: Any) -> dict[str, str]:
    with pytest.raises(ParamsError) as caught:
        FioParams.from_raw(raw)
    return caught.value.errors


def test_people_write_sizes_and_durations() -> None:
    params = FioParams.from_raw({"bs": "8k", "size": "100G", "runtime": "5m", "direct": "no"})
    assert (params.bs, params.size, params.runtime) == (8192, 100 * 1024**3, 300)
    assert params.direct is False


def test_canonical_form_reads_back_to_the_same() -> None:
    others: dict[str, RawValue] = {"size": "", "cpus_allowed": "0-3", "rate_iops": "5"}
    for raw in [*standard_four(), others]:
        params = FioParams.from_raw(raw)
        assert FioParams.from_raw(params.canonical()) == params


def test_the_key_of_a_workload_never_changes() -> None:
    keys = [workload_key("fio", FioParams.from_raw(raw)) for raw in standard_four()]
    assert keys == ["fb59fbdf4f092d19", "e82f50d313664198", "61536a8cd7b92aaa", "cf071c8f0744f8d2"]


def test_the_same_workload_written_differently_has_one_key() -> None:
    one = FioParams.from_raw({"bs": "4k", "iodepth": "32"})
    other = FioParams.from_raw({"iodepth": 32, "bs": 4096, "rw": "randread"})
    assert workload_key("fio", one) == workload_key("fio", other)


@pytest.mark.parametrize(
    "name",
    ["exec_prerun", "filename", "write_bw_log", "output", "read_iolog", "include", "profile"],
)
def test_options_outside_the_list_are_refused(name: str) -> None:
    assert errors_of(**{name: "x"}) == {name: "There is no such parameter."}


@pytest.mark.parametrize("value", ["external:/x.so", "rados", "libaio\n--exec_prerun=x", ""])
def test_an_engine_outside_the_list_is_refused(value: str) -> None:
    assert "ioengine" in errors_of(ioengine=value)


def test_a_synchronous_engine_with_a_depth_is_refused() -> None:
    assert "one operation in flight" in errors_of(ioengine="psync", iodepth=32)["iodepth"]
    assert FioParams.from_raw({"ioengine": "psync", "iodepth": 1}).iodepth == 1


def test_more_jobs_than_cpus_are_refused_when_split() -> None:
    errors = errors_of(cpus_allowed="0-3", cpus_allowed_policy="split", numjobs=5)
    assert errors["numjobs"].startswith("5 jobs cannot be split over 4 CPUs")
    assert "cpus_allowed" in errors_of(cpus_allowed_policy="split")


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ({"size": "512", "bs": "4k"}, "size"),
        ({"bs": "1000"}, "bs"),
        ({"offset": "100"}, "offset"),
        ({"loops": 2}, "loops"),
        ({"rw": "randread", "fsync": 1}, "fsync"),
        ({"rw": "randread", "fdatasync": 1}, "fdatasync"),
        ({"rw": "read", "end_fsync": True}, "end_fsync"),
        ({"bs": "1G", "iodepth": 64}, "iodepth"),
        ({"rwmixread": 101}, "rwmixread"),
        ({"runtime": 0}, "runtime"),
        ({"runtime": None}, "runtime"),
    ],
)
def test_contradictions_get_a_sentence(raw: RawParameters, name: str) -> None:
    assert errors_of(**raw)[name].endswith(".")


def test_all_wrong_fields_are_named_at_once() -> None:
    assert set(errors_of(bs="big", runtime="soon", rw="destroy")) == {"bs", "runtime", "rw"}


def test_labels_are_short_and_plain() -> None:
    mixed = FioParams.from_raw({"rw": "randrw", "rwmixread": 70, "numjobs": 4})
    assert mixed.describe() == "random read+write 70 % reads 4 KiB, QD 128, 4 jobs, in 1 GiB"
    assert FioParams().describe() == "random read 4 KiB, QD 128, in 1 GiB"


def test_the_label_says_that_and_when_data_is_synced() -> None:
    etcd = FioParams(rw="write", bs=2304, ioengine="sync", iodepth=1, direct=False, fdatasync=1)
    assert etcd.describe() == (
        "sequential write 2304 B, QD 1, buffered, in 1 GiB, engine sync, fdatasync after each write"
    )
    log = FioParams(rw="write", fsync=32, end_fsync=True)
    assert log.describe().endswith(", fsync after 32 writes, fsync at the end")
