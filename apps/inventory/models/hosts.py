"""Hosts, their connections, keys and facts."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import AnyUser, User
from apps.common.fields.messages import MessageField
from apps.common.fields.versioned_json import SchemaField
from apps.common.models import Timestamped
from apps.inventory.models.clusters import CephCluster
from apps.inventory.schemas.host_facts import KnownFacts, known
from apps.inventory.schemas.unrestored_settings import UNRESTORED_SETTINGS, UnrestoredSettings

ADDRESS = RegexValidator(
    r"^[A-Za-z0-9](?:[A-Za-z0-9.:_-]{0,252})$", _("A host name or an IP address, nothing else.")
)
LOGIN = RegexValidator(r"^[a-z_][a-z0-9_.-]{0,31}$", _("A login name such as root or bench."))


class Credential(Timestamped):
    """A private key, encrypted at rest with BENCHLAB_ENCRYPTION_KEYS; the public half in clear."""

    name = models.CharField(_("name"), max_length=80, unique=True)
    public_key = models.TextField(_("public key"))
    encrypted_key = models.BinaryField(editable=False)
    encrypted_passphrase = models.BinaryField(editable=False, null=True)

    def __str__(self) -> str:
        return self.name


class Host(Timestamped):
    class Kind(models.TextChoices):
        SSH = "ssh", _("over SSH")
        LOCAL = "local", _("this machine")
        IMPORTED_ONLY = "imported_only", _("only in the archive: its results were imported")

    class PrivilegeMode(models.TextChoices):
        ROOT = "root", _("log in as root")
        SUDO = "sudo", _("sudo -n")
        USER = "user", _("as the user itself (directories only)")

    class KeySource(models.TextChoices):
        STORED = "stored", _("a key stored by benchlab")
        AGENT = "agent", _("the worker's ssh-agent")

    class Health(models.TextChoices):
        UNCHECKED = "unchecked", _("not checked yet")
        OK = "ok", _("reachable")
        WARNING = "warning", _("reachable, with warnings")
        UNREACHABLE = "unreachable", _("not reachable")

    name = models.CharField(
        _("name"),
        max_length=64,
        unique=True,
        validators=[RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9._-]*$")],
    )
    kind = models.CharField(_("reached"), max_length=16, choices=Kind.choices, default=Kind.SSH)
    address = models.CharField(_("address"), max_length=253, blank=True, validators=[ADDRESS])
    port = models.PositiveIntegerField(
        _("port"), default=22, validators=[MinValueValidator(1), MaxValueValidator(65535)]
    )
    user = models.CharField(
        _("user"), max_length=32, default="root", blank=True, validators=[LOGIN]
    )
    privilege_mode = models.CharField(
        _("rights"), max_length=8, choices=PrivilegeMode.choices, default=PrivilegeMode.ROOT
    )
    key_source = models.CharField(
        _("key"), max_length=8, choices=KeySource.choices, default=KeySource.STORED
    )
    credential = models.ForeignKey(
        Credential, on_delete=models.PROTECT, null=True, blank=True, related_name="hosts"
    )
    jump = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("jump host"),
    )
    host_key = models.TextField(_("pinned host key"), blank=True, editable=False)
    presented_host_key = models.TextField(
        _("host key seen, not yet trusted"), blank=True, editable=False
    )
    network_test_address = models.CharField(
        _("address on the storage network"),
        max_length=253,
        blank=True,
        validators=[ADDRESS],
        help_text=_("What network tests connect to; empty: the address above."),
    )
    tags = ArrayField(
        models.SlugField(max_length=40, allow_unicode=True),
        default=list,
        blank=True,
        verbose_name=_("tags"),
    )
    enabled = models.BooleanField(_("enabled"), default=True)
    health = models.CharField(
        max_length=12, choices=Health.choices, default=Health.UNCHECKED, editable=False
    )
    health_text = MessageField(blank=True, editable=False)
    health_kind = models.CharField(max_length=20, blank=True, editable=False)
    checked_at = models.DateTimeField(null=True, editable=False)
    check_requested_at = models.DateTimeField(null=True, editable=False)
    install_requested = models.CharField(max_length=40, blank=True, editable=False)
    install_log = models.TextField(blank=True, editable=False)
    round_trip_seconds = models.FloatField(_("round trip, seconds"), null=True, editable=False)
    clock_offset = models.FloatField(_("clock offset, seconds"), null=True, editable=False)
    # The cluster that its runs claim: set by the first report, afterwards by an admin only.
    cluster = models.ForeignKey(
        CephCluster,
        on_delete=models.PROTECT,
        null=True,
        related_name="hosts",
        verbose_name=_("Ceph cluster"),
        editable=False,
    )
    reported_fsid = models.CharField(max_length=36, blank=True, editable=False)
    fsid_error = MessageField(blank=True, editable=False)
    fsid_checked_at = models.DateTimeField(null=True, editable=False)
    # Found by the last check, of jobs that ended (apps.inventory.domain.unrestored_settings).
    unrestored_settings: models.Field[list[UnrestoredSettings], list[UnrestoredSettings]] = (
        SchemaField(schema=UNRESTORED_SETTINGS, default=list, editable=False)
    )
    # Since when something of ended runs is left there that could not be removed.
    cleanup_pending_since = models.DateTimeField(null=True, editable=False)
    # Runs in a row that ended by a fault of the host; with too many of them it is on hold.
    fault_count = models.PositiveSmallIntegerField(default=0, editable=False)
    held_since = models.DateTimeField(null=True, editable=False)
    hold_reason = MessageField(blank=True, editable=False)
    facts = models.ForeignKey(
        "HostFacts", on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )

    class Meta(Timestamped.Meta):
        ordering: ClassVar[list[str]] = ["name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["kind"],
                condition=models.Q(kind="local"),
                name="one_local_host",
                violation_error_message=_("Another host is this machine already."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    def is_editable(self, user: AnyUser) -> bool:
        return isinstance(user, User) and user.is_admin

    @property
    def state(self) -> str:
        """Return the state for its badge: disabled, refused key, imported only, or its health."""
        if not self.is_reachable_kind:
            return "imported_only"
        if not self.enabled:
            return "disabled"
        return "refused" if self.key_changed or self.key_revoked else str(self.health)

    @property
    def is_local(self) -> bool:
        return self.kind == self.Kind.LOCAL

    @property
    def is_reachable_kind(self) -> bool:
        """Return True if benchlab can connect to hosts of this kind."""
        return self.kind != self.Kind.IMPORTED_ONLY

    @property
    def cluster_changed(self) -> bool:
        """Return True if it reports another fsid than that of the cluster its runs claim."""
        return self.cluster is not None and self.reported_fsid not in ("", self.cluster.fsid)

    @property
    def restartable_kinds(self) -> tuple[str, ...]:
        """Return the kinds of daemons of its cluster that tuning profiles may restart."""
        if self.cluster is None or self.cluster_changed:
            return ()
        return self.cluster.restartable_kinds

    @property
    def known(self) -> KnownFacts:
        """Return the parsed facts of the last check."""
        return self.facts.known if self.facts else KnownFacts()

    @property
    def is_being_checked(self) -> bool:
        return self.check_requested_at is not None

    @property
    def key_changed(self) -> bool:
        """Return True if it presented another key than the pinned one (a possible interception)."""
        return self.health_kind == "key_changed"

    @property
    def key_revoked(self) -> bool:
        """Return True if an admin revoked the pinned key."""
        return self.health_kind == "key_revoked"


class HostFacts(models.Model):
    """Facts of a host; a new row only if `digest` changed, so that attempts can refer to it."""

    host = models.ForeignKey(
        Host, on_delete=models.CASCADE, related_name="facts_history", db_index=False
    )
    collected_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(auto_now=True)
    digest = models.CharField(max_length=64)
    facts = models.JSONField()

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["host", "digest"], name="one_row_per_set_of_facts")
        ]

    def __str__(self) -> str:
        return f"{self.host} {self.collected_at:%Y-%m-%d %H:%M} UTC"

    @cached_property
    def known(self) -> KnownFacts:
        """Return the parsed facts."""
        return known(KnownFacts, self.facts)

    @property
    def cpu_count(self) -> int | None:
        return self.known.cpu.count
