from django.apps import AppConfig

from apps.common.web.page_context import page_context_register


class AccountsConfig(AppConfig):
    name = "apps.accounts"

    def ready(self) -> None:
        page_context_register("list", "apps.accounts.presenters.saved_views.saved_views")
