"""The verb `cluster`: the Ceph cluster this host is a client of."""

import shutil
from typing import Any, Dict, List

from ..host.identity import command_environment
from ..schema import CephDaemon, DaemonKind, Request, Response
from .ceph_cli import CephError
from .conf_names import is_option_allowed
from .daemon_names import NAME, option_daemons
from .mon_connection import MonConnection
from .osds import addresses_in, cluster_osds

# Short, since a user waits for the check.
CONNECT_SECONDS, TIMEOUT_SECONDS = "8", 20.0


def cluster(base: str, _request: Request) -> Response:
    """Return `fsid` (null with `error`), `osds`, `daemons`, `options`, `restart` and `services`.

    `options`: names of all options. `restart`: those that need a restart, and in `services` the
    kinds of daemons that read each. `osds` and `daemons` (monitors and MDS) are empty if the client
    may not read them.
    """
    environment = command_environment(base)
    if not shutil.which("ceph", path=environment["PATH"]):
        return {"fsid": None, "error": "ceph is not installed on this host; install ceph-common."}
    fsid = None
    try:
        with MonConnection(environment, CONNECT_SECONDS, TIMEOUT_SECONDS) as ceph:
            fsid = cluster_fsid(ceph)
            osds = cluster_osds(ceph)
            daemons = cluster_daemons(ceph)
            names = option_names(ceph)
            services = restart_options(ceph, names)
        return {
            "fsid": fsid,
            "error": "",
            "osds": osds,
            "daemons": daemons,
            "options": names,
            "restart": sorted(services),
            "services": services,
        }
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


def cluster_daemons(ceph: MonConnection) -> List[CephDaemon]:
    """Return monitors and MDS of `ceph mon metadata` and `ceph mds metadata`. Raises: CephError."""
    result = [parse_daemon(row, "mon") for row in ceph.query("mon metadata") or []]
    result += [parse_daemon(row, "mds") for row in ceph.query("mds metadata") or []]
    return [one for one in result if NAME.match(one["name"])]


def parse_daemon(row: Dict[str, Any], kind: DaemonKind) -> CephDaemon:
    """Return one daemon of the metadata; one that is down has a name only."""
    return {
        "kind": kind,
        "name": str(row.get("name")),
        "host": str(row.get("hostname", "")),
        "addresses": addresses_in(row, ("addrs", "addr")),
    }


def restart_options(ceph: MonConnection, names: List[str]) -> Dict[str, List[str]]:
    """Return the options that take effect only at the start of a daemon, and who reads them.

    Raises: CephError.
    """
    result = {}
    for name in names:
        if not is_option_allowed(name, "0"):
            continue
        described = ceph.query("config help", key=name) or {}
        if described.get("can_update_at_runtime") is False:
            result[name] = option_daemons(name, described.get("services") or [])
    return result
