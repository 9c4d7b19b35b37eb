"""The verb `cluster`: which Ceph cluster this host is a client of."""

import shutil
from typing import List

from ..host.identity import command_environment
from ..shapes import Reply, Request
from .command import CephError
from .conf_names import lendable
from .connection import Connection
from .osds import cluster_osds

# Somebody waits for the check: a cluster that is away is said to be away after seconds.
CONNECT, PATIENCE = "8", 20.0


def cluster(base: str, _request: Request) -> Reply:
    """`fsid` is the cluster's own id (ceph(8), fsid), null with the reason in `error`; `osds` are
    its OSDs, none where it does not tell this client; `restart` its options that need one.
    """
    environment = command_environment(base)
    if not shutil.which("ceph", path=environment["PATH"]):
        return {"fsid": None, "error": "ceph is not installed on this host; install ceph-common."}
    fsid = None
    try:
        with Connection(environment, CONNECT, PATIENCE) as ceph:
            fsid = own_id(ceph)
            osds = cluster_osds(ceph)
            return {"fsid": fsid, "error": "", "osds": osds, "restart": need_a_restart(ceph)}
    except CephError as error:
        return {"fsid": fsid, "error": str(error), "osds": []}


def own_id(ceph: Connection) -> str:
    """The cluster's id. Raises CephError."""
    answer = ceph.answer({"prefix": "fsid"})
    if answer.error:
        raise CephError(answer.error)
    return answer.text.strip()


def need_a_restart(ceph: Connection) -> List[str]:
    """Options of OSDs that take effect only when their daemon starts, as the cluster says it; none
    where each question would take a second. Raises CephError.
    """
    if ceph.binding.process is None:
        return []
    names = [name for name in ceph.ask("config ls") or [] if lendable(name, "0")]
    about = {name: ceph.ask("config help", key=name) or {} for name in names}
    return sorted(name for name in names if about[name].get("can_update_at_runtime") is False)
