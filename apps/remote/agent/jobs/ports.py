"""Ports that a job's servers listen on (proc(5), /proc/<pid>/net/tcp).

`listens` of a command is "tcp:5201" or "udp:5201".
"""

import os
import re
from typing import List, Optional, Set

from ..errors import RefusalError
from ..files import list_folder, read_text
from ..processes.job_folder import Job
from ..processes.tree import members
from ..schema import Command

LISTENS = re.compile(r"^(?:tcp|udp):([1-9][0-9]{0,4})$")
LISTEN = "0A"  # TCP_LISTEN of <net/tcp_states.h>; what is bound for UDP has no such state
PORT_IN_USE = "Port: {} port {} is taken by {}; stop it or choose another port."


def is_port(text: str) -> bool:
    """Return True if a text is a protocol and a port."""
    match = LISTENS.match(text)
    return match is not None and int(match.group(1)) < 1 << 16


def is_listening(job: Job) -> bool:
    """Return True if a process of the job listens on a port of its commands.

    Commands run one after another, so it is the running one.
    """
    commands = (job.json("spec.json") or {}).get("commands") or []
    ports = {item["listens"] for item in commands if item.get("listens")}
    if not ports:
        return False
    return any(
        has_socket(str(member.pid), bound_inodes(str(member.pid), port))
        for member in members(job)
        for port in ports
    )


def refuse_used_ports(commands: List[Command]) -> None:
    """Raise RefusalError if another process uses a port of the commands."""
    ports = sorted({item["listens"] for item in commands if item["listens"]})
    result = [(port, bound_inodes("self", port)) for port in ports]
    reasons = [
        PORT_IN_USE.format(port[:3].upper(), port[4:], owner_text(inodes))
        for port, inodes in result
        if inodes
    ]
    if reasons:
        raise RefusalError(reasons)


def bound_inodes(pid: str, port: str) -> Set[str]:
    """Return the inodes of sockets on a port in a process's network namespace."""
    protocol, _, number = port.partition(":")
    ending = ":{:04X}".format(int(number))
    result = set()
    for name in (protocol, protocol + "6"):
        text = read_text("/proc/{}/net/{}".format(pid, name)) or ""
        for fields in map(str.split, text.splitlines()[1:]):
            if fields[1].endswith(ending) and (protocol == "udp" or fields[3] == LISTEN):
                result.add(fields[9])
    return result


def has_socket(pid: str, inodes: Set[str]) -> bool:
    """Return True if a process has one of these sockets open."""
    folder = "/proc/{}/fd".format(pid)
    wanted = {"socket:[{}]".format(inode) for inode in inodes}
    return bool(wanted) and any(link_target(folder, fd) in wanted for fd in list_folder(folder))


def link_target(folder: str, fd: str) -> Optional[str]:
    """Return the target of a descriptor; None if it was closed meanwhile."""
    try:
        return os.readlink(os.path.join(folder, fd))
    except OSError:
        return None


def owner_text(inodes: Set[str]) -> str:
    """Return name and PID of the process with one of these sockets."""
    for pid in filter(str.isdigit, list_folder("/proc")):
        if has_socket(pid, inodes):
            name = read_text("/proc/{}/comm".format(pid)) or "?"
            return "{} (process {})".format(name, pid)
    return "a process outside this host"
