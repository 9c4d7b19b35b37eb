"""API of alerts."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from apps.accounts.models import Team
from apps.accounts.permissions import user_of
from apps.alerts.models import ENDED_STATES, Alert, AlertNotification
from apps.alerts.selectors.alerts import alerts_visible
from apps.alerts.services.alerts import alert_delete, alert_save
from apps.common.api.serializers import StrictModelSerializer
from apps.common.api.viewsets import WriteViewSet

MAX_NOTIFICATIONS = 200


class AlertSerializer(StrictModelSerializer[Alert]):
    """Alert, evaluated after each run that touches its view.

    The webhook's address and secret are write-only.
    """

    owner = serializers.CharField(source="owner.username", read_only=True)
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )
    view = serializers.ChoiceField(choices=Alert.View.choices, allow_blank=True, required=False)
    query = serializers.CharField(
        allow_blank=True, required=False, help_text="Query string of the view."
    )
    on_ended = serializers.ListField(
        child=serializers.ChoiceField(choices=ENDED_STATES),
        required=False,
        max_length=len(ENDED_STATES),
        help_text="States of a run whose end is notified.",
    )
    webhook_address = serializers.CharField(write_only=True, required=False, max_length=2000)
    webhook_secret = serializers.CharField(
        write_only=True,
        required=False,
        max_length=200,
        help_text="Another webhook_address removes the stored secret; send both together.",
    )

    class Meta:
        model = Alert
        fields: ClassVar[list[str]] = [
            *(
                "id",
                "name",
                "enabled",
                "view",
                "query",
                "plan",
                "run",
                "run_team",
                "on_ended",
                "only_worse",
                "on_change",
                "on_expectation_missed",
                "on_failed",
            ),
            *(
                "on_unhealthy",
                "on_booking_begin",
                "on_booking_end",
                "on_acceptance",
                "on_approval",
                "mail",
                "webhook",
                "webhook_address",
                "webhook_secret",
                "webhook_host",
            ),
            *("quiet_from", "quiet_to", "quiet_zone", "owner", "team", "created_at"),
        ]
        read_only_fields: ClassVar[list[str]] = ["webhook_host"]


class AlertNotificationSerializer(StrictModelSerializer[AlertNotification]):
    text_lines = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = AlertNotification
        fields: ClassVar[list[str]] = [
            *("id", "run", "kind", "text_lines", "state", "attempts", "created_at", "sent_at"),
            *("problem", "excluded_mail", "excludes_webhook"),
        ]
        read_only_fields: ClassVar[list[str]] = fields


class AlertViewSet(mixins.DestroyModelMixin, WriteViewSet[Alert]):
    """Alerts and their notifications."""

    queryset = alerts_visible()
    serializer_class = AlertSerializer

    def perform_create(self, serializer: BaseSerializer[Alert]) -> None:
        fields = serializer.validated_data
        serializer.instance = alert_save(user=user_of(self.request), fields=fields)

    def perform_update(self, serializer: BaseSerializer[Alert]) -> None:
        fields = serializer.validated_data
        user = user_of(self.request)
        serializer.instance = alert_save(user=user, fields=fields, alert=serializer.instance)

    def perform_destroy(self, instance: Alert) -> None:
        alert_delete(alert=instance, user=user_of(self.request))

    @extend_schema(responses={200: AlertNotificationSerializer(many=True)})
    @action(detail=True, methods=["get"], pagination_class=None)
    def notifications(self, request: Request, pk: str | None = None) -> Response:
        """List the newest notifications and their delivery."""
        rows = self.get_object().notifications.all()[:MAX_NOTIFICATIONS]
        return Response(AlertNotificationSerializer(rows, many=True).data)


router_entries = (("alerts", AlertViewSet),)
