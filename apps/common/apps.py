from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "apps.common"

    def ready(self) -> None:
        """Connect the signals of request IDs, also in workers, which load no middleware."""
        from apps.common.web import request_id  # noqa: F401 # needs loaded settings
