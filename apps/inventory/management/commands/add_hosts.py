"""Add many hosts from a list: `manage.py add_hosts FILE [--do]`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.models import Role, User
from apps.common.errors import ServiceError
from apps.common.forms.tags import tags_typed
from apps.inventory.domain.host_lists import FORMS, MAX_BYTES, ListError, decode
from apps.inventory.models import Host
from apps.inventory.selectors.host_plan import NEW_KEY, REFUSED, STATES, ListOptions, plan_hosts
from apps.inventory.services import host_batch_create


class Command(BaseCommand):
    help = "Show what a list of hosts would do; with --do, add and change its hosts."
    # Checks import the code of every page, which takes a second, and do not concern the file.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the list; - for standard input")
        parser.add_argument("--do", action="store_true", help="store it; without, only show it")
        parser.add_argument("--form", default="", choices=["", *FORMS], help="else by its content")
        parser.add_argument("--known-hosts", help="a known_hosts file with trusted keys")
        parser.add_argument("--login", default="root", help="user on new hosts")
        parser.add_argument("--port", type=int, default=22, help="SSH port of new hosts")
        parser.add_argument(
            "--rights", default="root", choices=Host.PrivilegeMode.values, help="of new hosts"
        )
        parser.add_argument(
            "--key", default=NEW_KEY, help='"new" (one pair for all), "agent" or the name of a key'
        )
        parser.add_argument("--jump", default="", help="name of the jump host of new hosts")
        parser.add_argument("--tags", default="", help="tags of new hosts")
        parser.add_argument("--only", nargs="+", metavar="NAME", help="only these rows")
        parser.add_argument("--user", help="who adds them (the first admin if not given)")

    def handle(self, *args: Any, **options: Any) -> None:
        user = _user(options["user"])
        try:
            listed = _options(options)
            refused = self._show(listed, options["only"])
            if options["do"]:
                batch = host_batch_create(user=user, options=listed, names=options["only"])
                count = batch.hosts.count()
                self.stdout.write(f"Stored: {count} hosts, list {batch.pk}.")
        except (ServiceError, ListError, OSError, PermissionDenied) as error:
            self.stderr.write(_error_text(error))
            sys.exit(2)
        if refused:
            sys.exit(1)

    def _show(self, listed: ListOptions, only: list[str] | None) -> int:
        """Print the rows; return the number of refused ones."""
        plan = plan_hosts(listed)
        rows = [row for row in plan.rows if only is None or row.name in only]
        for row in rows:
            changes = [f"{name}: {before} → {after}" for name, before, after in row.changes]
            details = "; ".join([*row.errors, *changes, *row.notes])
            line = f"{row.line:>5}  {row.state:<8} {row.name}  {details}".rstrip()
            self.stdout.write(line)
        for note in plan.notes:
            self.stderr.write(note)
        counts = {state: sum(row.state == state for row in rows) for state in STATES}
        self.stdout.write(", ".join(f"{count} {state}" for state, count in counts.items()))
        return counts[REFUSED]


def _options(options: dict[str, Any]) -> ListOptions:
    known_hosts = options["known_hosts"]
    try:
        tags = tags_typed(options["tags"])
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from error
    return ListOptions(
        text=_text(options["file"]),
        form=options["form"],
        known_hosts=_text(known_hosts) if known_hosts else "",
        user=options["login"],
        port=options["port"],
        privilege_mode=options["rights"],
        key=options["key"],
        jump=options["jump"],
        tags=tuple(tags),
    )


def _text(name: str) -> str:
    if name == "-":
        return decode(sys.stdin.buffer.read(MAX_BYTES + 1))
    with Path(name).open("rb") as file:
        return decode(file.read(MAX_BYTES + 1))


def _user(name: str | None) -> User:
    users = User.objects.filter(is_active=True).order_by("pk")
    chosen = users.filter(username=name) if name else users.filter(role=Role.ADMIN)
    user = chosen.first()
    if user is None:
        raise CommandError(f"There is no user {name}." if name else "There is no admin yet.")
    return user


def _error_text(error: Exception) -> str:
    if isinstance(error, ServiceError):
        texts = [text for messages in error.fields.values() for text in messages]
        return "\n".join(dict.fromkeys([error.message, *texts]))
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}."
    if isinstance(error, PermissionDenied):
        return "This user may not add hosts: it needs the role admin."
    return str(error)
