from django.apps import AppConfig

from apps.common.web.page_context import page_context_register


class BookingsConfig(AppConfig):
    name = "apps.bookings"

    def ready(self) -> None:
        """Add the bookings of a host to its page."""
        page_context_register("host", "apps.bookings.presenters.bookings_of_page")
