"""The form of a Ceph pool."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.accounts.forms import team_field
from apps.accounts.models import User
from apps.inventory.models import POOL, Host, Pool
from apps.inventory.selectors.inventory import hosts_reachable
from apps.inventory.services import PoolDraft, pool_draft

FOUND = _("it is there: benchlab writes to it and deletes its own objects again")
MADE = _("benchlab makes it before each test and deletes it afterwards")


class PoolForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the pool"),
        max_length=64,
        validators=[POOL],
        help_text=_("If benchlab makes it: choose a name that does not exist yet."),
    )
    is_ephemeral = forms.TypedChoiceField(
        label=_("The pool"),
        choices=[("no", FOUND), ("yes", MADE)],
        coerce=lambda value: value == "yes",
        initial="no",
        widget=forms.RadioSelect,
        help_text=_(
            "To make it, the cluster must allow pools to be deleted (mon_allow_pool_delete)."
        ),
    )
    pool_type = forms.ChoiceField(
        label=_("Type"),
        choices=Pool.PoolType.choices,
        initial="replicated",
        widget=forms.RadioSelect,
    )
    replicas = forms.IntegerField(
        label=_("Replicas"),
        required=False,
        min_value=1,
        help_text=_("How often each object is stored. Empty: as the cluster does by default."),
    )
    k = forms.IntegerField(
        label=_("Data chunks (k)"),
        required=False,
        initial=2,
        help_text=_("Each object is cut into so many pieces."),
    )
    m = forms.IntegerField(
        label=_("Coding chunks (m)"),
        required=False,
        initial=1,
        help_text=_("So many pieces may be lost. The cluster needs k + m failure domains."),
    )
    failure_domain = forms.ChoiceField(
        label=_("Failure domain"),
        choices=Pool.FailureDomain.choices,
        initial="host",
        help_text=_("What no two pieces share. With few hosts: OSD."),
    )
    pg_num = forms.IntegerField(
        label=_("Placement groups"),
        required=False,
        initial=64,
        min_value=1,
        max_value=32768,
        help_text=_("Best a power of two; a small cluster gets by with 32 or 64."),
    )
    host = forms.ModelChoiceField(
        label=_("Client host"),
        queryset=Host.objects.none(),
        empty_label=_("choose a host"),
        help_text=_("Runs the test. It needs the package ceph-common, a ceph.conf and a keyring."),
    )
    clients = forms.ModelMultipleChoiceField(
        label=_("More client hosts"),
        queryset=Host.objects.none(),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-autocomplete": ""}),
        help_text=_("They write at the same time; their figures are added up."),
    )

    monitor_osd_hosts = forms.BooleanField(
        label=_("Observe the hosts of its OSDs"),
        required=False,
        initial=True,
        help_text=_(
            "Those that benchlab reaches take part in each test, to report their CPUs, memory and "
            "networks. Nobody else's test uses them meanwhile, and they must be reachable."
        ),
    )

    groups = [
        ("", "", ["name", "is_ephemeral"]),
        (
            _("How benchlab makes it"),
            "",
            ["pool_type", "replicas", "k", "m", "failure_domain", "pg_num"],
        ),
        (_("Who writes"), "", ["host", "clients", "monitor_osd_hosts"]),
        (_("Who may change this entry"), _("Its owner, admins, and:"), ["team"]),
    ]

    def __init__(self, data: Any = None, *, user: User, pool: Pool | None = None) -> None:
        super().__init__(data, initial=_initial(pool) if pool else None)
        for name in ("host", "clients"):
            self.fields[name].queryset = hosts_reachable()  # type: ignore[attr-defined] # as declared above
        self.fields["team"] = team_field(user, pool.team if pool else None)

    def draft(self) -> PoolDraft:
        """Return the values for `pool_save`; an empty field has the draft's default."""
        values = {
            name: value for name, value in self.cleaned_data.items() if value not in (None, "")
        }
        return PoolDraft(**values | {"clients": tuple(values["clients"])})


def _initial(pool: Pool) -> dict[str, object]:
    now = vars(pool_draft(pool))
    return {**now, "is_ephemeral": "yes" if pool.is_ephemeral else "no"}
