"""/api/v1/bookings/."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Team
from apps.accounts.permissions import user_of
from apps.bookings.filters import BookingFilter
from apps.bookings.models import Booking
from apps.bookings.selectors.bookings import bookings_visible
from apps.bookings.services.bookings import (
    BookingDraft,
    booking_draft,
    booking_end,
    booking_save,
)
from apps.common.api.key_lists import RowField
from apps.common.api.serializers import StrictModelSerializer
from apps.common.api.viewsets import WriteViewSet
from apps.inventory.models import Host, Pool


class BookingSerializer(StrictModelSerializer[Booking]):
    """A booking of hosts and pools, or a maintenance window (admins).

    Runs of others start no case in it. `weekly` repeats a maintenance window at its hour in
    `time_zone`, until `repeat_until`. `state`: planned, active or ended.
    """

    owner = serializers.CharField(source="owner.username", read_only=True)
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )
    hosts = RowField(queryset=Host.objects.all(), many=True, required=False)
    pools = RowField(queryset=Pool.objects.all(), many=True, required=False)
    state = serializers.ChoiceField(choices=["planned", "active", "ended"], read_only=True)

    class Meta:
        model = Booking
        fields: ClassVar[list[str]] = [
            *("id", "kind", "hosts", "pools", "reason", "starts_at", "ends_at", "weekly"),
            *("time_zone", "repeat_until", "state", "ended_at", "owner", "team", "created_at"),
        ]
        read_only_fields: ClassVar[list[str]] = ["ended_at", "created_at"]


class BookingViewSet(WriteViewSet[Booking]):
    """Bookings and maintenance windows. Ended ones are listed with `ended=true`."""

    queryset = bookings_visible()
    serializer_class = BookingSerializer
    filterset_class = BookingFilter

    def filter_queryset(self, queryset: Any) -> Any:
        """Return the filtered list; a single booking is found regardless of filters."""
        return super().filter_queryset(queryset) if self.action == "list" else queryset

    def perform_create(self, serializer: serializers.BaseSerializer[Booking]) -> None:
        draft = BookingDraft(**serializer.validated_data)
        serializer.instance = booking_save(user=user_of(self.request), draft=draft)

    def perform_update(self, serializer: serializers.BaseSerializer[Booking]) -> None:
        booking = cast(Booking, serializer.instance)
        draft = replace(booking_draft(booking), **serializer.validated_data)
        user = user_of(self.request)
        serializer.instance = booking_save(user=user, draft=draft, booking=booking)

    @extend_schema(request=None, responses=BookingSerializer)
    @action(detail=True, methods=["post"])
    def end(self, request: Request, pk: int) -> Response:
        """End a booking now, or cancel one that has not begun."""
        booking = booking_end(booking=self.get_object(), user=user_of(request))
        return Response(BookingSerializer(booking).data)


router_entries: list[tuple[str, Any]] = [("bookings", BookingViewSet)]
