"""The digest of effects: equal for equal effects, different for different ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from apps.plans.schemas.disturbance import OSD_STOP, Disturbance
from apps.runs.domain.effects import canonical, differences, effects_digest
from apps.runs.schemas import (
    EFFECTS,
    CaseCount,
    Effects,
    MemberEffect,
    TargetEffect,
    TuningEffect,
    WorkloadEffect,
)

TEXT = st.text(alphabet='ab"\\,:|é测 ', max_size=4)
COUNT = st.integers(0, 2)
SECONDS = st.sampled_from([0.0, 0.5, 1.0])
MEMBERS = st.builds(
    MemberEffect, host=TEXT, kind=TEXT, role=TEXT, identity=TEXT, size=st.integers(0, 3),
    pool_layout=st.sampled_from(["", '{"pg": 8}']), content=st.sampled_from(["", "test", "0a"]),
    restarts=TEXT,
)  # fmt: skip
TARGETS = st.builds(
    TargetEffect, kind=TEXT, level=TEXT, members=st.lists(MEMBERS, max_size=2).map(tuple)
)
TUNINGS = st.builds(
    TuningEffect,
    settings=st.lists(st.tuples(TEXT, TEXT, TEXT, TEXT, TEXT), max_size=2).map(tuple),
    settle_seconds=SECONDS,
)
WORKLOADS = st.builds(
    WorkloadEffect, tool=TEXT, params=st.sampled_from(["{}", '{"a": 1}']), settle_seconds=SECONDS
)
EFFECTS_OF_RUNS = st.builds(
    Effects,
    workloads=st.lists(WORKLOADS, max_size=2).map(tuple),
    targets=st.lists(TARGETS, max_size=2).map(tuple),
    tunings=st.lists(TUNINGS, max_size=2).map(tuple),
    cases=COUNT,
    counts=st.lists(st.builds(CaseCount, COUNT, COUNT, COUNT, COUNT), max_size=2).map(tuple),
    repeats=COUNT,
    order=TEXT,
    further=st.sampled_from(["", "{}", '{"load_search": ["iodepth", 1]}']),
    bytes_written=st.none() | COUNT,
    wipe=st.booleans(),
    disturbance=TEXT,
)
JSON = {"{}": '{"a": 1}', '{"a": 1}': '{"a": 2}'}


def changes(value: Any) -> Iterator[Any]:
    """Yield the value with each of its fields changed alone, at every depth."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            for other in changes(getattr(value, name)):
                yield msgspec.structs.replace(value, **{name: other})
    elif isinstance(value, tuple):
        for index, part in enumerate(value):
            for other in changes(part):
                yield (*value[:index], other, *value[index + 1 :])
    else:
        yield another(value)


def another(value: Any) -> Any:
    """Return another value of the same type; a number for None."""
    if isinstance(value, str):
        return JSON.get(value) or f"{value}x"
    return not value if isinstance(value, bool) else (value or 0) + 1


@given(EFFECTS_OF_RUNS, EFFECTS_OF_RUNS)
def test_digests_are_equal_for_equal_effects_alone(one: Effects, other: Effects) -> None:
    assert (effects_digest(one) == effects_digest(other)) == (one == other)


@given(EFFECTS_OF_RUNS)
def test_stored_effects_have_the_same_digest(effects: Effects) -> None:
    stored = msgspec.json.decode(msgspec.json.encode(EFFECTS.write(effects)))
    assert effects_digest(EFFECTS.read(stored)) == effects_digest(effects)


@given(EFFECTS_OF_RUNS)
def test_equal_effects_do_not_differ(effects: Effects) -> None:
    assert differences(effects, effects) == []


@given(EFFECTS_OF_RUNS)
def test_each_changed_field_moves_the_digest_and_is_shown(effects: Effects) -> None:
    before = effects_digest(effects)
    for other in changes(effects):
        assert effects_digest(other) != before
        assert differences(effects, other)


def test_differences_of_workloads_have_labels_units_and_numbers_in_order() -> None:
    workloads = tuple(
        WorkloadEffect("fio", canonical({"rw": "read", "bs": 4096, "iodepth": depth}))
        for depth in (1, 16, 2)
    )
    lines = differences(Effects(), Effects(workloads=workloads))
    depths = [line.rpartition(" = ")[2] for line in lines]
    assert depths == ["1", "2", "16"]
    assert all("4 KiB" in line and "iodepth" not in line for line in lines)


def test_difference_of_a_disturbance_shows_its_fields_without_json() -> None:
    def effects(osd: int) -> Effects:
        rows = [["fsid", "stop it", "start it"]]
        disturbance = Disturbance(OSD_STOP, osd=osd)
        return Effects(disturbance=canonical({"disturbance": disturbance, "clusters": rows}))

    (line,) = differences(effects(3), effects(4))
    assert "OSD: 3" in line
    assert "OSD: 4" in line
    assert "stop it" in line
    assert not set('{}"[]') & set(line)


def test_difference_of_a_target_on_this_machine_has_no_empty_address() -> None:
    member = MemberEffect("1 root@:22 root 0a", "disk", "client", "x", 64 * 1024**2)
    (line,) = differences(Effects(), Effects(targets=(TargetEffect("disk", "", (member,)),)))
    assert "@:" not in line
    assert "64 MiB (67108864 B)" in line
