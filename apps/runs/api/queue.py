"""/api/v1/queue/: open runs and requested bookings in their order, with their forecasts."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import exceptions, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.permissions import user_of
from apps.bookings.presenters import request_rows
from apps.common.api.serializers import StrictSerializer
from apps.runs.models import Priority, Run
from apps.runs.presenters.queue import queue_rows, request_lines
from apps.runs.selectors.forecasts import queue_forecast
from apps.runs.selectors.queue import runs_open

MAX_ROWS = 1_000


class PriorityField(serializers.ChoiceField):
    """Priority by its name: low, normal or high."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=[one.name.lower() for one in Priority], **options)

    def to_representation(self, value: Any) -> str:
        return Priority(value).name.lower()

    def to_internal_value(self, data: Any) -> Any:
        return int(Priority[str(super().to_internal_value(data)).upper()])


class PrioritySerializer(StrictSerializer):
    priority = PriorityField(help_text="high: only for admins.")


class StartForecastSerializer(serializers.Serializer[Any]):
    """Start of a queued run, if nothing is added to the queue."""

    start = serializers.DateTimeField(help_text="Expected start.")
    latest = serializers.DateTimeField(
        help_text="Start if cases take as long as the slowest tenth of earlier ones."
    )
    after_run = serializers.IntegerField(
        allow_null=True, help_text="The run after which it is next."
    )
    after_request = serializers.IntegerField(
        allow_null=True, help_text="The requested booking after which it is next."
    )
    booking = serializers.IntegerField(
        allow_null=True, help_text="The booking or maintenance window that it waits for."
    )
    ahead = serializers.IntegerField(
        help_text="Runs and requests before it that need one of its hosts, disks or clusters."
    )


class QueueEntrySerializer(serializers.Serializer[Any]):
    position = serializers.IntegerField(allow_null=True, help_text="null: it is running.")
    run = serializers.IntegerField(source="row.run.pk")
    name = serializers.CharField(source="row.run.name")
    state = serializers.CharField(source="row.run.state")
    owner = serializers.CharField(source="row.run.owner.username")
    priority = PriorityField(source="row.run.priority")
    level = serializers.IntegerField(
        source="row.run.level", help_text="The priority as a number, and what waiting added to it."
    )
    share = serializers.FloatField(
        source="row.run.share",
        help_text="Recent host-hours of its team, the tie-break of equal levels; 0: it is off.",
    )
    reason = serializers.CharField(source="row.run.reason_now")
    hosts = serializers.CharField(source="row.hosts", help_text="Names, separated by commas.")
    forecast = StartForecastSerializer(source="line.forecast", allow_null=True, default=None)


class QueuedRequestSerializer(serializers.Serializer[Any]):
    """A booking that begins as soon as everything is free."""

    request = serializers.IntegerField(source="request.pk")
    holder = serializers.CharField(help_text="For whom it is: the team, else the owner.")
    entries = serializers.CharField(help_text="Hosts and pools, separated by commas.")
    hours = serializers.IntegerField(source="request.hours")
    reason = serializers.CharField(source="request.reason")
    blocker = serializers.CharField(source="request.blocker", help_text="Why it waits.")
    forecast = StartForecastSerializer(source="line.forecast", allow_null=True, default=None)


@extend_schema_serializer(many=False)  # one object, although the URL is a list's
class QueueSerializer(serializers.Serializer[Any]):
    runs = QueueEntrySerializer(many=True)
    requests = QueuedRequestSerializer(many=True)
    more = serializers.BooleanField(help_text=f"There are more than the {MAX_ROWS} listed runs.")


class QueueViewSet(viewsets.ViewSet):
    """Running runs, then queued ones in the order of the queue."""

    http_method_names = ["get", "head", "options"]

    @extend_schema(operation_id="queue_retrieve", responses=QueueSerializer)
    def list(self, request: Request) -> Response:
        if unknown := set(request.query_params):
            raise exceptions.ValidationError(
                {name: [_("There is no such filter.")] for name in sorted(unknown)}
            )
        runs: list[Run] = list(runs_open(timezone.now())[: MAX_ROWS + 1])
        forecasts = queue_forecast()
        answer = {
            "runs": queue_rows(runs[:MAX_ROWS], forecasts),
            "requests": request_rows(user_of(request), request_lines(forecasts)),
            "more": len(runs) > MAX_ROWS,
        }
        return Response(QueueSerializer(answer).data)


router_entries = [("queue", QueueViewSet)]
