"""bin/manage: Django's manage.py with a database, running or started for the command."""

from __future__ import annotations

import os
from collections.abc import Sequence

from benchlab.local.locks import BusyError, FileLock
from benchlab.local.paths import Home
from benchlab.local.processes import Stopped, Supervisor
from benchlab.local.server_urls import default_owner_url
from benchlab.local.stack import (
    SERVERS_LOCK,
    manage_command,
    owner_environment,
    project_environment,
    say,
    start_postgres,
)
from benchlab.ops.backup import backup, restore
from benchlab.ops.home_check import secret_findings

# Commands without a database, which run without any server.
WITHOUT_DATABASE = {
    "parse",
    "help",
    "version",
    "check",
    "collectstatic",
    "compilemessages",
    "diffsettings",
    "findstatic",
    "makemessages",
    "spectacular",
}

# Commands that change or empty tables, which the application's role may not.
OWNERS = {"migrate", "upgrade", "setup", "flush", "dbshell"}


def manage(home: Home, arguments: Sequence[str]) -> int:
    """Run one management command; return its exit code. Raises: StartError."""
    if arguments[:1] == ["backup"]:
        return backup(home, arguments[1:])
    if arguments[:1] == ["restore"]:
        return restore(home, arguments[1:])
    if arguments[:1] == ["doctor"] and (shut := list(secret_findings(home))):
        # Settings could not load, or would create new keys.
        say("\n".join(line for finding in shut for line in finding.lines()))
        return 1
    command = manage_command(*arguments)
    if not needs_database(arguments) or os.environ.get("DATABASE_URL"):
        os.execve(command[0], command, _environment(arguments))
    try:
        with FileLock(home.root / SERVERS_LOCK), Supervisor(say) as supervisor:
            start_postgres(supervisor, home)
            return supervisor.step(command, _environment(arguments))
    except BusyError:
        # bin/up is running, at the URL of the settings.
        os.environ["DATABASE_OWNER_URL"] = default_owner_url(home.root)
        os.execve(command[0], command, _environment(arguments))
    except Stopped as stopped:
        return 128 + int(stopped.args[0])


def _environment(arguments: Sequence[str]) -> dict[str, str]:
    return (
        owner_environment() if arguments[:1] and arguments[0] in OWNERS else project_environment()
    )


def needs_database(arguments: Sequence[str]) -> bool:
    """Return True if a management command may query the database."""
    if not arguments or {"-h", "--help", "--version"} & set(arguments):
        return False
    return arguments[0] not in WITHOUT_DATABASE
