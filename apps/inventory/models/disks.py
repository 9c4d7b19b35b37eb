"""Disks, scratch directories and groups of them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import AnyUser, OwnedModel, User
from apps.common.fields.versioned_json import SchemaField
from apps.common.models import Timestamped
from apps.inventory.domain.read_arrays import read_array
from apps.inventory.models.hosts import Host
from apps.inventory.models.specifications import DiskModel
from apps.inventory.models.targets import Target
from apps.inventory.schemas.backing_arrays import BACKING, BackingArray
from apps.inventory.schemas.host_facts import KnownDisk, known
from apps.inventory.schemas.preconditioning import STORED as PREPARED
from apps.inventory.schemas.preconditioning import PreconditioningState
from apps.inventory.schemas.raid_levels import RaidLevel
from apps.remote.job_spec import Fingerprint

DIRECTORY = RegexValidator(
    r"^/[A-Za-z0-9._/-]*$",
    _("An absolute path of letters, digits, dot, dash, underscore and slash."),
)


class Disk(Timestamped, Target):
    """A block device, identified by its WWN or serial.

    `device_path` is its `/dev` name at the last check.
    """

    KIND = "disk"
    NAMED_BY = ("host",)

    target = models.OneToOneField(
        Target, on_delete=models.CASCADE, parent_link=True, primary_key=True, related_name=KIND
    )
    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="disks", db_index=False)
    identity = models.CharField(_("identity"), max_length=400)
    device_type = models.CharField(max_length=20, blank=True)
    device_path = models.CharField(_("last seen as"), max_length=80, blank=True)
    size = models.BigIntegerField(_("size, bytes"), default=0)
    model = models.ForeignKey(
        DiskModel,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="disks",
        verbose_name=_("model"),
    )
    serial = models.CharField(_("serial"), max_length=120, blank=True)
    rotational = models.BooleanField(_("rotational"), default=False)
    facts = models.JSONField(default=dict)
    last_seen_at = models.DateTimeField(null=True)
    enrolled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    enrolled_at = models.DateTimeField(_("enrolled as expendable"), null=True)
    enrolled_size = models.BigIntegerField(null=True)
    # The content at enrolment, or as the last test left it (apps.inventory.domain.fingerprints).
    fingerprint: models.Field[Fingerprint | None, Fingerprint | None] = models.JSONField(
        null=True, editable=False
    )
    content_changed = models.TextField(blank=True, editable=False)
    # The state it was brought into before it is measured, while nothing else was written to it.
    preconditioning: models.Field[PreconditioningState | None, PreconditioningState | None] = (
        SchemaField(schema=PREPARED, null=True, editable=False)
    )
    # The array that the host sees as this one device, as entered; null: none entered.
    backing: models.Field[BackingArray | None, BackingArray | None] = SchemaField(
        schema=BACKING, null=True, editable=False
    )
    tags = ArrayField(
        models.SlugField(max_length=40, allow_unicode=True),
        default=list,
        blank=True,
        verbose_name=_("tags"),
    )
    is_distinct_device = models.BooleanField(
        _("not the device that other hosts show under this identity"), default=False
    )

    class Meta(Timestamped.Meta):
        ordering: ClassVar[list[str]] = ["host", "device_path"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["host", "identity"], name="one_disk_per_identity_and_host"
            )
        ]
        indexes: ClassVar[list[models.Index]] = [GinIndex(fields=["tags"], name="disks_by_tag")]

    def __str__(self) -> str:
        return f"{self.host.name}: {self.device_path or self.identity}"

    def is_editable(self, user: AnyUser) -> bool:
        return isinstance(user, User) and user.is_disk_owner

    @property
    def model_name(self) -> str:
        return self.model.name if self.model else ""

    @property
    def is_enrolled(self) -> bool:
        return self.enrolled_at is not None

    @property
    def array(self) -> BackingArray | None:
        """Return the array of which the disk consists: as entered, else as the host reports it."""
        return self.backing or read_array(self.known.array)

    @property
    def claim(self) -> str:
        """Return the name of the disk in claims (apps.runs.selectors.resources).

        An enrolled world-wide name identifies one device on all hosts. Any other identity is valid
        on this host only (docs/adr/0007-claims-need-proof.md).
        """
        if self.identity.startswith("wwn:") and self.is_enrolled and not self.is_distinct_device:
            return self.identity
        return f"{self.identity}@{self.host_id}"

    @property
    def can_be_enrolled(self) -> bool:
        return not self.enrolment_obstacles()

    def enrolment_obstacles(self) -> list[str]:
        """Return why this disk cannot be enrolled, as sentences; empty if it can."""
        seen = self.known
        obstacles = [
            (self.identity.startswith("none:"), _("It has no identity that outlives a reboot.")),
            (seen.ambiguous, _("Another device of the host has the same identity.")),
            (seen.system, _("The host runs from it.")),
            (seen.read_only, _("It is read-only.")),
            (seen.mounts, _("It is mounted.")),
            (seen.swap, _("It is swap space.")),
            (seen.holders, _("LVM, RAID or a mapping uses it.")),
            (not self.device_path, _("It was not there when the host was last checked.")),
        ]
        return [str(words) for applies, words in obstacles if applies]

    @property
    def known(self) -> KnownDisk:
        """Return the parsed facts of the last check."""
        return known(KnownDisk, self.facts)


class Directory(OwnedModel, Target):
    """A scratch directory on a host; tests write to its subfolder `benchlab` only."""

    KIND = "directory"
    NAMED_BY = ("host",)

    target = models.OneToOneField(
        Target, on_delete=models.CASCADE, parent_link=True, primary_key=True, related_name=KIND
    )
    host = models.ForeignKey(
        Host, on_delete=models.CASCADE, related_name="directories", db_index=False
    )
    path = models.CharField(_("path"), max_length=255, validators=[DIRECTORY])

    class Meta(OwnedModel.Meta):
        verbose_name_plural = "directories"
        ordering: ClassVar[list[str]] = ["host", "path"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["host", "path"], name="one_directory_per_path_and_host")
        ]

    def __str__(self) -> str:
        return f"{self.host.name}: {self.path}"


GroupMember = Disk | Directory


class TargetGroup(OwnedModel, Target):
    """Disks or directories, of one host or several, that one case uses together.

    `level`: the RAID level of the array that they form, as entered by a user.
    """

    KIND = "group"

    target = models.OneToOneField(
        Target, on_delete=models.CASCADE, parent_link=True, primary_key=True, related_name=KIND
    )
    name = models.CharField(_("name"), max_length=80, unique=True)
    disks = models.ManyToManyField(Disk, blank=True, related_name="groups")
    directories = models.ManyToManyField(Directory, blank=True, related_name="groups")
    level = models.CharField(
        _("level"), max_length=8, blank=True, choices=RaidLevel.choices, default=RaidLevel.NONE
    )

    class Meta(OwnedModel.Meta):
        ordering: ClassVar[list[str]] = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def members(self) -> list[GroupMember]:
        """Return the disks or directories, host by host."""
        rows: list[GroupMember] = [*self.disks.all(), *self.directories.all()]
        return sorted(rows, key=str)

    @property
    def member_kind(self) -> str:
        """Return the kind of the members: "disk" or "directory"."""
        return "directory" if self.directories.all() else "disk"
