"""bin/manage: Django's manage.py with a database behind it, running or started for the command."""

from __future__ import annotations

import os
from collections.abc import Sequence

from benchlab.standalone.locks import BusyError, FileLock
from benchlab.standalone.paths import Home
from benchlab.standalone.stack import (
    SERVERS_LOCK,
    manage_command,
    project_environment,
    say,
    start_postgres,
)
from benchlab.standalone.supervisor import Stopped, Supervisor

# Commands that need no database: they run at once, on a machine without any server.
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


def manage(home: Home, arguments: Sequence[str]) -> int:
    """Run one management command; its exit code."""
    command = manage_command(*arguments)
    if not needs_database(arguments) or os.environ.get("DATABASE_URL"):
        os.execve(command[0], command, project_environment())
    try:
        with FileLock(home.root / SERVERS_LOCK), Supervisor(say) as supervisor:
            start_postgres(supervisor, home)
            return supervisor.step(command, project_environment())
    except BusyError:
        # bin/up runs, and the settings know its address.
        os.execve(command[0], command, project_environment())
    except Stopped as stopped:
        return 128 + int(stopped.args[0])


def needs_database(arguments: Sequence[str]) -> bool:
    """Whether a management command may ask the database."""
    if not arguments or {"-h", "--help", "--version"} & set(arguments):
        return False
    return arguments[0] not in WITHOUT_DATABASE
