"""Usage of the commands in bin/: said at once, on a bare machine,
before anything is installed or started.
"""

from __future__ import annotations

from collections.abc import Sequence

ASKING = frozenset({"-h", "--help"})
TEXTS = {
    "manage": """bin/manage COMMAND [ARGUMENT ...]: Django's manage.py in the project's environment.

bin/manage help lists the commands, bin/manage COMMAND --help says more about one. Without Django:
backup writes everything benchlab keeps to a file and the secret keys to another; restore fills an
empty home from a backup.""",
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
    if name == "manage" and not arguments:
        return TEXTS["manage"]
    # Behind the first word it may be meant for pytest or a management command.
    words = arguments[:1] if name in ("test", "manage") else arguments
    return TEXTS.get(name, "") if ASKING & set(words) else ""
