"""/api/v1/groups/."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from rest_framework import mixins, serializers

from apps.accounts.models import User
from apps.accounts.permissions import user_of
from apps.common.api.serializers import Validated
from apps.common.api.viewsets import WriteViewSet
from apps.inventory import services
from apps.inventory.api.serializers.targets import GroupSerializer
from apps.inventory.filters import GroupFilter
from apps.inventory.models import TargetGroup
from apps.inventory.selectors.inventory import groups_for_list, members_named


class GroupViewSet(mixins.DestroyModelMixin, WriteViewSet[TargetGroup]):
    """Groups of disks or directories, of one host or several, that one case uses together."""

    queryset = groups_for_list()
    serializer_class = GroupSerializer
    filterset_class = GroupFilter

    def perform_create(self, serializer: serializers.BaseSerializer[TargetGroup]) -> None:
        draft = services.GroupDraft(**_rows(serializer.validated_data))
        serializer.instance = services.group_save(user=self._user, draft=draft)

    def perform_update(self, serializer: serializers.BaseSerializer[TargetGroup]) -> None:
        group = cast(TargetGroup, serializer.instance)
        now = services.GroupDraft(group.name, group.members, group.team, group.level)
        draft = replace(now, **_rows(serializer.validated_data))
        serializer.instance = services.group_save(group=group, user=self._user, draft=draft)

    def perform_destroy(self, instance: TargetGroup) -> None:
        services.group_delete(group=instance, user=self._user)

    @property
    def _user(self) -> User:
        return user_of(self.request)


def _rows(values: Validated) -> Validated:
    """Return the body with its members as rows."""
    return values | {"members": members_named(values["members"])} if "members" in values else values
