"""The wheel: versions, Python 3.8, contents."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from benchlab.version import VERSION

from benchlab_client import exit_codes
from benchlab_client.cli import COMMANDS
from benchlab_client.version import VERSION as CLIENT_VERSION

FOLDER = Path(__file__).parents[1]


def test_the_client_has_the_version_of_the_server() -> None:
    stated = re.search(r'^version = "(.*)"$', (FOLDER / "pyproject.toml").read_text(), re.MULTILINE)
    assert stated
    assert stated[1] == CLIENT_VERSION == VERSION


def test_the_sources_import_the_standard_library_and_httpx_only() -> None:
    names = set()
    for path in (FOLDER / "src").rglob("*.py"):
        if path.parent.name == "mcp":  # an extra of its own
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names |= {one.name.partition(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.partition(".")[0])
    # pyarrow: for type checkers; data frames import it by name.
    assert names - sys.stdlib_module_names == {"benchlab_client", "httpx", "pyarrow"}


def test_the_wheel_has_every_source_and_starts(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "-q", "--no-deps"]
    subprocess.run(
        [*pip, "--no-build-isolation", "--no-index", "-w", str(tmp_path), str(FOLDER)], check=True
    )
    (wheel,) = tmp_path.glob("benchlab_client-*-py3-none-any.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    source = FOLDER / "src"
    wanted = [*source.rglob("*.py"), source / "benchlab_client" / "py.typed"]
    assert {one.relative_to(source).as_posix() for one in wanted} <= names
    assert not [name for name in names if "tests" in name]
    # From the wheel itself: it is not installed here.
    start = f"import sys; sys.path.insert(0, {str(wheel)!r}); import benchlab_client.__main__"
    done = subprocess.run(
        [sys.executable, "-I", "-c", start, "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"benchlab-client {VERSION}\n"


def test_the_reference_has_every_command_and_exit_code() -> None:
    text = (FOLDER.parent / "docs" / "reference" / "client.md").read_text()
    for name in COMMANDS:
        assert re.search(rf"^\| `{name}[ `]", text, re.MULTILINE), name
    codes = [value for name, value in vars(exit_codes).items() if name.isupper()]
    assert len(codes) == 9
    for code in codes:
        assert f"| {code} |" in text
