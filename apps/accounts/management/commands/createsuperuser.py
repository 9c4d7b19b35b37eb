"""Django's command of this name would make a user past benchlab's services: it says what does."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = (
        "Not used: `create_first_admin` makes the first admin, admins add people on the page Users."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        raise CommandError(self.help)
