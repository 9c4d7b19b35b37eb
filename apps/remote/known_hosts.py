"""Known hosts as ssh writes them: keys and certificate authorities that a user trusts.

asyncssh takes 0.1 s to import, so only the functions that need it import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from apps.tools.messages import message

from .keys import HostKey, describe_key

if TYPE_CHECKING:
    import asyncssh

# Which key of several is pinned; the algorithms are those that sshd makes by default.
PREFERRED = ("ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521")
SSH_PORT = 22
# Each hashed line costs one HMAC for each name that is looked up.
MAX_LINES = 5000
MAX_HASHED_LINES = 1000
MAX_LINE = 8192
MAX_AUTHORITIES = 50
MAX_REVOKED = 500
MAX_PATTERNS = 400
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}(?![A-Za-z0-9+/])")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]*")
_PREFIX = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*):\s")
MAX_TEXT = 1 << 20


@dataclass(frozen=True)
class MarkedKey:
    """A key of a line with a marker, and the patterns of the hosts that the line is for."""

    patterns: str
    key: HostKey


class CertificateAuthority(MarkedKey):
    """A key that signs host keys, and the patterns of the hosts that it may sign."""


class RevokedKey(MarkedKey):
    """A key of a host or of an authority that is trusted no more."""


@dataclass
class KnownHosts:
    """The usable lines of a known_hosts file. `faults`: messages about the others."""

    table: asyncssh.SSHKnownHosts
    authorities: list[CertificateAuthority] = field(default_factory=list)
    revoked: list[RevokedKey] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class KnownHostsError(ValueError):
    """Several keys, or a revoked one, of a host; the message is for the user."""


def parse_known_hosts(text: str) -> KnownHosts:
    """Parse the text of a known_hosts file, or the output of ssh-keyscan."""
    import asyncssh

    known = KnownHosts(asyncssh.import_known_hosts(""))
    hashed = 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        hashed += line.startswith("|")
        if number > MAX_LINES or hashed > MAX_HASHED_LINES:
            known.faults.append(message("Lines from line %(line)d on are not read.", line=number))
            break
        if fault := _add_line(known, line):
            known.faults.append(message("Line %(line)d: %(fault)s", line=number, fault=fault))
    return known


def _add_line(known: KnownHosts, line: str) -> str:
    """Add a line; return why it cannot be used, or ""."""
    import asyncssh

    words = line.split()
    marker = words.pop(0) if words[0].startswith("@") else ""
    if len(line) > MAX_LINE or len(words) < 3 or marker not in ("", "@cert-authority", "@revoked"):
        return message("it is no line of a known_hosts file.")
    patterns, data = words[0], " ".join(words[1:3])
    try:
        key = asyncssh.import_public_key(data)
        known.table.load(f"{marker} {patterns} {data}".strip())
    except (asyncssh.KeyImportError, ValueError):
        return message("its key or its host pattern cannot be read.")
    if marker == "@cert-authority":
        if len(patterns) > MAX_PATTERNS or len(known.authorities) >= MAX_AUTHORITIES:
            return message("it is one certificate authority, or one pattern, too many.")
        known.authorities.append(CertificateAuthority(patterns, describe_key(key)))
    if marker == "@revoked":
        if len(patterns) > MAX_PATTERNS or len(known.revoked) >= MAX_REVOKED:
            return message("it is one revoked key, or one pattern, too many.")
        known.revoked.append(RevokedKey(patterns, describe_key(key)))
    return ""


def known_keys(
    known: KnownHosts, names: Iterable[str], port: int, revoked: frozenset[str] = frozenset()
) -> dict[str, HostKey]:
    """Return the keys of a host by algorithm, known under any of its names.

    `revoked`: lines of keys that are revoked for the host besides those of the text.
    Raises: KnownHostsError if the lines contradict each other or revoke a key.
    """
    keys: dict[str, HostKey] = {}
    names = list(names)
    revoked |= revoked_lines(known.revoked, names, port)
    for name in names:
        trusted, _authorities, _revoked, *_x509 = known.table.match(name, "", _other_port(port))
        for one in map(describe_key, trusted):
            if keys.setdefault(one.algorithm, one) != one:
                raise KnownHostsError(
                    message("Two different %(algorithm)s keys are given.", algorithm=one.algorithm)
                )
    if revoked & {key.line for key in keys.values()}:
        raise KnownHostsError(message("Its key is revoked."))
    return keys


def known_key(
    known: KnownHosts, names: Iterable[str], port: int, revoked: frozenset[str] = frozenset()
) -> HostKey | None:
    """Return the key to pin of those of a host; None if there is none. Raises: KnownHostsError."""
    keys = known_keys(known, names, port, revoked)
    order = sorted(keys, key=lambda one: PREFERRED.index(one) if one in PREFERRED else 9)
    return keys[order[0]] if order else None


def vouching(
    authorities: Sequence[CertificateAuthority],
    names: Iterable[str],
    port: int,
    revoked: frozenset[str] = frozenset(),
) -> list[CertificateAuthority]:
    """Return the authorities whose patterns match one of the host's names, without revoked ones."""
    wanted = list(names)
    return [
        one
        for one in authorities
        if one.key.line not in revoked
        and any(_table(one).match(name, "", _other_port(port))[0] for name in wanted)
    ]


def revoked_lines(revoked: Iterable[RevokedKey], names: Iterable[str], port: int) -> frozenset[str]:
    """Return the lines of the keys that are revoked for a host under any of its names.

    A line without a port revokes the key at every port, as ssh reads it.
    """
    wanted = [(name, at) for name in names for at in {None, _other_port(port)}]
    return frozenset(
        one.key.line
        for one in revoked
        if any(_table(one).match(name, "", at)[0] for name, at in wanted)
    )


@lru_cache(maxsize=MAX_AUTHORITIES + MAX_REVOKED)
def _table(one: MarkedKey) -> asyncssh.SSHKnownHosts:
    import asyncssh

    return asyncssh.import_known_hosts(f"{one.patterns} {one.key.line}")


def authority_of(patterns: str, line: str) -> CertificateAuthority:
    """Return a stored authority. Raises: ValueError for an unreadable key."""
    import asyncssh

    return CertificateAuthority(patterns, describe_key(asyncssh.import_public_key(line)))


def revoked_of(patterns: str, line: str) -> RevokedKey:
    """Return a stored revoked key. Raises: ValueError for an unreadable key."""
    import asyncssh

    return RevokedKey(patterns, describe_key(asyncssh.import_public_key(line)))


def _other_port(port: int) -> int | None:
    return None if port == SSH_PORT else port


def listed_fingerprints(text: str) -> dict[str, set[str]]:
    """Return names in lower case, each with the fingerprints that a text lists for it.

    The text is the output of `ssh-keygen -lf` on several hosts. The name of a line is its prefix,
    as clush and pdsh write it; else a line of its own above; else the comment (`root@node01`).
    A comment never counts beside the others: cloned hosts have that of another host.
    """
    result: dict[str, set[str]] = {}
    heading: set[str] = set()
    for line in text[:MAX_TEXT].splitlines():
        prints = _FINGERPRINT.findall(line)
        if not prints:
            heading = _names(line) or heading
            continue
        prefix = _PREFIX.match(line)
        names = {prefix[1].lower()} if prefix else heading or _names(_FINGERPRINT.sub(" ", line))
        for name in names:
            result.setdefault(name, set()).update(prints)
    return result


def _names(line: str) -> set[str]:
    return {word.rstrip(".:-").lower() for word in _NAME.findall(line)} - {""}
