"""Names of Ceph daemons that benchlab may restart; also used by the server.

An identity names daemons of one kind on a host: "osds:0,3", "mons:a", "mdss:x,y".
"""

import re
from typing import Dict, List, Tuple

# In the order of restarting: those that a later one depends on come first.
DAEMON_KINDS = ("mon", "osd", "mds")
PREFIXES: Dict[str, str] = {"mon": "mons:", "osd": "osds:", "mds": "mdss:"}
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}\Z")
# Beginnings of options whose daemons `ceph config help` does not name before Ceph 17.
OSD_OPTIONS = ("osd_", "bluestore_", "bluefs_", "bdev_", "filestore_", "journal_", "kstore_")
BEGINNINGS = {"mon": ("mon_", "paxos_"), "osd": OSD_OPTIONS, "mds": ("mds_",)}
OTHER_BEGINNINGS = ("rgw_", "rbd_", "mgr_", "client_", "fuse_", "cephfs_", "restapi_")


def identity_of(kind: str, names: List[str]) -> str:
    """Return the identity of daemons of a kind."""
    return PREFIXES[kind] + ",".join(names)


def join_identities(identities: List[str]) -> str:
    """Return one text for the daemons of several kinds on a host: "osds:0,3;mons:a"."""
    return ";".join(identities)


def split_identities(text: str) -> Dict[str, str]:
    """Return the identities in such a text by kind of daemon."""
    words = text.split(";")
    rows = {kind: [word for word in words if word.startswith(PREFIXES[kind])] for kind in PREFIXES}
    return {kind: mine[0] for kind, mine in rows.items() if mine}


def names_of(identity: str) -> List[str]:
    """Return the full names in an identity, such as ["osd.0", "osd.3"]; none in another text."""
    for kind, prefix in PREFIXES.items():
        if identity.startswith(prefix):
            words = identity[len(prefix) :].split(",")
            return ["{}.{}".format(kind, word) for word in words if NAME.match(word)]
    return []


def split_name(name: str) -> Tuple[str, str]:
    """Return kind and id of a daemon: ("osd", "3")."""
    kind, _dot, rest = name.partition(".")
    return kind, rest


def restart_rank(name: str) -> Tuple[int, int, str]:
    """Return the sort key of a daemon for restarts."""
    kind, rest = split_name(name)
    return DAEMON_KINDS.index(kind), int(rest) if rest.isdigit() else 0, rest


def option_daemons(name: str, services: List[str]) -> List[str]:
    """Return the kinds of daemons that read an option.

    `services`: of `ceph config help`; empty or "common": the name's beginning decides, and an
    option without one is read by all.
    """
    named = [one for one in services if one != "common"]
    if named:
        return [kind for kind in DAEMON_KINDS if kind in named]
    for kind, beginnings in BEGINNINGS.items():
        if name.startswith(beginnings):
            return [kind]
    return [] if name.startswith(OTHER_BEGINNINGS) else list(DAEMON_KINDS)
