"""/api/v1/pools/."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from rest_framework import mixins, serializers

from apps.accounts.models import User
from apps.accounts.permissions import user_of
from apps.common.api.viewsets import WriteViewSet
from apps.inventory import services
from apps.inventory.api.serializers.targets import PoolSerializer
from apps.inventory.filters import PoolFilter
from apps.inventory.models import Pool
from apps.inventory.selectors.inventory import pools_for_list


class PoolViewSet(mixins.DestroyModelMixin, WriteViewSet[Pool]):
    """Ceph pools that tests write to: existing, or created for each test and deleted after it."""

    queryset = pools_for_list()
    serializer_class = PoolSerializer
    filterset_class = PoolFilter

    def perform_create(self, serializer: serializers.BaseSerializer[Pool]) -> None:
        draft = services.PoolDraft(**serializer.validated_data)
        serializer.instance = services.pool_save(user=self._user, draft=draft)

    def perform_update(self, serializer: serializers.BaseSerializer[Pool]) -> None:
        pool = cast(Pool, serializer.instance)
        draft = replace(services.pool_draft(pool), **serializer.validated_data)
        serializer.instance = services.pool_save(pool=pool, user=self._user, draft=draft)

    def perform_destroy(self, instance: Pool) -> None:
        services.pool_delete(pool=instance, user=self._user)

    @property
    def _user(self) -> User:
        return user_of(self.request)
