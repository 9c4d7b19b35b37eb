"""Parameters of iozone in a plan, and the sentences it gets otherwise."""

from typing import Any

import pytest

from apps.tools.errors import ParamsError
from apps.tools.iozone.fields import OPERATIONS
from apps.tools.iozone.params import IozoneParams
from apps.tools.params import workload_key


def errors_of(**raw: Any) -> dict[str, str]:
    with pytest.raises(ParamsError) as caught:
        IozoneParams.from_raw(raw)
    return caught.value.errors


def test_people_write_sizes() -> None:
    params = IozoneParams.from_raw({"file_size": "10G", "record_size": "4k", "retest": "no"})
    assert (params.file_size, params.record_size) == (10 * 1024**3, 4096)
    assert params.retest is False


@pytest.mark.parametrize("operation", OPERATIONS)
def test_canonical_form_reads_back_to_the_same(operation: str) -> None:
    params = IozoneParams.from_raw({"operation": operation, "file_size": "1M"})
    assert IozoneParams.from_raw(params.canonical()) == params


def test_the_key_of_a_workload_never_changes() -> None:
    assert workload_key("iozone", IozoneParams()) == "b3ece9ddbbcb80fa"


@pytest.mark.parametrize("name", ["f", "F", "b", "filename", "mount_point", "U", "m", "+m"])
def test_options_outside_the_list_are_refused(name: str) -> None:
    assert errors_of(**{name: "x"}) == {name: "There is no such parameter."}


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ({"record_size": "1500"}, "record_size"),
        ({"record_size": "32M"}, "record_size"),
        ({"record_size": "3k"}, "file_size"),
        ({"file_size": "32k"}, "file_size"),
        ({"operation": "stride_read", "file_size": "64k", "record_size": "4k"}, "stride"),
        ({"operation": "record_rewrite", "threads": 2}, "threads"),
        ({"mmap": True, "direct": True}, "mmap"),
        ({"mmap": True, "operation": "fread"}, "mmap"),
        ({"operation": "telemetry"}, "operation"),
        ({"threads": 0}, "threads"),
    ],
)
def test_contradictions_get_a_sentence(raw: dict[str, object], name: str) -> None:
    assert errors_of(**raw)[name].endswith(".")


def test_labels_are_short_and_plain() -> None:
    assert IozoneParams().describe() == "write 4 KiB, 4 GiB file, buffered"
    many = IozoneParams.from_raw({"operation": "random_mix", "threads": 8, "file_size": "1G"})
    assert many.describe() == "random mix 4 KiB, 1 GiB file, 8 threads, buffered"


def test_later_parameters_change_a_key_only_where_they_are_used() -> None:
    assert IozoneParams.from_raw({"async_depth": 4}).canonical()["async_depth"] == 4
    assert "async_depth" not in IozoneParams().canonical()
    assert "async_copies" not in IozoneParams().canonical()
    assert "async_copies" in errors_of(async_copies=True)
    assert "msync" in errors_of(msync="sync")
    assert "async_depth" in errors_of(async_depth=2, operation="fread")
    assert "async_depth" in errors_of(async_depth=2, operation="record_rewrite")
