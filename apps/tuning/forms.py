"""Form of a tuning profile: one typed field per setting; blank keeps the host's value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.accounts.forms import team_field
from apps.accounts.models import User
from apps.common.forms import Cleaned
from apps.common.forms.folded import Folded
from apps.inventory.models import CephCluster
from apps.tuning.domain.ceph_conf_parser import (
    MAX_CHARACTERS,
    ParsedSettings,
    parse_ceph,
    parse_ceph_conf,
    write_ceph,
)
from apps.tuning.domain.custom_settings import MAX_VALUE_LENGTH
from apps.tuning.domain.setting_catalog import SETTINGS
from apps.tuning.domain.setting_definition import SettingDefinition
from apps.tuning.domain.settings import limits_text
from apps.tuning.domain.sysctl_parser import parse_lines, write_lines
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import (
    CEPH_CONF,
    CPU,
    FILESYSTEM,
    GOVERNOR,
    QUEUE,
    Setting,
    Settings,
)
from apps.tuning.selectors import lab_schedulers
from apps.tuning.services import MAX_SETTLE_SECONDS, TuningDraft

QUEUE_HELP = lazy("For every disk of the test. Blank keeps the host's value.")
FILES_HELP = lazy(
    "The test works in files of a file system that is made on its disks, instead of on the raw "
    "disks. Blank leaves the disks as they are."
)
CUSTOM_HELP = lazy("Applied for a test and restored after it, like those of the block queue.")


def _lines(label: Any, help_text: Any) -> forms.CharField:
    area = forms.Textarea(attrs={"rows": 4, "class": "code", "spellcheck": "false"})
    return forms.CharField(
        label=label,
        help_text=help_text,
        required=False,
        max_length=MAX_CHARACTERS,
        widget=area,
    )


def _names(kind: str) -> list[str]:
    return [setting.name for setting in SETTINGS.values() if setting.kind == kind]


def _read(reader: Callable[[str], ParsedSettings], text: str) -> Settings:
    """Return the settings of a text.

    Raises: ValidationError with a message for each invalid line.
    """
    parsed = reader(text)
    if parsed.problems:
        raise forms.ValidationError(list(parsed.problems))
    return parsed.settings


class TuningForm(forms.Form):
    name = forms.CharField(label=lazy("Name"), max_length=80)
    description = forms.CharField(
        label=lazy("Description"), required=False, max_length=4000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )  # fmt: skip
    settle_seconds = forms.FloatField(
        label=lazy("Settle time (seconds)"),
        min_value=0,
        max_value=MAX_SETTLE_SECONDS,
        initial=0,
        help_text=lazy("How long to wait after the last change before the test starts."),
    )

    sysctl = _lines(
        lazy("Kernel settings, and settings elsewhere"),
        lazy(
            "One per line, as in sysctl.conf (kernel.pid_max = 4194303) or pasted (echo 2 > "
            "/sys/block/vdb/queue/rq_affinity, sysctl -w ...); attributes of the disks' scheduler "
            "as iosched/fifo_batch = 32; interrupts as irq:eth0* = 0-3, irq:disks = spread. Set on "
            "every host of the test, or below a heading only there: [clients] send load, "
            "[servers] are the other end of a pair, [pool] the hosts and disks behind a Ceph pool."
        ),
    )
    ceph = _lines(
        lazy("Ceph options"),
        lazy("As in a ceph.conf: [osd], then osd_max_backfills = 4. Set in the running cluster."),
    )
    ceph_conf = _lines(
        lazy("Ceph options that need a restart"),
        lazy(
            "Of all OSDs behind a pool, as in a ceph.conf (osd_op_num_shards = 4); below [mon] of "
            "its monitors, below [mds] of its MDS. Written to the ceph.conf of their hosts; these "
            "daemons are restarted one after another, before the first and after the last of tests "
            "in a row. An admin has to allow that for each kind of daemon of the cluster."
        ),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        user: User,
        tuning: TuningProfile | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=_initial(tuning) if tuning else dict(initial or {}))
        self.fields["team"] = team_field(user)
        for setting in SETTINGS.values():
            self.fields[setting.name] = _setting_field(setting)

    @property
    def own(self) -> list[forms.BoundField]:
        """Return the fields that are no settings."""
        return [self[name] for name in ("name", "description", "team", "settle_seconds")]

    @property
    def setting_groups(self) -> list[Folded]:
        groups = (
            ("queue", _("Block queue"), QUEUE_HELP, _names(QUEUE)),
            ("cpus", _("CPUs"), "", [*_names(CPU), *_names(GOVERNOR)]),
            ("files", _("Scratch file system"), FILES_HELP, _names(FILESYSTEM)),
            ("text", _("Kernel and Ceph"), CUSTOM_HELP, ["sysctl", "ceph", "ceph_conf"]),
        )
        return [
            Folded(key, title, words, [self[name] for name in names])
            for key, title, words, names in groups
        ]

    def clean_sysctl(self) -> Settings:
        return _read(parse_lines, self.cleaned_data["sysctl"])

    def clean_ceph(self) -> Settings:
        return _read(parse_ceph, self.cleaned_data["ceph"])

    def clean_ceph_conf(self) -> Settings:
        return _read(parse_ceph_conf, self.cleaned_data["ceph_conf"])

    def draft(self) -> TuningDraft:
        """Return the typed values for the services."""
        data = self.cleaned_data
        settings = [
            Setting(definition.kind, name, data[name])
            for name, definition in SETTINGS.items()
            if data[name] not in (None, "")
        ]
        settings += [*data["sysctl"], *data["ceph"], *data["ceph_conf"]]
        return TuningDraft(
            data["name"], data["description"], settings, data["settle_seconds"], data["team"]
        )


def _initial(tuning: TuningProfile) -> dict[str, object]:
    values = {one.name: one.value for one in tuning.settings if not one.scope}
    return {
        "sysctl": write_lines(tuning.settings),
        "ceph": write_ceph(tuning.settings),
        "ceph_conf": write_ceph(tuning.settings, CEPH_CONF),
        "name": tuning.name,
        "description": tuning.description,
        "settle_seconds": tuning.settle_seconds,
        "team": tuning.team_id,
        **values,
    }


def _setting_field(setting: SettingDefinition) -> forms.Field:
    label = f"{setting.label} ({setting.unit})" if setting.unit else str(setting.label)
    if setting.words:
        return forms.CharField(
            label=label, required=False, max_length=MAX_VALUE_LENGTH, help_text=str(setting.help)
        )
    if not setting.choices:
        return forms.IntegerField(
            label=label,
            required=False,
            min_value=setting.minimum,
            max_value=setting.maximum,
            help_text=_range_help(setting),
        )
    return forms.ChoiceField(
        label=label,
        required=False,
        choices=[("", _("keep the host's value")), *_choices(setting)],
        help_text=str(setting.help),
    )


def _range_help(setting: SettingDefinition) -> str:
    low, high = f"{setting.minimum:,}", f"{setting.maximum:,}"
    return f"{setting.help} {limits_text(low, high, str(setting.unit))}"


def _choices(setting: SettingDefinition) -> list[tuple[str, str]]:
    """Return the choices; for schedulers with the number of enrolled disks that offer each."""
    if setting.name != "scheduler":
        return [(value, str(label)) for value, label in setting.choices]
    offered = dict(lab_schedulers())
    template = _("{} · offered by {} of the enrolled disks")
    return [
        (value, template.format(value, offered[value]) if value in offered else value)
        for value, _label in setting.choices
    ]


class CephConfForm(forms.Form):
    """A ceph.conf, uploaded or pasted."""

    file = forms.FileField(label=lazy("File"), required=False, max_length=200)
    text = forms.CharField(
        label=lazy("Or its text"),
        required=False,
        max_length=MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 12, "class": "code", "spellcheck": "false"}),
    )

    def clean(self) -> Cleaned:
        data = super().clean() or {}
        upload = data.get("file")
        if upload is not None and upload.size > MAX_CHARACTERS:
            raise forms.ValidationError(_("This file is too large for a ceph.conf."))
        text = upload.read().decode("utf-8", "replace") if upload else data.get("text", "")
        self.parsed = parse_ceph(text)
        if not self.parsed.settings:
            raise forms.ValidationError(
                [_("There is no option of Ceph in it."), *self.parsed.problems[:5]]
            )
        return data


class OtherTuningForm(forms.Form):
    """Choice of the profile to compare with."""

    def __init__(self, data: Any = None, *, tuning: TuningProfile) -> None:
        super().__init__(data)
        others = TuningProfile.objects.exclude(pk=tuning.pk).order_by("name")
        self.fields["with"] = forms.ModelChoiceField(
            queryset=others, label=lazy("Compare with"), empty_label=lazy("Choose")
        )


class ClusterForm(forms.Form):
    cluster = forms.ModelChoiceField(CephCluster.objects.all())
