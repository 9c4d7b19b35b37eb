"""A label names a workload and what tells it apart from the others on the same page."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from apps.plans.domain.workload_labels import Labelled, extra_part, parts_of, unique_labels
from apps.tools.registry import TOOLS
from apps.tools.values import Parameters
from apps.tools.workload_naming import joined


def exact(tool: str, **raw: Any) -> Labelled:
    params = TOOLS[tool].params
    assert params is not None
    return Labelled(tool, params.from_raw(raw).canonical())


def labels(*found: Labelled, without: str = "") -> list[str]:
    return list(unique_labels(dict(enumerate(found)), without).values())


def test_unlike_tests_of_iozone_have_unlike_names() -> None:
    small = {"file_size": "1M", "operation": "write"}
    found = labels(
        exact("iozone", **small),
        exact("iozone", **small, direct=True),
        exact("iozone", **small, sync=True),
        exact("iozone", **small, mmap=True),
        exact("iozone", **small | {"operation": "stride_read"}),
        exact("iozone", **small | {"operation": "stride_read", "stride": 33}),
    )
    assert found == [
        "write 4 KiB, 1 MiB file, buffered",
        "write 4 KiB, 1 MiB file",
        "write 4 KiB, 1 MiB file, buffered, sync",
        "write 4 KiB, 1 MiB file, mmap",
        "stride read 4 KiB, 1 MiB file, stride 17, buffered",
        "stride read 4 KiB, 1 MiB file, stride 33, buffered",
    ]


def test_only_those_that_would_read_the_same_say_more() -> None:
    found = labels(
        exact("fio", iodepth=1, size="1G", runtime=30),
        exact("fio", iodepth=1, size="1G", runtime=60),
        exact("fio", iodepth=1, size=""),
        exact("fio", iodepth=2, size="1G", numjobs=4),
    )
    assert found == [
        "random read 4 KiB, QD 1, in 1 GiB, run time 30 s",
        "random read 4 KiB, QD 1, in 1 GiB, run time 60 s",
        "random read 4 KiB, QD 1",
        "random read 4 KiB, QD 2, 4 jobs, in 1 GiB",
    ]


def test_essential_parameters_are_always_in_the_label() -> None:
    plain = {"iodepth": 1, "size": ""}
    found = labels(
        exact("fio", **plain, direct=False),
        exact("fio", **plain, ioengine="psync"),
        exact("fio", **plain, time_based=False, runtime=0),
    )
    assert found == [
        "random read 4 KiB, QD 1, buffered",
        "random read 4 KiB, QD 1, engine psync",
        "random read 4 KiB, QD 1, no time limit",
    ]


def test_planned_and_imported_tests_never_have_one_name() -> None:
    """A parameter that an output does not state is neither at its default nor unset."""
    planned = exact("fio", iodepth=1, size="", runtime=30)
    known: Parameters = {"rw": "randread", "bs": 4096, "iodepth": 1}
    rows = [
        planned,
        Labelled("fio", known),
        Labelled("fio", known | {"job": "a"}),
        Labelled("fio", known | {"size": None}),
        Labelled("fio", {"operation": "read", "bs": 4096}),
        exact("rados", operations="write"),
        Labelled("rados", {"operation": "write", "bs": 4 * 2**20, "threads": 16}),
    ]
    found = labels(*rows)
    assert len(set(found)) == len(rows)
    assert all(name.startswith("random read 4 KiB, QD 1") for name in found[:4])
    assert all(name.startswith("write 4 MiB x16") for name in found[5:])


def test_the_parameter_under_comparison_is_left_out() -> None:
    found = labels(exact("fio", iodepth=4), exact("fio", iodepth=4, rw="randwrite"), without="bs")
    assert found == ["random read, QD 4, in 1 GiB", "random write, QD 4, in 1 GiB"]


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"bs": 4096, "rw": "read"}, "sequential read 4 KiB"),
        ({"bs": 4096, "rw": "read", "iodepth": 4, "job": "a"}, "sequential read 4 KiB, QD 4"),
        ({"bs": 4096, "operation": "read", "direct": False}, "read 4 KiB, buffered"),
        (
            {"bs": 4096, "rw": "read", "iodepth": 4, "ioengine": "sync"},
            "sequential read 4 KiB, QD 4, engine sync",
        ),
        ({"job": "a"}, "job a"),
        ({}, "as it was called"),
    ],
)
def test_label_of_imported_workload_has_known_parameters_only(
    params: Parameters, text: str
) -> None:
    assert joined(parts_of(Labelled("fio", params, "as it was called"))) == text


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("iodepth", 64, "queue depth 64"),
        ("bs", 4096, "block size 4 KiB"),
        ("runtime", 30, "run time 30 s"),
        ("rate_iops", None, "limit not set"),
        ("rate_iops", 1000, "limit 1000 operations/s"),
        ("direct", True, "direct I/O yes"),
        ("unheard_of", 1, "unheard_of 1"),
    ],
)
def test_a_parameter_in_words(name: str, value: Any, words: str) -> None:
    assert extra_part("fio", name, value).text == words


@contextlib.contextmanager
def _without(name: str) -> Iterator[None]:
    """Remove a plugin from the registry for a while and restore the order of the plugins."""
    plugins: Any = TOOLS
    original = dict(plugins)
    del plugins[name]
    try:
        yield
    finally:
        plugins.clear()
        plugins.update(original)


def test_a_label_is_remembered_for_these_values_alone() -> None:
    """1, 1.0 and true are equal to Python; and a plugin may be added, removed or replaced."""

    def label(value: Any) -> str:
        return joined(parts_of(Labelled("fio", {"invented": value})))

    assert [label(1), label(True), label(1)] != [label(1)] * 3
    params: Parameters = {"rw": "read", "bs": 4096}
    before = parts_of(Labelled("fio", params))
    with _without("fio"):
        assert parts_of(Labelled("fio", params, "fio, whatever it was")) != before
    assert parts_of(Labelled("fio", params)) == before
