"""The state of a Ceph cluster from its responses, as plain values.

Sources: PGMap::print_summary, OSDMap::dump, `ceph osd df`, `ceph pg dump sum`.
"""

from typing import Any, Dict, List, Tuple

from ..ceph.mon_connection import MonConnection
from ..schema import ClusterSample

CLEAN = ("active", "clean")
# A scrub does not move data.
HARMLESS_WORDS = ("scrubbing", "deep", "snaptrim", "snaptrim_wait")
MOVING_WORDS = ("recovering", "backfilling")
# A placement group passes through these for a moment when the map of OSDs changes.
PASSING_WORDS = ("peering", "activating", "creating", "unknown", "peered", "stale")
MAX_CHECKS = 20


def parse_status(status: Dict[str, Any]) -> ClusterSample:
    """Return what a second of `ceph status` tells."""
    pgmap = status.get("pgmap") or {}
    rows = pgmap.get("pgs_by_state") or []
    health = status.get("health") or {}
    checks = health.get("checks")
    return {
        "states": {str(row.get("state_name")): count(row, "count") for row in rows},
        "pgs": count(pgmap, "num_pgs"),
        "objects": count(pgmap, "num_objects"),
        "degraded": count(pgmap, "degraded_objects"),
        "misplaced": count(pgmap, "misplaced_objects"),
        "unfound": count(pgmap, "unfound_objects"),
        "recovery_bytes": count(pgmap, "recovering_bytes_per_sec"),
        "recovery_objects": count(pgmap, "recovering_objects_per_sec"),
        "read_ops": count(pgmap, "read_op_per_sec"),
        "write_ops": count(pgmap, "write_op_per_sec"),
        "checks": sorted(str(code) for code in checks or {})[:MAX_CHECKS],
    }


def count(row: Dict[str, Any], name: str) -> int:
    """Return a number of a response; 0 if Ceph leaves it out, as it does with zeros."""
    value = row.get(name)
    return int(value) if isinstance(value, (int, float)) and value > 0 else 0


def words(state: str) -> List[str]:
    """Return the words of a state of placement groups: "active+clean"."""
    return state.split("+")


def is_clean(sample: ClusterSample) -> bool:
    """Return True if all placement groups are active and clean, and no object is elsewhere."""
    moving = sample["degraded"] + sample["misplaced"] + sample["unfound"]
    clean = [
        tuple(word for word in words(state) if word not in HARMLESS_WORDS) == CLEAN
        for state in sample["states"]
    ]
    return bool(clean) and all(clean) and not moving


def is_moving(sample: ClusterSample) -> bool:
    """Return True while a placement group recovers or backfills."""
    return any(word in MOVING_WORDS for state in sample["states"] for word in words(state))


def inactive(sample: ClusterSample) -> Dict[str, int]:
    """Return the states of placement groups that serve no client, with their numbers."""
    return {state: n for state, n in sample["states"].items() if "active" not in words(state)}


def is_passing(state: str) -> bool:
    """Return True for an inactive state that a placement group leaves within seconds."""
    mine = words(state)
    lost = "down" in mine or "incomplete" in mine
    return not lost and any(word in PASSING_WORDS for word in mine)


def unclean_text(sample: ClusterSample) -> str:
    """Return why a cluster is not clean, for messages."""
    states = ["{} {}".format(n, state) for state, n in sorted(sample["states"].items())]
    moving = "{} objects degraded, {} misplaced".format(sample["degraded"], sample["misplaced"])
    return "; ".join(states[:MAX_CHECKS] + [moving])


def recovered_bytes(dump: Dict[str, Any]) -> int:
    """Return the bytes recovered since the pools exist, from `ceph pg dump sum`."""
    total = (dump.get("pg_map") or dump).get("pg_stats_sum") or {}
    return count(total.get("stat_sum") or {}, "num_bytes_recovered")


class ClusterSource:
    """Looks at a cluster each second."""

    def __init__(self, ceph: MonConnection) -> None:
        self.ceph = ceph

    def look(self) -> Tuple[ClusterSample, int]:
        """Return a sample, and the bytes recovered since the pools exist. Raises: CephError."""
        sample = parse_status(self.ceph.query("status") or {})
        return sample, recovered_bytes(self.ceph.query("pg dump", dumpcontents=["sum"]) or {})
