"""Usage of the commands in bin/: said at once, on a bare machine,
before anything is installed or started.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchlab.standalone.paths import PROJECT

ASKING = frozenset({"-h", "--help"})
FOLDERS = ("apps/*/management/commands/*.py", "benchlab/management/commands/*.py")
MANAGE = """bin/manage COMMAND [ARGUMENT ...]: Django's manage.py in the project's own environment.

benchlab's own commands:
{commands}

bin/manage COMMAND --help says more about one; bin/manage help lists those of Django too."""
WITHOUT_DJANGO = {
    "backup": "Write everything benchlab keeps to a file, the secret keys to another",
    "restore": "Fill an empty home from a backup",
}
TEXTS = {
    "up": """bin/up: start benchlab on this machine, and keep it running until Ctrl-C.

On first use it makes its environment and its database; the admin's login is printed.
BENCHLAB_HOME (default: ./var) holds the state, BENCHLAB_PORT (8000) and BENCHLAB_BIND (127.0.0.1)
are where it listens. DATABASE_URL and REDIS_URL replace the embedded servers.
All variables: docs/deployment/environment.md""",
    "demo": """bin/demo [--exit]: as bin/up, then compare two tunings on a disk of its own.

  --exit   stop when the run is done; exit code 0 when it succeeded

The disk is a loop device over a file in BENCHLAB_HOME/demo (as root; else a directory). It is
detached when the command ends.""",
    "test": """bin/test: every check of the project.
bin/test ARGUMENT ...: only pytest, with these arguments, for example bin/test apps/imports -q

What the tests need of the machine (fio, Chromium, a small Ceph ...) is installed where that is
possible. More: docs/development/testing.md; pytest's own arguments: bin/test apps --help""",
    "chaos": """bin/chaos [N] [SEED]: N short runs with a random fault each, and what they came to.

Exit code 1 when a run was stuck, a test started twice, a result wrong, a setting not restored, or
something left behind. The same SEED chooses the same faults. Needs root: the host is a box of
namespaces with a loop device. More: docs/development/testing.md""",
    "look": """bin/look [OPTION ...] [VIEW ...]: look at every view of the analysis.

  --address   of a benchlab that runs (http://127.0.0.1:8000, or BENCHLAB_PORT)
  --user      who logs in (admin); the password is BENCHLAB_ADMIN_PASSWORD, else that of this home
  --folder    where the pictures go (BENCHLAB_HOME/look)

Opens each view of the analysis in Chromium about what there is: wide, on a phone, light, dark, on
paper. Says what is wrong with each; exit code 1 when anything is. Changes nothing. More:
docs/development/testing.md""",
    "bench": """bin/bench [--list] [--cases N] [--keep FOLDER] [ROW ...]: seconds beside limits.

  --list         name the rows and end
  --cases N      size of the archive that pages, people and others are measured in
  --keep FOLDER  keep that archive in this folder, or use the one that is there

Exit code 1 when a limit is missed. Without a row all of them are measured. More:
docs/development/benchmarks.md""",
}


def usage(name: str, arguments: Sequence[str]) -> str:
    """The text about a command when it was asked for, else ""."""
    if name == "manage":
        asked = not arguments or arguments[0] in ASKING
        return MANAGE.format(commands="\n".join(_commands())) if asked else ""
    # Elsewhere the word may be meant for pytest.
    words = arguments[:1] if name == "test" else arguments
    return TEXTS.get(name, "") if ASKING & set(words) else ""


def _commands() -> Iterator[str]:
    """The project's management commands with their first sentence, read from their files: importing
    them needs the environment.
    """
    for name, words in WITHOUT_DJANGO.items():
        yield f"  {name:16}{words}"
    files = {file.stem: file for pattern in FOLDERS for file in PROJECT.glob(pattern)}
    for name, file in sorted(files.items()):
        if not name.startswith("_"):
            yield f"  {name:16}{_first_sentence(file)}".rstrip()


def _first_sentence(file: Path) -> str:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == ["help"]:
            text = ast.literal_eval(node.value) if isinstance(node.value, ast.Constant) else ""
            return str(text).partition(". ")[0].rstrip(".")
    return ""
