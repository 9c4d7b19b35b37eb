from django.apps import AppConfig

PAGE_CONTEXTS = {
    "disk_list": "apps.results.presenters.latest.disk_list_context",
    "run_status": "apps.results.presenters.expectations.run_status_context",
}


class ResultsConfig(AppConfig):
    name = "apps.results"

    def ready(self) -> None:
        """Register by name what pages of lower apps show of results."""
        from apps.common.web.page_context import page_context_register  # models, after set-up

        for page, path in PAGE_CONTEXTS.items():
            page_context_register(page, path)
