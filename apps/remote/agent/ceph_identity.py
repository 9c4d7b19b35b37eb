"""The verb `cluster`: which Ceph cluster this host is a client of."""

import shutil

from .ceph import Ceph, CephError
from .ceph_osds import cluster_osds
from .host import command_environment
from .shapes import Reply, Request

# Somebody waits for the check: a cluster that is away is said to be away after seconds.
CONNECT, PATIENCE = "8", 20.0


def cluster(base: str, _request: Request) -> Reply:
    """`fsid` is the cluster's own id (ceph(8), fsid), null with the reason in `error`; `osds` are
    its OSDs, none where it does not tell this client.
    """
    environment = command_environment(base)
    if not shutil.which("ceph", path=environment["PATH"]):
        return {"fsid": None, "error": "ceph is not installed on this host; install ceph-common."}
    try:
        fsid = Ceph(environment, CONNECT, PATIENCE).run(["fsid"]).strip()
    except CephError as error:
        return {"fsid": None, "error": str(error), "osds": []}
    try:
        return {"fsid": fsid, "error": "", "osds": cluster_osds(environment)}
    except CephError as error:
        return {"fsid": fsid, "error": str(error), "osds": []}
