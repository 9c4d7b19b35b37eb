"""Facts of a host; each item is read on its own, so that an error affects only it."""

import fcntl
import os
import re
import socket
import struct
from typing import Any, Callable, Dict, List, Optional

from ..disks.blocks import all_blocks
from ..disks.hardware_queues import cpu_list
from ..files import list_folder, read_int, read_text
from ..host.identity import boot_id, machine_id
from ..host.tool_options import tool_options
from ..host.tool_versions import package_managers, tool_versions
from ..limits.document import Limits, LimitsError, is_stopped, parse_limits, read_document
from ..limits.rules import is_listed
from ..schema import NumaNode, Request, Response
from ..validators import string_list
from .disks import disk_facts
from .mounts import mount_facts

SSH = "/etc/ssh"
NET = "/sys/class/net"
CPU = "/sys/devices/system/cpu"
NODE = "/sys/devices/system/node"
SIOCGIFADDR = 0x8915  # netdevice(7)


def facts(base: str, request: Request) -> Response:
    """Run the verb. `errors` maps failed items to their error; the item is null."""
    programs = string_list(request.get("programs", []), "programs")
    items: Dict[str, Callable[[], Any]] = {
        "kernel": lambda: os.uname().release,
        "distribution": distribution,
        "architecture": lambda: os.uname().machine,
        "hostname": socket.gethostname,
        "machine_id": machine_id,
        "ssh_keys": ssh_keys,
        "boot_id": boot_id,
        "uptime": lambda: float((read_text("/proc/uptime") or "0").split()[0]),
        "cpu": cpu,
        "memory": memory,
        "nics": nics,
        "tools": lambda: tool_versions(base, programs),
        "options": lambda: tool_options(base),
        "installers": lambda: package_managers(base),
        "disks": lambda: disk_facts(base),
        "mounts": mount_facts,
        "owner_limits": owner_limits,
    }
    errors: Dict[str, str] = {}
    result: Dict[str, object] = {"errors": errors}
    for name, look in items.items():
        try:
            result[name] = look()
        except Exception as error:
            result[name] = None
            errors[name] = repr(error)
    return {"facts": result}


def owner_limits() -> Response:
    """Return the owner's file as it is, why it cannot be obeyed, and if the stop file exists.

    `allowed_disks`: identities of the disks that it allows; None if it limits none.
    """
    document, wrong, disks = None, "", None
    try:
        document = read_document()
        limits = parse_limits(document) if document is not None else Limits()
        if limits.disks is not None:
            disks = [block.identity for block in all_blocks() if is_listed(block, limits.disks)]
    except LimitsError as error:
        document, wrong = None, str(error)
    return {
        "limits": document,
        "error": wrong,
        "is_stopped": is_stopped(),
        "allowed_disks": disks,
    }


def ssh_keys() -> List[str]:
    """Return the public keys of this machine's sshd ("ssh-ed25519 AAAA...").

    They identify a host that is registered twice, locally and over SSH.
    """
    names = [name for name in list_folder(SSH) if re.match(r"^ssh_host_\w+_key\.pub$", name)]
    lines = [(read_text(os.path.join(SSH, name)) or "").split() for name in names]
    return sorted(" ".join(words[:2]) for words in lines if len(words) > 1)


def distribution() -> Optional[str]:
    """Return PRETTY_NAME of os-release(5)."""
    text = read_text("/etc/os-release") or read_text("/usr/lib/os-release") or ""
    match = re.search(r'^PRETTY_NAME="?([^"\n]*)', text, re.MULTILINE)
    return match.group(1) if match else None


def cpu() -> Response:
    """Return model, online CPUs, sockets and the CPUs of each NUMA node."""
    text = read_text("/proc/cpuinfo") or ""
    model = re.search(r"^(?:model name|cpu model|Model|cpu)\s*:\s*(.+)$", text, re.MULTILINE)
    online = cpu_list(read_text(CPU + "/online") or "")
    path = CPU + "/cpu{}/topology/physical_package_id"
    sockets = {read_text(path.format(number)) for number in online} - {None}
    return {
        "model": model.group(1).strip() if model else None,
        "count": len(online) or os.cpu_count(),
        "sockets": len(sockets) or 1,
        "numa": numa(),
    }


def numa() -> List[NumaNode]:
    """Return NUMA nodes with their CPUs; empty on a kernel without NUMA."""
    names = [name for name in list_folder(NODE) if re.match(r"^node\d+$", name)]
    return [
        {"node": int(name[4:]), "cpus": cpu_list(read_text(NODE + "/" + name + "/cpulist") or "")}
        for name in sorted(names, key=lambda name: int(name[4:]))
    ]


def memory() -> Optional[int]:
    """Return the usable memory in bytes (MemTotal of /proc/meminfo, in KiB there)."""
    match = re.search(r"^MemTotal:\s+(\d+) kB", read_text("/proc/meminfo") or "", re.MULTILINE)
    return int(match.group(1)) * 1024 if match else None


def nics() -> List[Response]:
    """Return the network interfaces without loopback; `address` is the MAC, speed in Mbit/s."""
    return [nic(name) for name in list_folder(NET) if name not in ("lo", "bonding_masters")]


def nic(name: str) -> Response:
    """Return one interface. The kernel reports speed -1 if the link is down or virtual."""
    folder = os.path.join(NET, name)
    speed = read_int(folder + "/speed")
    driver = os.path.join(folder, "device", "driver")
    return {
        "name": name,
        "address": read_text(folder + "/address") or None,
        "addresses": ipv4(name) + ipv6(name),
        "speed": speed if speed and speed > 0 else None,
        "mtu": read_int(folder + "/mtu"),
        "driver": os.path.basename(os.path.realpath(driver)) if os.path.exists(driver) else None,
        "up": read_text(folder + "/operstate") == "up",
    }


def ipv4(name: str) -> List[str]:
    """Return the interface's first IPv4 address."""
    request = struct.pack("256s", name.encode()[:15])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            answer = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, request)
        except OSError:
            return []
    return [socket.inet_ntoa(answer[20:24])]


def ipv6(name: str) -> List[str]:
    """Return the interface's IPv6 addresses except link-local ones.

    Source: /proc/net/if_inet6; scope 20 is link-local.
    """
    lines = [line.split() for line in (read_text("/proc/net/if_inet6") or "").splitlines()]
    result = [
        fields[0]
        for fields in lines
        if len(fields) == 6 and fields[5] == name and fields[3] != "20"
    ]
    return [socket.inet_ntop(socket.AF_INET6, bytes.fromhex(text)) for text in result]
