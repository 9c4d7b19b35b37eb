"""Alerts for scripts."""

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
from apps.alerts.models import Alert, AlertMessage
from apps.alerts.selectors.alerts import alerts_visible
from apps.alerts.services.alerts import alert_delete, alert_save
from apps.common.api.serializers import StrictModelSerializer
from apps.common.api.viewsets import WriteViewSet

MESSAGES = 200


class AlertSerializer(StrictModelSerializer[Alert]):
    """A view that is judged after each run that touches it. The address and secret of the web hook
    are written and never read.
    """

    owner = serializers.CharField(source="owner.username", read_only=True)
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )
    view = serializers.ChoiceField(choices=Alert.View.choices, allow_blank=True, required=False)
    query = serializers.CharField(
        allow_blank=True, required=False, help_text="Query string of the view."
    )
    hook_address = serializers.CharField(write_only=True, required=False, max_length=2000)
    hook_secret = serializers.CharField(write_only=True, required=False, max_length=200)

    class Meta:
        model = Alert
        fields: ClassVar[list[str]] = [
            *("id", "name", "enabled", "view", "query", "on_change", "on_missed", "on_failed"),
            *("on_unhealthy", "mail", "hook", "hook_address", "hook_secret", "hook_host"),
            *("quiet_from", "quiet_to", "quiet_zone", "owner", "team", "created_at"),
        ]
        read_only_fields: ClassVar[list[str]] = ["hook_host"]


class AlertMessageSerializer(StrictModelSerializer[AlertMessage]):
    lines = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = AlertMessage
        fields: ClassVar[list[str]] = [
            *("id", "run", "lines", "state", "tries", "made_at", "sent_at", "problem"),
        ]
        read_only_fields: ClassVar[list[str]] = fields


class AlertViewSet(mixins.DestroyModelMixin, WriteViewSet[Alert]):
    """Alerts, and the messages they sent."""

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

    @extend_schema(responses={200: AlertMessageSerializer(many=True)})
    @action(detail=True, methods=["get"], pagination_class=None)
    def messages(self, request: Request, pk: str | None = None) -> Response:
        """The newest messages, and whether they were sent."""
        rows = self.get_object().messages.all()[:MESSAGES]
        return Response(AlertMessageSerializer(rows, many=True).data)


router_entries = (("alerts", AlertViewSet),)
