from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.apps import AppConfig

from apps.common.database.encrypted_rows import Again, encrypted_rows_register
from apps.common.web.page_context import page_context_register


def _second_factors() -> Iterator[tuple[str, Again]]:
    from allauth.mfa.models import Authenticator  # models, after set-up

    from apps.accounts.services import second_factor_reencrypt  # models, after set-up

    rows = Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN)
    for row in rows.select_related("user").order_by("pk"):
        name = f"{row.get_type_display()} of {row.user.username}"
        yield name, partial(second_factor_reencrypt, factor=row)


class AccountsConfig(AppConfig):
    name = "apps.accounts"

    def ready(self) -> None:
        """Register the menu of views, and the second factors' secrets for re-encryption."""
        page_context_register("list", "apps.accounts.presenters.saved_views.saved_views")
        encrypted_rows_register(_second_factors)
