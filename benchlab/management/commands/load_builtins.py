"""`manage.py load_builtins`: create what every installation has. Repeatable."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import Role, User
from apps.tuning.services import default_profile_ensure


class Command(BaseCommand):
    help = "Make the built-in tuning profile; needs an admin to own it."

    def handle(self, *args: Any, **options: Any) -> None:
        admin = User.objects.filter(role=Role.ADMIN, is_active=True).order_by("pk").first()
        if admin is None:
            raise CommandError("There is no admin yet: run manage.py create_first_admin first.")
        default_profile_ensure(user=admin)
