"""A cluster is disturbed only if it is clean, has space, and may lose the OSD."""

from __future__ import annotations

from typing import Any, cast

import pytest

from apps.remote.agent.ceph.mon_connection import MonConnection, MonResponse
from apps.remote.agent.disturbance import checks
from apps.remote.agent.disturbance.request import validate_disturbance
from apps.remote.agent.errors import RefusalError
from apps.remote.agent.tuning.osd_settings import osd_weight
from apps.remote.agent_tests.test_disturbance_timeline import FSID, request

OSDS = [{"osd": n, "up": 1, "in": 1, "weight": 1, "state": ["exists", "up"]} for n in range(3)]
USAGE = {"nodes": [{"id": n, "reweight": 1, "utilization": 20.0 + n} for n in range(3)]}
CLEAN = {"pgmap": {"pgs_by_state": [{"state_name": "active+clean", "count": 16}]}}
BUSY = {"pgmap": {"pgs_by_state": [{"state_name": "active+recovering", "count": 16}]}}


class FakeCeph:
    """Answers of a cluster; `osd ok-to-stop` may be an error, which has no JSON then."""

    def __init__(self, **answers: Any) -> None:
        self.answers: dict[str, Any] = {
            "fsid": {"fsid": FSID}, "status": CLEAN, "osd_df": USAGE,
            "osd_dump": {"flags": "sortbitwise", "osds": OSDS}, **answers,
        }  # fmt: skip
        self.stop = answers.get("stop", MonResponse('{"ok_to_stop": true}'))

    def query(self, prefix: str, **_arguments: Any) -> Any:
        return self.answers[prefix.replace(" ", "_")]

    def send(self, command: dict[str, Any]) -> MonResponse:
        assert command["prefix"] == "osd ok-to-stop"
        assert command["ids"] == ["1"]
        return cast(MonResponse, self.stop)


def reasons(ceph: FakeCeph, **more: Any) -> list[str]:
    wanted = validate_disturbance(request(timeout=5, **more), 1)
    assert wanted
    clock = iter(range(100))
    try:
        checks.require_undisturbed(
            cast(MonConnection, ceph), wanted, lambda _seconds: None, lambda: float(next(clock))
        )
    except RefusalError as refusal:
        return refusal.reasons
    return []


def osds(**changed: Any) -> dict[str, Any]:
    return {"flags": "sortbitwise", "osds": [OSDS[0], {**OSDS[1], **changed}, OSDS[2]]}


def used(*percent: float) -> dict[str, Any]:
    return {"nodes": [{"reweight": 1, "utilization": one} for one in percent]}


def test_healthy_cluster_is_disturbed() -> None:
    assert reasons(FakeCeph()) == []
    assert reasons(FakeCeph(stop=MonResponse(""))) == [], "Ceph before 16 writes nothing"


@pytest.mark.parametrize(
    ("answers", "word"),
    [
        ({"fsid": {"fsid": "another"}}, "not of " + FSID),
        ({"status": BUSY}, "16 active+recovering"),
        ({"status": {}}, "active and clean"),
        ({"osd_dump": {"flags": "noout,sortbitwise", "osds": OSDS}}, "flag noout"),
        ({"osd_dump": {"flags": "norecover", "osds": OSDS}}, "flag norecover"),
        ({"osd_dump": osds(state=["exists", "up", "noout"])}, "flag noout"),
        ({"osd_dump": {"flags": "", "osds": OSDS[:1]}}, "no osd.1"),
        ({"osd_dump": osds(up=0)}, "not up and in"),
        ({"osd_dump": osds(**{"in": 0, "weight": 0})}, "not up and in"),
        ({"osd_df": used(20.0, 51.0, 20.0)}, "full to 76%"),
        ({"osd_df": used(20.0)}, "only OSD"),
        ({"stop": MonResponse("", "Error EBUSY: 6 PGs would become offline")}, "6 PGs"),
        ({"stop": MonResponse('{"ok_to_stop": false}')}, "ok_to_stop is false"),
        ({"stop": MonResponse('{"message": "?"}')}, "ok_to_stop is false"),
    ],
)
def test_other_clusters_are_refused(answers: dict[str, Any], word: str) -> None:
    result = reasons(FakeCeph(**answers))
    assert len(result) == 1, result
    assert word in result[0]


def test_scrub_needs_no_space_but_no_flag_against_it() -> None:
    flagged = {"flags": "nodeep-scrub", "osds": OSDS}
    ceph = FakeCeph(osd_dump=flagged, osd_df=used(90.0))
    assert reasons(ceph, kind="deep_scrub") == [checks.FLAG.format("nodeep-scrub")]
    assert reasons(FakeCeph(osd_df=used(90.0)), kind="deep_scrub") == []


@pytest.mark.parametrize(("weight", "text"), [(1, "1"), (0, "0"), (0.8500061, "0.850006")])
def test_weight_of_an_osd(weight: float, text: str) -> None:
    dump = {"osds": [{"osd": 1, "weight": weight}]}
    assert osd_weight(dump, 1) == text
    assert osd_weight(dump, 2) is None
