"""Ceph options of a tuning profile held against the cluster of a planned pool."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from apps.plans.domain.preview import preview_of
from apps.plans.domain.restarts import restart_seconds
from apps.plans.domain.target_checks import reach_problems
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.planned import PlannedTuning
from apps.plans.schemas.targets import (
    PlannedDaemons,
    PlannedHost,
    PlannedMember,
    PlannedOsdHost,
    PlannedTarget,
)
from apps.plans.tests.factories import a_plan
from apps.tuning.schemas.settings import Setting

SETTINGS = (
    Setting("ceph", "osd_max_backfills", "4", "osd"),
    Setting("ceph", "filestore_max_sync_interval", "15", "osd"),
)
NAMES = frozenset({"osd_max_backfills"})


def test_plan_with_an_unknown_option_is_refused_with_its_name() -> None:
    plan = a_plan(tunings=(PlannedTuning(1, "from the note", SETTINGS),))
    target = PlannedTarget("pool", 1, "rbd", "rbd", PlannedHost(1, "h"))
    unread = [problem.message for problem in reach_problems(plan, target)]
    assert not any("filestore_max_sync_interval" in text for text in unread)
    known = PlannedTarget("pool", 1, "rbd", "rbd", PlannedHost(1, "h"), option_names=NAMES)
    texts = [problem.message for problem in reach_problems(plan, known)]
    assert any("filestore_max_sync_interval" in text for text in texts)


HOST = PlannedHost(1, "node1")
POOL = PlannedTarget(
    "pool",
    1,
    "rbd",
    "rbd",
    HOST,
    members=(PlannedMember("pool", 1, "rbd", "node1", "rbd", HOST),),
    osd_hosts=(PlannedOsdHost(HOST, "osds:0,3"), PlannedOsdHost(PlannedHost(2, "n2"), "osds:1")),
    daemons={
        "mon": PlannedDaemons((PlannedOsdHost(HOST, "mons:a"),)),
        "mds": PlannedDaemons((PlannedOsdHost(HOST, "mdss:x"),)),
    },
    restarts=("osd", "mon", "mds"),
    slow_options={"osd_op_num_shards": ("osd",), "mon_rocksdb_options": ("mon",)},
)
SHARDS = Setting("ceph_conf", "osd_op_num_shards", "4", "osd", "pool")
ROCKSDB = Setting("ceph_conf", "mon_rocksdb_options", "x", "mon", "pool")
DIRFRAGS = Setting("ceph_conf", "mds_oft_prefetch_dirfrags", "true", "mds", "pool")


def problems(target: PlannedTarget, *settings: Setting) -> list[str]:
    plan = a_plan(tunings=(PlannedTuning(1, "tuned", settings),))
    return [problem.message for problem in reach_problems(plan, target)]


@pytest.mark.parametrize(
    ("settings", "target", "word"),
    [
        ([SHARDS, ROCKSDB, DIRFRAGS], {}, ""),
        ([SHARDS, ROCKSDB], {"restarts": ("osd",)}, "monitors"),
        ([ROCKSDB], {"restarts": ()}, "monitors"),
        ([DIRFRAGS], {"daemons": {}}, "mds_oft_prefetch_dirfrags"),
        ([ROCKSDB], {"daemons": {"mon": PlannedDaemons(unreachable=("far",))}}, "far"),
        ([ROCKSDB], {"unreachable_osd_hosts": ("far",)}, ""),
        ([SHARDS], {"unreachable_osd_hosts": ("far",)}, "far"),
        ([Setting("ceph_conf", "osd_op_num_shards", "4", "mon", "pool")], {}, "do not read"),
        ([Setting("ceph", "mon_rocksdb_options", "x", "mon")], {}, "mon_rocksdb_options"),
        ([Setting("ceph", "mon_rocksdb_options", "x", "client")], {}, ""),
    ],
)
def test_restarts_need_permission_and_reach_for_each_kind_of_daemon(
    settings: list[Setting], target: dict[str, Any], word: str
) -> None:
    texts = problems(replace(POOL, **target), *settings)
    assert bool(texts) == bool(word), texts
    assert not word or word in " ".join(texts)


def test_time_of_restarts_counts_the_daemons_of_the_settings() -> None:
    def seconds(*settings: Setting) -> float:
        return restart_seconds(PlannedTuning(1, "tuned", settings), POOL)

    assert (seconds(SHARDS), seconds(ROCKSDB), seconds(DIRFRAGS)) == (24.0, 7.0, 13.0)
    assert seconds(SHARDS, ROCKSDB, DIRFRAGS) == 44.0
    assert seconds() == seconds(Setting("ceph", "osd_max_backfills", "4", "osd")) == 0.0


def test_preview_names_the_daemons_and_the_number_of_restarts() -> None:
    tuned = PlannedTuning(1, "tuned", (SHARDS, ROCKSDB))
    step = StepSpec("rados", {"bs": "4M", "seconds": 10})
    tunings = (PlannedTuning(2, "plain"), tuned)
    plan = a_plan(step, targets=(POOL,), tunings=tunings, repeats=3)
    preview = preview_of(plan)
    (row,) = preview.restarts
    assert (row.tuning, row.daemons) == ("tuned", ("mon.a", "osd.0", "osd.1", "osd.3"))
    assert (row.count, row.seconds) == (24, 186.0)
    assert row.daemons_text == "mon.a, osd.0, osd.1, osd.3"
    many = replace(row, daemons=tuple(f"osd.{number}" for number in range(200)))
    assert len(many.daemons_text) < 120
    tuned_seconds = sum(case.seconds for case in preview.cases if case.tuning.name == "tuned")
    assert tuned_seconds == preview.seconds - tuned_seconds + row.seconds
