"""Connection data of a host, validated so that form input cannot become an option or command."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from typing import Literal

Become = Literal["root", "sudo", "user"]

# RFC 1123 labels plus the underscore, which labs use in names.
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.?")
_ZONE = re.compile(r"[A-Za-z0-9_.]{1,15}")
# useradd(8) names, plus the dots and the realm that directory services add.
_USER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}(?:@[A-Za-z0-9][A-Za-z0-9.-]{0,62})?\$?")


@dataclass(frozen=True)
class HostSpec:
    """Everything needed to log in to one host. Secrets stay out of `repr`.

    `host_key` is the pinned public key line ("ssh-ed25519 AAAA..."); without it only
    `scan_host_key` works.
    `agent` uses the keys of the ssh-agent at SSH_AUTH_SOCK. `local` is the machine benchlab runs
    on. `become`: "root" expects to be root after the login, "sudo" gets there with `sudo -n`,
    "user" stays. `revoked`: public key lines that are trusted for this host no more.

    Raises: ValueError for an invalid address, user or port.
    """

    address: str = "localhost"
    port: int = 22
    user: str = "root"
    private_key: str | None = field(default=None, repr=False)
    passphrase: str | None = field(default=None, repr=False)
    agent: bool = False
    host_key: str | None = None
    jump: HostSpec | None = None
    local: bool = False
    become: Become = "root"
    revoked: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        check_address(self.address)
        check_user(self.user)
        if not 1 <= self.port <= 65535:
            raise ValueError("A port is a number from 1 to 65535.")
        if self.become not in ("root", "sudo", "user"):
            raise ValueError("Become is one of root, sudo and user.")

    @property
    def name(self) -> str:
        """Return the name in messages: `user@address:port`, or "this machine"."""
        if self.local:
            return "this machine"
        address = f"[{self.address}]" if ":" in self.address else self.address
        return f"{self.user}@{address}:{self.port}"


def check_address(address: str) -> None:
    """Raise ValueError unless it is a host name, an IPv4 or an IPv6 address (zone allowed)."""
    if _is_ip(address) or (len(address) <= 253 and _NAME.fullmatch(address)):
        return
    raise ValueError("An address is a host name or an IP address, and nothing else.")


def check_user(user: str) -> None:
    """Raise ValueError unless it is a user name as useradd(8) or a directory service makes them."""
    if not _USER.fullmatch(user):
        raise ValueError("A user name has letters, digits, '.', '_' and '-', and no '-' in front.")


def _is_ip(address: str) -> bool:
    plain, percent, zone = address.partition("%")
    if percent and not _ZONE.fullmatch(zone):
        return False
    try:
        return ipaddress.ip_address(plain).version == 6 or not percent
    except ValueError:
        return False
