"""Tunings that restart OSDs: reads from cold caches are not held against reads from warm ones."""

from __future__ import annotations

from typing import Any

import pytest

from apps.accounts.models import User
from apps.analysis.tests.compare import factories
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.common.domain.verdicts import VerdictKind
from apps.tuning.schemas.settings import Setting

RESTARTED = [Setting("ceph_conf", "osd_memory_target", 2**30, section="osd", scope="pool")]
OTHER = [Setting("ceph_conf", "osd_op_num_shards", 4, section="osd", scope="pool")]


@pytest.mark.parametrize(
    ("rw", "baseline", "kind"),
    [
        ("randread", [], VerdictKind.NOT_COMPARABLE),
        ("randwrite", [], VerdictKind.BETTER),
        ("randread", OTHER, VerdictKind.BETTER),
    ],
    ids=["reads, one side restarted", "writes", "reads, both sides restarted"],
)
def test_restarted_side_is_comparable_for_writes_and_with_its_like(
    owner: User, monkeypatch: pytest.MonkeyPatch, rw: str, baseline: Any, kind: VerdictKind
) -> None:
    monkeypatch.setitem(factories.TUNINGS, "First", baseline)
    monkeypatch.setitem(factories.TUNINGS, "Restarted", RESTARTED)
    run = create_measured_run(
        Setup(
            owner,
            tunings=("First", "Restarted"),
            points=[PARAMS | {"rw": rw}],
            gains={"Restarted": 1.3},
        )
    )
    found = compare_runs(runs=[run.pk], baseline="First")
    (texts,) = (texts for result in found.results for texts in result.verdicts)
    assert texts["iops"].kind is kind
    assert bool(texts["iops"].factors) == (kind is VerdictKind.NOT_COMPARABLE)
