"""Options of a tuning profile that the Ceph of a planned pool does not have."""

from __future__ import annotations

from apps.plans.domain.target_checks import reach_problems
from apps.plans.schemas.planned import PlannedTuning
from apps.plans.schemas.targets import PlannedHost, PlannedTarget
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
