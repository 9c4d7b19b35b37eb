"""The digest of effects: equal for equal effects, different for different ones."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from apps.runs.domain.effects import differences, effects_digest
from apps.runs.schemas import (
    EFFECTS,
    Effects,
    MemberEffect,
    TargetEffect,
    TuningEffect,
    WorkloadEffect,
)

TEXT = st.text(alphabet='ab"\\,:|é测 ', max_size=4)
MEMBERS = st.builds(
    MemberEffect, host=TEXT, kind=TEXT, role=TEXT, identity=TEXT, size=st.integers(0, 3),
    pool_layout=st.sampled_from(["", '{"pg": 8}']), content=st.sampled_from(["", "test", "0a"]),
)  # fmt: skip
TARGETS = st.builds(
    TargetEffect, kind=TEXT, level=TEXT, members=st.lists(MEMBERS, max_size=2).map(tuple)
)
TUNINGS = st.builds(
    TuningEffect,
    settings=st.lists(st.tuples(TEXT, TEXT, TEXT, TEXT, TEXT), max_size=2).map(tuple),
    settle_seconds=st.sampled_from([0.0, 0.5, 1.0]),
)
WORKLOADS = st.builds(WorkloadEffect, tool=TEXT, params=st.sampled_from(["{}", '{"a": 1}']))
EFFECTS_OF_RUNS = st.builds(
    Effects,
    workloads=st.lists(WORKLOADS, max_size=2).map(tuple),
    targets=st.lists(TARGETS, max_size=2).map(tuple),
    tunings=st.lists(TUNINGS, max_size=2).map(tuple),
    cases=st.integers(0, 2),
    repeats=st.integers(0, 2),
    order=TEXT,
    further=TEXT,
    bytes_written=st.none() | st.integers(0, 2),
    wipe=st.booleans(),
)


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


@given(EFFECTS_OF_RUNS, st.sampled_from(["cases", "repeats", "wipe", "order", "further"]))
def test_a_changed_field_is_a_difference(effects: Effects, field: str) -> None:
    value = getattr(effects, field)
    changed = f"{value}x" if isinstance(value, str) else value + 1
    other = msgspec.structs.replace(
        effects, **{field: bool(not value) if field == "wipe" else changed}
    )
    assert differences(effects, other)
    assert effects_digest(effects) != effects_digest(other)
