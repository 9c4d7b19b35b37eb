"""Deep scrubs of a pool: when each placement group had its last one."""

from typing import Dict

from ..ceph.mon_connection import MonConnection


def scrub_stamps(ceph: MonConnection, pool: str) -> Dict[str, str]:
    """Return the time of the last deep scrub by placement group. Raises: CephError."""
    response = ceph.query("pg ls-by-pool", poolstr=pool) or {}
    rows = response.get("pg_stats") if isinstance(response, dict) else response
    return {str(row.get("pgid")): str(row.get("last_deep_scrub_stamp")) for row in rows or []}


def all_scrubbed_since(before: Dict[str, str], now: Dict[str, str]) -> bool:
    """Return True if each placement group has a later deep scrub than before."""
    return bool(before) and all(now.get(pgid, stamp) > stamp for pgid, stamp in before.items())
