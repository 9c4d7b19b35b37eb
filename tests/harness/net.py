"""A network of two for a host in a box: a veth pair, one end in a namespace of its own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

NUMBERS = range(1, 250)
OUTSIDE = "10.213.0.1"
"""Address of this side of every cable, on the loopback device and never removed: Chromium fails
open requests with ERR_NETWORK_CHANGED when the machine gets or loses an address.
"""


def run(*argv: str, check: bool = True) -> str:
    """A command's output; its errors are part of the exception."""
    done = subprocess.run(argv, capture_output=True, text=True, timeout=30, check=False)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(argv)}: {done.stderr.strip() or done.returncode}")
    return done.stdout


@dataclass(frozen=True)
class Network:
    """10.213.<number>.2 is the box, 10.213.0.1 this side. The lock keeps the number ours."""

    number: int
    lock: int

    @property
    def namespace(self) -> str:
        """The network namespace's name."""
        return f"blbox{self.number}"

    @property
    def address(self) -> str:
        """The box's address."""
        return f"10.213.{self.number}.2"

    def inside(self, *argv: str, check: bool = True) -> str:
        """Run a command in the box's network."""
        return run("ip", "netns", "exec", self.namespace, *argv, check=check)

    def make(self) -> None:
        """Namespace and veth pair, both ends up."""
        self.remove_devices()
        here, there, name = f"blv{self.number}h", f"blv{self.number}b", self.namespace
        run("ip", "netns", "add", name)
        add_local_address(OUTSIDE)
        run("ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
        # Without an address of IPv6, which the device would get by itself.
        run("ip", "link", "set", here, "addrgenmode", "none")
        run("ip", "link", "set", here, "up")
        run("ip", "route", "add", self.address, "dev", here, "src", OUTSIDE)
        run("ip", "-n", name, "address", "add", f"{self.address}/24", "dev", there)
        run("ip", "-n", name, "link", "set", "lo", "up")
        self.link(True)

    def link(self, up: bool) -> None:
        """Plug the box's cable in, or pull it (this side keeps its route, so nothing leaks
        elsewhere).
        """
        state = "up" if up else "down"
        cable = f"blv{self.number}b"
        run("ip", "-n", self.namespace, "link", "set", cable, state)
        if up:  # The kernel drops the routes of a device that goes down.
            run("ip", "-n", self.namespace, "route", "replace", OUTSIDE, "dev", cable)

    def drop_packets(self, drop: bool) -> None:
        """A black hole: packets to and from the box vanish without a word."""
        for chain in ("INPUT", "OUTPUT"):
            self.inside("iptables", "-F", chain)
            if drop:
                self.inside("iptables", "-A", chain, "-j", "DROP")

    def limit(self, rate: str) -> None:
        """Let no more than `rate` (as tc(8) writes it: "400mbit") through the cable to the box."""
        run("tc", "qdisc", "replace", "dev", f"blv{self.number}h", "root", *_shape(rate))

    def limit_sent(self, rate: str, device: str = "") -> None:
        """Let no more than `rate` out of the box, through the cable or another device of it."""
        words = ("tc", "qdisc", "replace", "dev", device or f"blv{self.number}b", "root")
        self.inside(*words, *_shape(rate))

    def await_listening(self, port: int, protocol: str = "tcp", seconds: float = 10.0) -> None:
        """Until somebody in the box listens there. Raises RuntimeError."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if f":{port} " in self.inside("ss", "-Hln", f"--{protocol}"):
                return
            time.sleep(0.02)
        raise RuntimeError(f"Nobody listens on {protocol} {port}.")

    def remove_devices(self) -> None:
        """Take away namespace and veth pair, also those a killed test run left."""
        run("ip", "link", "del", f"blv{self.number}h", check=False)
        run("ip", "netns", "del", self.namespace, check=False)

    def release(self) -> None:
        """Remove everything and give the number back."""
        self.remove_devices()
        os.close(self.lock)


def free_port(address: str = "127.0.0.1") -> int:
    """A TCP port that nobody has, and that the kernel gives to nobody who asks for any (ip(7),
    ip_local_port_range): such a one could be a client's before the server binds it.
    """
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.randrange(10_000, first)
        with contextlib.suppress(OSError), socket.socket() as asking:
            asking.bind((address, port))
            return port


def add_local_address(address: str) -> None:
    """Add an address to the loopback device for good, see `OUTSIDE`."""
    if f" {address}/" not in run("ip", "-o", "address", "show", "dev", "lo"):
        # Another process can add it at the same time.
        run("ip", "address", "add", f"{address}/32", "dev", "lo", check=False)


def _shape(rate: str) -> tuple[str, ...]:
    return ("tbf", "rate", rate, "burst", "256kb", "latency", "20ms")


def bridge_of(first: Network) -> str:
    """The switch, as the box that it is in names it."""
    return f"blsw{first.number}"


def claim_network() -> Network:
    """A network number that no other process uses; the file lock goes with the process."""
    for number in NUMBERS:
        path = Path(tempfile.gettempdir()) / f"benchlab-box-{number}.lock"
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            continue
        return Network(number, lock)
    raise RuntimeError("Every box network is in use.")


def join(one: Network, other: Network) -> tuple[str, str]:
    """A cable between two boxes that are on; their addresses on it. It goes when one of them is
    switched off.
    """
    ends = [f"blj{one.number}-{other.number}", f"blj{other.number}-{one.number}"]
    run("ip", "-n", one.namespace, "link", "add", ends[0], "type", "veth", "peer", "name", ends[1],
        "netns", other.namespace)  # fmt: skip
    addresses = (f"10.214.{one.number}.1", f"10.214.{one.number}.2")
    for network, end, address in zip((one, other), ends, addresses, strict=True):
        run("ip", "-n", network.namespace, "address", "add", f"{address}/24", "dev", end)
        run("ip", "-n", network.namespace, "link", "set", end, "up")
    return addresses


def switch(*networks: Network) -> tuple[str, ...]:
    """Boxes that are on, on one switch: their addresses there, in order. The switch is in the
    first box and goes with it.
    """
    first, bridge = networks[0], bridge_of(networks[0])
    run("ip", "-n", first.namespace, "link", "add", bridge, "type", "bridge")
    addresses = tuple(f"10.215.{first.number}.{place}" for place in range(1, len(networks) + 1))
    for network, address in zip(networks, addresses, strict=True):
        end = bridge if network is first else _plug_in(first, bridge, network)
        run("ip", "-n", network.namespace, "address", "add", f"{address}/24", "dev", end)
        run("ip", "-n", network.namespace, "link", "set", end, "up")
    return addresses


def _plug_in(first: Network, bridge: str, network: Network) -> str:
    """A cable from a box to the switch; the device at the box's end."""
    there, end = f"{bridge}p{network.number}", f"bls{network.number}"
    run("ip", "-n", first.namespace, "link", "add", there, "type", "veth", "peer", "name", end,
        "netns", network.namespace)  # fmt: skip
    run("ip", "-n", first.namespace, "link", "set", there, "master", bridge, "up")
    return end
