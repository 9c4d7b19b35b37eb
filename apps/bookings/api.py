"""/api/v1/bookings/ and /api/v1/booking-requests/."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, cast

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Team
from apps.accounts.permissions import user_of
from apps.bookings.filters import BookingFilter
from apps.bookings.models import Booking, BookingRequest
from apps.bookings.selectors.bookings import bookings_visible
from apps.bookings.selectors.requests import requests_visible
from apps.bookings.services.bookings import (
    BookingDraft,
    booking_draft,
    booking_end,
    booking_save,
)
from apps.bookings.services.requests import RequestDraft, request_cancel, request_create
from apps.common.api.key_lists import RowField
from apps.common.api.serializers import StrictModelSerializer
from apps.common.api.viewsets import ReadViewSet, WriteViewSet
from apps.inventory.models import Host, Pool


class BookingSerializer(StrictModelSerializer[Booking]):
    """A booking of hosts and pools, or a maintenance window (admins).

    Runs of others start no case in it. `weekly` repeats a maintenance window at its hour in
    `time_zone`, until `repeat_until`. `extends`: it goes on for an hour while nobody waits, up to
    the longest time. `extended_from`: its end before that. `state`: planned, active or ended.
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
            *("time_zone", "repeat_until", "extends", "extended_from", "was_requested", "state"),
            *("ended_at", "owner", "team", "created_at"),
        ]
        read_only_fields: ClassVar[list[str]] = [
            *("extended_from", "was_requested", "ended_at", "created_at"),
        ]


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


@extend_schema_serializer(component_name="RequestedBooking")
class BookingRequestSerializer(StrictModelSerializer[BookingRequest]):
    """A booking that begins as soon as its hosts and pools are free together.

    It waits in the queue and then becomes a booking of `hours`; `queue/` has its forecast.
    `blocker`: why it waits.
    """

    owner = serializers.CharField(source="owner.username", read_only=True)
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )
    hosts = serializers.PrimaryKeyRelatedField(
        queryset=Host.objects.all(), many=True, required=False
    )
    pools = serializers.PrimaryKeyRelatedField(
        queryset=Pool.objects.all(), many=True, required=False
    )
    blocker = serializers.CharField(read_only=True)

    class Meta:
        model = BookingRequest
        fields: ClassVar[list[str]] = [
            *("id", "hosts", "pools", "hours", "reason", "blocker", "waiting_since", "owner"),
            *("team", "created_at"),
        ]
        read_only_fields: ClassVar[list[str]] = ["waiting_since", "created_at"]


class BookingRequestViewSet(
    mixins.CreateModelMixin, mixins.DestroyModelMixin, ReadViewSet[BookingRequest]
):
    """Requested bookings that wait in the queue. DELETE cancels one."""

    queryset = requests_visible()
    serializer_class = BookingRequestSerializer

    def perform_create(self, serializer: serializers.BaseSerializer[BookingRequest]) -> None:
        draft = RequestDraft(**serializer.validated_data)
        serializer.instance = request_create(user=user_of(self.request), draft=draft)

    def perform_destroy(self, instance: BookingRequest) -> None:
        request_cancel(request=instance, user=user_of(self.request))


router_entries: list[tuple[str, Any]] = [
    ("bookings", BookingViewSet),
    ("booking-requests", BookingRequestViewSet),
]
