"""Build the agent as one zipapp. Builds are reproducible, so the file name is the hash."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

PACKAGE = "benchlab_agent"
SOURCES = Path(__file__).parent / "agent"
MAIN = f"import sys\nfrom {PACKAGE}.__main__ import main\nsys.exit(main(sys.argv[1:]))\n"
# The oldest timestamp of the zip format; real times would change the hash.
EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Agent:
    """The zipapp's bytes, and their SHA-256 in hexadecimal."""

    data: bytes
    sha256: str

    @property
    def name(self) -> str:
        """Return its file name on a host."""
        return f"agent-{self.sha256}.pyz"


@lru_cache(maxsize=1)
def agent() -> Agent:
    """Build the agent from this checkout's sources, once per process."""
    data = zipapp(SOURCES)
    return Agent(data, hashlib.sha256(data).hexdigest())


def zipapp(sources: Path) -> bytes:
    """Return a zipapp of the package with a top-level `__main__.py` (PEP 441)."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        add(archive, "__main__.py", MAIN.encode())
        for path in sorted(sources.rglob("*.py")):
            name = path.relative_to(sources).as_posix()
            add(archive, f"{PACKAGE}/{name}", path.read_bytes())
    return buffer.getvalue()


def add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add a member without machine-dependent metadata."""
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)
