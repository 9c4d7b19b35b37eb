"""Kernel settings (sysctl) that may be lent: those that change how I/O and networks go, and none
that decides who may do what. Meanings: the kernel's Documentation/admin-guide/sysctl/.
"""

import re

ALLOWED = (
    r"kernel\.(pid_max|threads-max|numa_balancing|sched_[a-z0-9_]+)",
    r"vm\.(dirty_[a-z_]+|swappiness|vfs_cache_pressure|min_free_kbytes|zone_reclaim_mode)",
    r"net\.core\.([a-z_]*mem[a-z_]*|netdev_[a-z_]+|somaxconn|busy_[a-z]+|default_qdisc)",
    r"net\.ipv4\.tcp_[a-z0-9_]+",
    r"fs\.(aio-max-nr|file-max|nr_open)",
)
SECRET = frozenset(["net.ipv4.tcp_fastopen_key"])
_ALLOWED = re.compile("|".join("(?:{})".format(pattern) for pattern in ALLOWED))


def allowed(name: str) -> bool:
    """Whether a setting of this name ("kernel.pid_max") may be lent."""
    return bool(_ALLOWED.fullmatch(name)) and name not in SECRET
