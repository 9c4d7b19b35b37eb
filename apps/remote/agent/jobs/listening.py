"""Ports that a job's servers listen on, as the kernel shows them (proc(5), /proc/<pid>/net/tcp).

A command's `listens` is "tcp:5201" or "udp:5201".
"""

import os
import re
from typing import List, Optional, Set

from ..errors import RefusalError
from ..files import list_folder, read_text
from ..shapes import Command
from .job import Job
from .tree import members

LISTENS = re.compile(r"^(?:tcp|udp):([1-9][0-9]{0,4})$")
LISTEN = "0A"  # TCP_LISTEN of <net/tcp_states.h>; what is bound for UDP has no such state
TAKEN = "Port: {} port {} is taken by {}; stop it or choose another port."


def is_port(text: str) -> bool:
    """Whether a text names a protocol and a port."""
    match = LISTENS.match(text)
    return match is not None and int(match.group(1)) < 1 << 16


def is_listening(job: Job) -> bool:
    """Whether a process of the job itself has the port open that its running command is to listen
    on. Commands run one after another, so what listens is the running one's.
    """
    commands = (job.json("spec.json") or {}).get("commands") or []
    asked = {item["listens"] for item in commands if item.get("listens")}
    if not asked:
        return False
    return any(
        owns(str(member.pid), bound(str(member.pid), port))
        for member in members(job)
        for port in asked
    )


def refuse_taken(commands: List[Command]) -> None:
    """Raises RefusalError when somebody has a port that a command is to listen on."""
    asked = sorted({item["listens"] for item in commands if item["listens"]})
    found = [(port, bound("self", port)) for port in asked]
    reasons = [
        TAKEN.format(port[:3].upper(), port[4:], owner(inodes)) for port, inodes in found if inodes
    ]
    if reasons:
        raise RefusalError(reasons)


def bound(pid: str, port: str) -> Set[str]:
    """Inodes of the sockets on a port in the network that a process lives in."""
    protocol, _, number = port.partition(":")
    ending = ":{:04X}".format(int(number))
    found = set()
    for name in (protocol, protocol + "6"):
        text = read_text("/proc/{}/net/{}".format(pid, name)) or ""
        for fields in map(str.split, text.splitlines()[1:]):
            if fields[1].endswith(ending) and (protocol == "udp" or fields[3] == LISTEN):
                found.add(fields[9])
    return found


def owns(pid: str, inodes: Set[str]) -> bool:
    """Whether a process has one of these sockets open."""
    folder = "/proc/{}/fd".format(pid)
    wanted = {"socket:[{}]".format(inode) for inode in inodes}
    return bool(wanted) and any(link(folder, fd) in wanted for fd in list_folder(folder))


def link(folder: str, fd: str) -> Optional[str]:
    """The target of a descriptor; None when it was closed while we looked."""
    try:
        return os.readlink(os.path.join(folder, fd))
    except OSError:
        return None


def owner(inodes: Set[str]) -> str:
    """The process that has one of these sockets, in words."""
    for pid in filter(str.isdigit, list_folder("/proc")):
        if owns(pid, inodes):
            name = read_text("/proc/{}/comm".format(pid)) or "?"
            return "{} (process {})".format(name, pid)
    return "something that is no process of this host"
