"""API of baselines."""

from __future__ import annotations

from typing import ClassVar

from rest_framework import mixins, serializers
from rest_framework.serializers import BaseSerializer

from apps.accounts.models import Team
from apps.accounts.permissions import user_of
from apps.common.api.serializers import StrictModelSerializer
from apps.common.api.viewsets import ReadViewSet
from apps.inventory.models import DiskModel, Target
from apps.results.filters.baselines import BaselineFilter
from apps.results.models import Baseline
from apps.results.selectors.baselines import baselines_listed
from apps.results.services.baselines import BaselineDraft, baseline_create, baseline_delete


class BaselineSerializer(StrictModelSerializer[Baseline]):
    """Results of a run, or of one case of it, that others are compared with."""

    of = serializers.CharField(read_only=True, help_text="The target or model in words.")
    owner = serializers.CharField(source="owner.username", read_only=True)
    target = serializers.PrimaryKeyRelatedField(
        queryset=Target.objects.all(), allow_null=True, required=False
    )
    disk_model = serializers.SlugRelatedField(
        slug_field="name", queryset=DiskModel.objects.all(), allow_null=True, required=False
    )
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )

    class Meta:
        model = Baseline
        fields: ClassVar[list[str]] = [
            *("id", "name", "note", "run", "case", "target", "disk_model", "of", "owner", "team"),
            "created_at",
        ]
        validators: ClassVar[list[object]] = []  # the service says which name is taken


class BaselineViewSet(mixins.CreateModelMixin, mixins.DestroyModelMixin, ReadViewSet[Baseline]):
    """Baselines of targets and disk models: list, create, delete."""

    queryset = baselines_listed()
    serializer_class = BaselineSerializer
    filterset_class = BaselineFilter

    def perform_create(self, serializer: BaseSerializer[Baseline]) -> None:
        draft = BaselineDraft(**{"name": "as delivered"} | serializer.validated_data)
        serializer.instance = baseline_create(user=user_of(self.request), draft=draft)

    def perform_destroy(self, instance: Baseline) -> None:
        baseline_delete(baseline=instance, user=user_of(self.request))


router_entries = [("baselines", BaselineViewSet)]
