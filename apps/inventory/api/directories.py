"""/api/v1/directories/."""

from __future__ import annotations

from typing import cast

from django.utils.translation import gettext as _
from rest_framework import mixins, serializers

from apps.accounts.permissions import user_of
from apps.common.api.viewsets import WriteViewSet
from apps.common.errors import ServiceError
from apps.inventory import services
from apps.inventory.api.serializers.targets import DirectorySerializer
from apps.inventory.filters import DirectoryFilter
from apps.inventory.models import Directory
from apps.inventory.selectors.inventory import directories_for_list


class DirectoryViewSet(mixins.DestroyModelMixin, WriteViewSet[Directory]):
    queryset = directories_for_list()
    serializer_class = DirectorySerializer
    filterset_class = DirectoryFilter

    def perform_create(self, serializer: serializers.BaseSerializer[Directory]) -> None:
        values = serializer.validated_data
        user = user_of(self.request)
        serializer.instance = services.directory_create(user=user, **values)

    def perform_update(self, serializer: serializers.BaseSerializer[Directory]) -> None:
        row, values = cast(Directory, serializer.instance), serializer.validated_data
        now = {"host": row.host, "path": row.path}
        fixed = [name for name in now if values.get(name, now[name]) != now[name]]
        if fixed:
            text = _("Another path is another directory: add a new one.")
            raise ServiceError(text, dict.fromkeys(fixed, text), status=400)
        user = user_of(self.request)
        serializer.instance = services.directory_update(
            directory=row, user=user, team=values.get("team", row.team)
        )

    def perform_destroy(self, instance: Directory) -> None:
        services.directory_delete(directory=instance, user=user_of(self.request))
