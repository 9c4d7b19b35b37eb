"""Kernel settings (sysctl) that may be applied.

Those that change I/O and networking; none that grants permissions. Source:
Documentation/admin-guide/sysctl/.
"""

import re

ALLOWED = (
    r"kernel\.(pid_max|threads-max|numa_balancing|sched_[a-z0-9_]+)",
    r"vm\.(dirty_[a-z_]+|swappiness|vfs_cache_pressure|min_free_kbytes|zone_reclaim_mode)",
    r"net\.core\.([a-z_]*mem[a-z_]*|netdev_[a-z_]+|somaxconn|busy_[a-z]+|default_qdisc)",
    r"net\.ipv4\.tcp_[a-z0-9_]+",
    r"dev\.raid\.speed_limit_(max|min)",
    r"fs\.(aio-max-nr|file-max|nr_open)",
)
SECRET = frozenset(["net.ipv4.tcp_fastopen_key"])
_ALLOWED = re.compile("|".join("(?:{})".format(pattern) for pattern in ALLOWED))


def is_allowed(name: str) -> bool:
    """Return True if this setting ("kernel.pid_max") may be applied."""
    return bool(_ALLOWED.fullmatch(name)) and name not in SECRET
