"""The verb `cluster`: the Ceph cluster this host is a client of."""

import shutil
from typing import List

from ..host.identity import command_environment
from ..schema import Request, Response
from .ceph_cli import CephError
from .conf_names import is_option_allowed
from .mon_connection import MonConnection
from .osds import cluster_osds

# Short, since a user waits for the check.
CONNECT_SECONDS, TIMEOUT_SECONDS = "8", 20.0


def cluster(base: str, _request: Request) -> Response:
    """Return `fsid` (null with `error`), `osds`, `options` and `restart`.

    `options`: names of all options. `restart`: the OSD options that need a restart. `osds` is empty
    if the client may not read them.
    """
    environment = command_environment(base)
    if not shutil.which("ceph", path=environment["PATH"]):
        return {"fsid": None, "error": "ceph is not installed on this host; install ceph-common."}
    fsid = None
    try:
        with MonConnection(environment, CONNECT_SECONDS, TIMEOUT_SECONDS) as ceph:
            fsid = cluster_fsid(ceph)
            osds = cluster_osds(ceph)
            names = option_names(ceph)
            restart = restart_options(ceph, names)
            return {"fsid": fsid, "error": "", "osds": osds, "options": names, "restart": restart}
    except CephError as error:
        return {"fsid": fsid, "error": str(error), "osds": []}


def cluster_fsid(ceph: MonConnection) -> str:
    """Return the fsid. Raises: CephError."""
    response = ceph.send({"prefix": "fsid"})
    if response.error:
        raise CephError(response.error)
    return response.text.strip()


def option_names(ceph: MonConnection) -> List[str]:
    """Return the names of all options that this Ceph has. Raises: CephError.

    Empty without a connection, since each command would take a second.
    """
    if ceph.mon_process.process is None:
        return []
    return sorted(str(name) for name in ceph.query("config ls") or [])


def restart_options(ceph: MonConnection, names: List[str]) -> List[str]:
    """Return OSD options that take effect only at the start of the daemon. Raises: CephError."""
    allowed = [name for name in names if is_option_allowed(name, "0")]
    descriptions = {name: ceph.query("config help", key=name) or {} for name in allowed}
    return [name for name in allowed if descriptions[name].get("can_update_at_runtime") is False]
