"""The verb `cluster`: which Ceph cluster this host is a client of."""

import json
import shutil
from typing import Dict, List

from ..host.identity import command_environment
from ..shapes import Reply, Request
from .batch import ask_many
from .command import Ceph, CephError
from .conf_names import lendable
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
    try:
        fsid = Ceph(environment, CONNECT, PATIENCE).run(["fsid"]).strip()
    except CephError as error:
        return {"fsid": None, "error": str(error), "osds": []}
    try:
        return {
            "fsid": fsid,
            "error": "",
            "osds": cluster_osds(environment),
            "restart": need_a_restart(environment),
        }
    except CephError as error:
        return {"fsid": fsid, "error": str(error), "osds": []}


def need_a_restart(environment: Dict[str, str]) -> List[str]:
    """Options of OSDs that take effect only when their daemon starts, as the cluster says it; none
    where it cannot be asked quickly. Raises CephError.
    """
    told = ask_many(environment, [{"prefix": "config ls", "format": "json"}])
    names = json.loads(told[0].text or "[]") if told else []
    names = [name for name in names if lendable(name, "0")]
    asked = [{"prefix": "config help", "key": name, "format": "json"} for name in names]
    found = ask_many(environment, asked) if asked else []
    about = [json.loads(one.text or "{}") for one in found]
    return sorted(
        name
        for place, name in enumerate(names)
        if about and about[place].get("can_update_at_runtime") is False
    )
