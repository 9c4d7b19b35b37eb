"""Lists of hosts in the forms that others write; nothing is executed or read from a file."""

from apps.inventory.domain.host_lists.decode import decode
from apps.inventory.domain.host_lists.node_sets import fold
from apps.inventory.domain.host_lists.read import FORMS, read_host_list
from apps.inventory.domain.host_lists.rows import (
    MAX_BYTES,
    MAX_HOSTS,
    HostList,
    HostRow,
    ListError,
    short,
)

__all__ = [
    "FORMS",
    "MAX_BYTES",
    "MAX_HOSTS",
    "HostList",
    "HostRow",
    "ListError",
    "decode",
    "fold",
    "read_host_list",
    "short",
]
