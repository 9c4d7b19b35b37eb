"""What lies between a host and its data: the fabric of a disk, the mount of a directory."""

from __future__ import annotations

import msgspec


class Fabric(msgspec.Struct, frozen=True):
    """The fabric between a host and a disk; `paths`, of which `live` work; `target`: NQN or IQN."""

    transport: str = ""
    paths: int = 0
    live: int = 0
    policy: str = ""
    target: str = ""

    @property
    def text(self) -> str:
        """Return "nvme/tcp, 2 paths, round-robin, nqn..."; empty for a disk of the host."""
        count = f"{self.paths} path{'s' if self.paths != 1 else ''}"
        broken = f" ({self.paths - self.live} not live)" if self.live != self.paths else ""
        parts = (self.transport, count + broken, self.policy, self.target)
        return ", ".join(part for part in parts if part) if self.transport else ""


NETWORK_KINDS = frozenset(
    {"nfs", "nfs4", "ceph", "cifs", "smb3", "9p", "lustre", "gpfs", "glusterfs", "fuse.glusterfs"}
)


class KnownMount(msgspec.Struct, frozen=True):
    """A mounted file system; `options` by name, "" for one without a value."""

    point: str = ""
    kind: str = ""
    server: str = ""
    source: str = ""
    options: dict[str, str] = {}

    @property
    def is_remote(self) -> bool:
        """Return True if a server stores the data."""
        return self.kind in NETWORK_KINDS

    @property
    def text(self) -> str:
        """Return "nfs4 of filer, proto=tcp, rsize=1048576, vers=4.2"."""
        of_server = f" of {self.server}" if self.server else ""
        named = (f"{n}={v}" if v else n for n, v in sorted(self.options.items()))
        return ", ".join([self.kind + of_server, *named])


def is_inside(path: str, point: str) -> bool:
    """Return True if a path is a mount point or lies below it."""
    return bool(point) and (path == point or path.startswith(point.rstrip("/") + "/"))
