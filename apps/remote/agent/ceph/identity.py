"""The verb `cluster`: which Ceph cluster this host is a client of."""

import json
import shutil
from typing import List

from ..host.identity import command_environment
from ..shapes import Reply, Request
from .command import CephError
from .conf_names import lendable
from .conversation import Conversation
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
    talk = Conversation(environment, CONNECT, PATIENCE)
    fsid = None
    try:
        fsid = own_id(talk)
        osds = cluster_osds(talk)
        return {"fsid": fsid, "error": "", "osds": osds, "restart": need_a_restart(talk)}
    except CephError as error:
        return {"fsid": fsid, "error": str(error), "osds": []}
    finally:
        talk.end()


def own_id(talk: Conversation) -> str:
    """The cluster's id. Raises CephError."""
    (said,) = talk.ask([{"prefix": "fsid"}])
    if said.error:
        raise CephError(said.error)
    return said.text.strip()


def need_a_restart(talk: Conversation) -> List[str]:
    """Options of OSDs that take effect only when their daemon starts, as the cluster says it; none
    where each question would take a second. Raises CephError.
    """
    if talk.line.process is None:
        return []
    (told,) = talk.ask([{"prefix": "config ls", "format": "json"}])
    names = [name for name in json.loads(told.text or "[]") if lendable(name, "0")]
    asked = [{"prefix": "config help", "key": name, "format": "json"} for name in names]
    about = [json.loads(one.text or "{}") for one in talk.ask(asked)]
    return sorted(
        name
        for place, name in enumerate(names)
        if about[place].get("can_update_at_runtime") is False
    )
