"""The cluster's answers before and after a test."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.tools.parse_result import Output, Parsed
from apps.tools.rados import TOOL
from tests.harness.documents import Document

SAMPLES = Path(__file__).parent / "samples"
STDOUT = (SAMPLES / "16.2.15--benchlab-erasure-coded" / "output.txt").read_bytes()
OK = {"status": "HEALTH_OK", "checks": {}, "mutes": []}
# As ceph 16.2.15 said it of a cluster with one of three OSDs stopped.
DOWN = {
    "status": "HEALTH_WARN",
    "checks": {
        "OSD_DOWN": {
            "severity": "HEALTH_WARN",
            "summary": {"message": "1 osds down", "count": 1},
            "muted": False,
        }
    },
    "mutes": [],
}
# ceph(8) before luminous.
JEWEL = {
    "overall_status": "HEALTH_WARN",
    "summary": [{"severity": "HEALTH_WARN", "summary": "noout flag(s) set"}],
}
POOL = {
    "pool": "test",
    "size": 3,
    "min_size": 2,
    "pg_num": 8,
    "crush_rule": "replicated_rule",
    "erasure_code_profile": "mine",
    "pg_autoscale_mode": "off",
}
DUMP = {
    "flags_set": ["noout", "sortbitwise", "pglog_hardlimit"],
    "osds": [{"osd": 0, "up": 1, "in": 1}, {"osd": 1, "up": 0, "in": 1}],
    "erasure_code_profiles": {"mine": {"k": "2", "m": "1", "plugin": "jerasure"}},
}
VERSIONS = {
    "overall": {
        "ceph version 16.2.15 (618f440892089921c3e944a991122ddc44e60516) pacific (stable)": 4,
        "ceph version 15.2.17 (8a82819d84cf884bd39c17e3236e0632ac146dc4) octopus (stable)": 1,
    }
}


def parse(params: Document | None = None, left: bytes = b"", **said: Any) -> Parsed:
    files = {f"{name.replace('_', '-')}.json": json.dumps(a).encode() for name, a in said.items()}
    output = Output(
        {"stdout": STDOUT, "stderr": b"", **files}, 0, params or {}, {"left": left} if left else {}
    )
    return TOOL.parse(output)


def ceph(parsed: Parsed) -> Document:
    """The cluster as it stands with every measurement."""
    first, *others = [m.values.get("ceph") for m in parsed.measurements]
    assert all(each == first for each in others)
    assert isinstance(first, dict)
    return first


def test_the_facts_stand_with_every_measurement() -> None:
    found = ceph(parse(health_before=OK, pool=POOL, osd_dump=DUMP, versions=VERSIONS))
    assert found["health"] == "HEALTH_OK"
    assert (found["osds"], found["osds_up"], found["osds_in"]) == (2, 1, 2)
    assert found["flags"] == ["noout"]
    assert found["pool"]["size"] == 3
    assert found["pool"]["erasure_code"] == {"k": "2", "m": "1", "plugin": "jerasure"}
    assert found["daemons"] == ["15.2.17", "16.2.15"]


@pytest.mark.parametrize("nested", [False, True])
def test_osds_are_counted_by_the_status(nested: bool) -> None:
    counts = {"num_osds": 3, "num_up_osds": 2, "num_in_osds": 3}
    status = {"osdmap": {"osdmap": counts} if nested else counts}
    found = ceph(parse(status=status))
    assert (found["osds"], found["osds_up"], found["osds_in"]) == (3, 2, 3)


def test_an_unhealthy_cluster_is_a_warning_with_its_reason() -> None:
    parsed = parse(health_before=OK, health_after=DOWN)
    said = "Ceph was not healthy after the test: HEALTH_WARN, 1 osds down."
    assert said in parsed.warnings
    assert ceph(parsed)["health_after"] == "HEALTH_WARN"
    assert not any("before the test" in sentence for sentence in parsed.warnings)


def test_old_releases_say_it_otherwise() -> None:
    parsed = parse(health_before=JEWEL)
    assert "before the test: HEALTH_WARN, noout flag(s) set." in " ".join(parsed.warnings)


def test_names_of_this_attempt_are_no_facts_of_the_cluster() -> None:
    made = POOL | {"crush_rule": "benchlab-0123456789ab", "erasure_code_profile": "benchlab-01234"}
    profiles = {"erasure_code_profiles": {"benchlab-01234": {"k": "2"}}}
    found = ceph(parse(pool=made, osd_dump=profiles))["pool"]
    assert "benchlab" not in json.dumps(found)
    assert found["erasure_code"] == {"k": "2"}


def test_without_answers_there_is_nothing_to_say() -> None:
    assert "ceph" not in parse().measurements[0].values


@pytest.mark.parametrize(
    "odd", [[], "text", 5, None, {"checks": [1]}, {"status": 7, "summary": [1]}, {"osdmap": [1]}]
)
def test_odd_answers_bring_nothing_down(odd: Any) -> None:
    names = ("health_before", "health_after", "status", "osd_dump", "pool", "versions")
    parsed = parse(**dict.fromkeys(names, odd))
    assert len(parsed.measurements) == 3


def test_rounded_block_size_gives_a_warning() -> None:
    write, *reads = parse({"bs": 4096}).measurements
    assert len(write.warnings) == 1
    assert not any("rounded" in sentence for read in reads for sentence in read.warnings)
    assert parse({"bs": 65536}).measurements[0].warnings == ()


def test_remaining_objects_give_a_warning() -> None:
    parsed = parse(left=b"benchmark_data_vm_1_object1\nbenchmark_data_vm_1_object2\n")
    assert any(sentence.startswith("2 objects of this test") for sentence in parsed.warnings)
