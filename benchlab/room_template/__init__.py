"""A package with a tool's room to begin from: `package/` is a whole one, for a tool called "mytool"
that nobody has; `new_room` copies it under another name.
"""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from apps.tools.registry import TOOLS

TEMPLATE = Path(__file__).parent / "package"
NAME = re.compile(r"[a-z][a-z0-9_]{0,19}")
_OURS = "mytool"
_SKIPPED = {"__pycache__"}


class NewRoomError(Exception):
    """The package cannot be made, and this is why."""


def new_room(name: str, folder: Path) -> list[Path]:
    """Write a package for the tool `name` into `folder`, which is made; the files written, by path.
    Raises NewRoomError.
    """
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise NewRoomError("A name is 1 to 20 small letters, digits and _, and no word of Python.")
    if name in TOOLS:
        raise NewRoomError(f"There is a tool called {name} already.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NewRoomError(f"{folder} is there already and is no empty folder.")
    sources = sorted(path for path in TEMPLATE.rglob("*") if _is_source(path))
    return [_copied(path, name, folder) for path in sources]


def _is_source(path: Path) -> bool:
    return path.is_file() and _SKIPPED.isdisjoint(path.parts)


def _copied(path: Path, name: str, folder: Path) -> Path:
    place = folder / _renamed(str(path.relative_to(TEMPLATE)), name)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(_renamed(path.read_text(), name))
    place.chmod(path.stat().st_mode & 0o777)
    return place


def _renamed(text: str, name: str) -> str:
    """Classes are called as the tool, with a capital letter at each word."""
    words = "".join(word.capitalize() for word in name.split("_"))
    return text.replace(_OURS.capitalize(), words or name).replace(_OURS, name)
