"""/api/v1/pairs/."""

from __future__ import annotations

from apps.common.api.viewsets import ReadViewSet
from apps.inventory.api.serializers.targets import PairSerializer
from apps.inventory.filters import PairFilter
from apps.inventory.models import HostPair
from apps.inventory.selectors.inventory import pairs_for_list


class PairViewSet(ReadViewSet[HostPair]):
    """Pairs of hosts that a plan names; a plan creates them."""

    queryset = pairs_for_list()
    serializer_class = PairSerializer
    filterset_class = PairFilter
