"""Processes of Ceph daemons on this host, including those in containers."""

import re
from typing import Dict, List, Optional

from ..files import list_folder, read_text
from .daemon_names import NAME

# ceph-osd(8): -i ID, --id ID; cephadm starts daemons with -n TYPE.ID.
ID = r"\0(?:-i\0|-i(?=[0-9])|--id[=\0]|-n\0?{kind}\.|--name[=\0]{kind}\.)([^\0]+)\0"


def running_daemons(kind: str) -> Dict[str, List[int]]:
    """Return the processes of each daemon of a kind on this host, by its id."""
    result: Dict[str, List[int]] = {}
    for name in list_folder("/proc"):
        if not name.isdigit() or read_text("/proc/{}/comm".format(name)) != "ceph-" + kind:
            continue
        daemon_id = id_in_arguments(name, kind)
        if daemon_id is not None:
            result.setdefault(daemon_id, []).append(int(name))
    return result


def id_in_arguments(pid: str, kind: str) -> Optional[str]:
    """Return the daemon's id in the arguments of a process."""
    try:
        with open("/proc/{}/cmdline".format(pid), "rb") as file:
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return None
    match = re.search(ID.format(kind=kind), text)
    return match.group(1) if match and NAME.match(match.group(1)) else None
