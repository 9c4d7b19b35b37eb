"""OSDs as a cluster tells of them: answers of Ceph 16 and 18, shortened."""

from __future__ import annotations

import pytest

from apps.remote.agent.ceph.osds import osd_numbers, parse_osd, require_local
from apps.remote.agent.errors import TuningUnavailableError

ROW = {
    "id": 3,
    "hostname": "node03.lab",
    "front_addr": "[v2:10.213.2.2:6800/795,v1:10.213.2.2:6801/795]",
    "back_addr": "[v2:10.9.0.2:6802/795,v1:10.9.0.2:6803/795]",
    "devices": "nvme0n1,sdb",
    "osd_objectstore": "bluestore",
}


@pytest.mark.parametrize(
    ("front", "addresses"),
    [
        ("[v2:10.213.2.2:6800/795,v1:10.213.2.2:6801/795]", ["10.213.2.2"]),
        ("10.213.2.2:6800/795", ["10.213.2.2"]),
        ("v2:[fd00::1]:6800/795", ["fd00::1"]),
        ("[v2:0.0.0.0:0/0,v1:0.0.0.0:0/0]", []),
    ],
)
def test_addresses(front: str, addresses: list[str]) -> None:
    row: dict[str, object] = {**ROW, "front_addr": front, "back_addr": ""}
    assert parse_osd(row, {})["addresses"] == addresses


def test_an_osd_with_its_node_of_the_tree() -> None:
    assert parse_osd({**ROW}, {"status": "up", "reweight": 1.0}) == {
        "id": 3,
        "host": "node03.lab",
        "addresses": ["10.213.2.2", "10.9.0.2"],
        "devices": ["nvme0n1", "sdb"],
        "store": "bluestore",
        "up": True,
        "is_in": True,
    }
    assert not parse_osd({**ROW}, {"status": "up", "reweight": 0.0})["is_in"]


def test_osds_that_run_elsewhere_cannot_be_tuned_here() -> None:
    assert osd_numbers("osds:7001,7002") == [7001, 7002]
    with pytest.raises(TuningUnavailableError, match="OSD 7002 does not run on this host now"):
        require_local([7001, 7002])
