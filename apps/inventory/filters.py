"""Filters of hosts and targets, for pages and API."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django import forms
from django.db.models import Q, QuerySet, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Concat
from django.utils.translation import gettext_lazy as _

from apps.common.database.natural_order import natural_order
from apps.common.filters import AutocompleteFilter
from apps.common.web.lists import ListColumn
from apps.inventory.models import (
    CatalogueEntry,
    Directory,
    Disk,
    DiskModel,
    Host,
    HostPair,
    Pool,
    TargetGroup,
)
from apps.inventory.selectors.inventory import hosts_reachable, tags_in_use

OWNED = (
    ListColumn("owner", _("Owner"), "owner__username"),
    ListColumn("team", _("Team"), "team__name"),
)
HOST_COLUMNS = (
    ListColumn("name", _("Name"), natural_order("name")),
    ListColumn("health", _("Health"), "health"),
    ListColumn("round_trip", _("Round trip"), "round_trip_seconds", is_number=True),
    ListColumn("kernel", _("Kernel"), natural_order(KeyTextTransform("kernel", "facts__facts"))),
    ListColumn("cpu", _("CPU")),
    ListColumn("disks", _("Disks"), "disk_count", is_number=True),
    ListColumn("enrolled", _("Enrolled"), "enrolled_count", is_number=True),
    ListColumn("checked", _("Last check"), "checked_at"),
    ListColumn("tags", _("Tags")),
)
BATCH_COLUMNS = (
    ListColumn("name", _("Name"), natural_order("name")),
    ListColumn("health", _("Health"), "health"),
    ListColumn("host_key", _("Host key")),
    ListColumn("kernel", _("Kernel")),
    ListColumn("disks", _("Disks"), "disk_count", is_number=True),
    ListColumn("checked", _("Last check"), "checked_at"),
)
DISK_COLUMNS = (
    ListColumn("disk", _("Disk"), natural_order(Concat("host__name", Value(" "), "device_path"))),
    ListColumn("model", _("Model"), natural_order("model__name")),
    ListColumn("serial", _("Serial"), "serial"),
    ListColumn("size", _("Size"), "size", is_number=True),
    ListColumn("enrolled", _("Expendable"), "enrolled_at"),
    ListColumn("latest", _("Latest result")),
    ListColumn("tags", _("Tags")),
)
POOL_COLUMNS = (
    ListColumn("pool", _("Pool"), natural_order("name")),
    ListColumn("hosts", _("Client hosts"), natural_order("host__name")),
    ListColumn("cluster", _("Cluster")),
    ListColumn("source", _("Source")),
    *OWNED,
)
GROUP_COLUMNS = (
    ListColumn("group", _("Group"), natural_order("name")),
    ListColumn("members", _("Used at once")),
    *OWNED,
)
KEY_COLUMNS = (
    ListColumn("name", _("Name"), natural_order("name")),
    ListColumn("fingerprint", _("Fingerprint")),
    ListColumn("hosts", _("Key of")),
    ListColumn("made", _("Made"), "created_at"),
)
YES_NO = [("true", _("yes")), ("false", _("no"))]


def yes_no(label: Any, **options: Any) -> Any:
    """Return a filter with the choices true, false and any."""
    widget = forms.Select(choices=[("", _("any")), *YES_NO])
    return filters.BooleanFilter(label=label, widget=widget, **options)


def key_filter(label: Any, field_name: str, **options: Any) -> filters.NumberFilter:
    """Return a filter by a primary key, which is a whole number."""
    return filters.NumberFilter(label=label, field_name=field_name, decimal_places=0, **options)


class HostFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no type information
    q = filters.CharFilter(label=_("Name or address"), method="filter_words")
    health = filters.ChoiceFilter(
        label=_("Health"), choices=Host.Health.choices, empty_label=_("any")
    )
    kind = filters.ChoiceFilter(label=_("Reached"), choices=Host.Kind.choices, empty_label=_("any"))
    tag = filters.CharFilter(label=_("Tag"), method="filter_tag")
    enabled = yes_no(_("Enabled"))
    batch = key_filter(_("Added by list"), "batches", widget=forms.HiddenInput)

    class Meta:
        model = Host
        fields: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("any")), *((tag, tag) for tag in tags_in_use())]
        self.form.fields["tag"].widget = forms.Select(choices=choices)

    def filter_words(self, rows: QuerySet[Host], name: str, words: str) -> QuerySet[Host]:
        return rows.filter(Q(name__icontains=words) | Q(address__icontains=words))

    def filter_tag(self, rows: QuerySet[Host], name: str, tag: str) -> QuerySet[Host]:
        return rows.filter(tags__contains=[tag])


class DiskFilter(filters.FilterSet):  # type: ignore[misc] # as above
    host = key_filter(_("Host"), "host_id")
    identity = filters.CharFilter(label=_("Identity"))
    model = filters.CharFilter(label=_("Model"), field_name="model__name", lookup_expr="icontains")
    tag = filters.CharFilter(label=_("Tag"), method="filter_tag")
    enrolled = yes_no(_("Enrolled"), field_name="enrolled_at", lookup_expr="isnull", exclude=True)
    rotational = yes_no(_("Rotational"))
    present = yes_no(
        _("Present"), field_name="device_path", lookup_expr="exact", method="filter_present"
    )

    class Meta:
        model = Disk
        fields: list[str] = []

    def filter_present(self, rows: QuerySet[Disk], name: str, here: bool) -> QuerySet[Disk]:
        return rows.exclude(device_path="") if here else rows.filter(device_path="")

    def filter_tag(self, rows: QuerySet[Disk], name: str, tag: str) -> QuerySet[Disk]:
        return rows.filter(tags__contains=[tag])


class DiskListFilter(DiskFilter):
    """The same for the list of disks, with text search; removed disks are hidden by default."""

    q = filters.CharFilter(label=_("Serial, model or identity"), method="filter_words")
    host = AutocompleteFilter(label=_("Host"), queryset=Host.objects.all(), kind="hosts", by="name")
    identity = model = None
    present = filters.ChoiceFilter(
        label=_("Present"),
        choices=[("", _("yes")), ("all", _("any")), ("false", _("no"))],
        method="filter_gone",
        empty_label=None,
    )

    class Meta(DiskFilter.Meta):
        pass

    def filter_queryset(self, queryset: QuerySet[Disk]) -> QuerySet[Disk]:
        rows: QuerySet[Disk] = super().filter_queryset(queryset)
        return rows if self.form.cleaned_data.get("present") else rows.exclude(device_path="")

    def filter_gone(self, rows: QuerySet[Disk], name: str, value: str) -> QuerySet[Disk]:
        return rows.filter(device_path="") if value == "false" else rows

    def filter_words(self, rows: QuerySet[Disk], name: str, words: str) -> QuerySet[Disk]:
        result = Q(serial__icontains=words) | Q(model__name__icontains=words)
        return rows.filter(result | Q(identity__icontains=words))


class DiskModelFilter(filters.FilterSet):  # type: ignore[misc] # as above
    q = filters.CharFilter(label=_("Name or vendor"), method="filter_words")
    rotational = yes_no(_("Rotational"))

    class Meta:
        model = DiskModel
        fields: list[str] = []

    def filter_words(self, rows: QuerySet[DiskModel], name: str, words: str) -> QuerySet[DiskModel]:
        return rows.filter(Q(name__icontains=words) | Q(vendor__icontains=words))


class CatalogueFilter(filters.FilterSet):  # type: ignore[misc] # as above
    q = filters.CharFilter(label=_("Model contains"), field_name="pattern", lookup_expr="icontains")
    kind = filters.ChoiceFilter(label=_("Kind"), choices=CatalogueEntry.Kind.choices)

    class Meta:
        model = CatalogueEntry
        fields: list[str] = []


class DirectoryFilter(filters.FilterSet):  # type: ignore[misc] # as above
    host = key_filter(_("Host"), "host_id")

    class Meta:
        model = Directory
        fields: list[str] = []


class PoolFilter(filters.FilterSet):  # type: ignore[misc] # as above
    name = filters.CharFilter(label=_("Name contains"), lookup_expr="icontains")
    host = AutocompleteFilter(
        label=_("Client host"), queryset=hosts_reachable(), kind="hosts", by="name"
    )
    is_ephemeral = yes_no(_("Made by benchlab"))

    class Meta:
        model = Pool
        fields: list[str] = []


class GroupFilter(filters.FilterSet):  # type: ignore[misc] # as above
    name = filters.CharFilter(label=_("Name contains"), lookup_expr="icontains")
    host = AutocompleteFilter(
        label=_("Host"), queryset=hosts_reachable(), method="filter_host", kind="hosts", by="name"
    )

    class Meta:
        model = TargetGroup
        fields: list[str] = []

    def filter_host(
        self, rows: QuerySet[TargetGroup], name: str, value: Host | None
    ) -> QuerySet[TargetGroup]:
        return rows.filter(Q(disks__host=value) | Q(directories__host=value)).distinct()


class PairFilter(filters.FilterSet):  # type: ignore[misc] # as above
    client = key_filter(_("Client host"), "client_id")
    server = key_filter(_("Server host"), "server_id")

    class Meta:
        model = HostPair
        fields: list[str] = []
