"""Replaces Django's command, which would bypass the services; names the command to use."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = (
        "Not used: `create_first_admin` makes the first admin, admins add people on the page Users."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        raise CommandError(self.help)
