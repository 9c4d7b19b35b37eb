"""Hosts, how to reach them, what they are made of, and the disks and directories a test may use."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import AnyUser, Owned, User
from apps.common.models import Timestamped

ADDRESS = RegexValidator(
    r"^[A-Za-z0-9](?:[A-Za-z0-9.:_-]{0,252})$", _("A host name or an IP address, nothing else.")
)
LOGIN = RegexValidator(r"^[a-z_][a-z0-9_.-]{0,31}$", _("A login name such as root or bench."))
DIRECTORY = RegexValidator(
    r"^/[A-Za-z0-9._/-]*$",
    _("An absolute path of letters, digits, dot, dash, underscore and slash."),
)

POOL = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9._-]*$",
    _("Letters, digits, dot, dash and underscore; the first a letter or digit."),
)


class Credential(Timestamped):
    """A private key, encrypted at rest with BENCHLAB_SECRET_KEYS; the public half in clear."""

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
        ARCHIVE = "archive", _("only in the archive: its results were imported")

    class Become(models.TextChoices):
        ROOT = "root", _("log in as root")
        SUDO = "sudo", _("sudo -n")
        USER = "user", _("as the user itself (directories only)")

    class KeySource(models.TextChoices):
        STORED = "stored", _("a key kept by benchlab")
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
    kind = models.CharField(_("reached"), max_length=8, choices=Kind.choices, default=Kind.SSH)
    address = models.CharField(_("address"), max_length=253, blank=True, validators=[ADDRESS])
    port = models.PositiveIntegerField(
        _("port"), default=22, validators=[MinValueValidator(1), MaxValueValidator(65535)]
    )
    user = models.CharField(
        _("user"), max_length=32, default="root", blank=True, validators=[LOGIN]
    )
    become = models.CharField(
        _("rights"), max_length=8, choices=Become.choices, default=Become.ROOT
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
    offered_key = models.TextField(_("host key seen, not yet trusted"), blank=True, editable=False)
    data_address = models.CharField(
        _("address on the storage network"),
        max_length=253,
        blank=True,
        validators=[ADDRESS],
        help_text=_("What network tests connect to; empty: the address above."),
    )
    tags = ArrayField(
        models.SlugField(max_length=40), default=list, blank=True, verbose_name=_("tags")
    )
    enabled = models.BooleanField(_("enabled"), default=True)
    health = models.CharField(
        max_length=12, choices=Health.choices, default=Health.UNCHECKED, editable=False
    )
    health_text = models.TextField(blank=True, editable=False)
    health_kind = models.CharField(max_length=20, blank=True, editable=False)
    checked_at = models.DateTimeField(null=True, editable=False)
    check_requested_at = models.DateTimeField(null=True, editable=False)
    install_requested = models.CharField(max_length=40, blank=True, editable=False)
    install_log = models.TextField(blank=True, editable=False)
    round_trip = models.FloatField(_("round trip, seconds"), null=True, editable=False)
    clock_offset = models.FloatField(_("clock offset, seconds"), null=True, editable=False)
    facts = models.ForeignKey(
        "HostFacts", on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )

    class Meta(Timestamped.Meta):
        ordering: ClassVar[list[str]] = ["name"]

    def __str__(self) -> str:
        return self.name

    def is_editable(self, user: AnyUser) -> bool:
        return isinstance(user, User) and user.is_admin

    @property
    def state(self) -> str:
        """What its badge shows: its health, that its key was refused, or that nobody may use it."""
        if not self.enabled:
            return "disabled"
        return "refused" if self.key_changed else str(self.health)

    @property
    def is_local(self) -> bool:
        return self.kind == self.Kind.LOCAL

    @property
    def is_reachable_kind(self) -> bool:
        """Whether benchlab could ever run anything there."""
        return self.kind != self.Kind.ARCHIVE

    @property
    def is_being_checked(self) -> bool:
        return self.check_requested_at is not None

    @property
    def key_changed(self) -> bool:
        """The host showed another key than the pinned one: perhaps somebody is in between."""
        return self.health_kind == "key_changed"


class HostFacts(models.Model):
    """What a host said about itself; a new row only when something changed (`digest`), so attempts
    can point at it.
    """

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="facts_history")
    collected_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(auto_now=True)
    digest = models.CharField(max_length=64)
    data = models.JSONField()

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["host", "digest"], name="one_row_per_set_of_facts")
        ]

    def __str__(self) -> str:
        return f"{self.host} {self.collected_at:%Y-%m-%d %H:%M} UTC"

    @property
    def cpu_count(self) -> int | None:
        count = (self.data.get("cpu") or {}).get("count")
        return count if isinstance(count, int) else None


class Disk(Timestamped):
    """A block device by its stable identity; `/dev` names are only what it was called when last
    seen.
    """

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="disks")
    identity = models.CharField(_("identity"), max_length=400)
    kind = models.CharField(max_length=20, blank=True)
    node = models.CharField(_("last seen as"), max_length=80, blank=True)
    size = models.BigIntegerField(_("size, bytes"), default=0)
    model = models.CharField(_("model"), max_length=120, blank=True)
    serial = models.CharField(_("serial"), max_length=120, blank=True)
    rotational = models.BooleanField(_("rotational"), default=False)
    data = models.JSONField(default=dict)
    seen_at = models.DateTimeField(null=True)
    enrolled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    enrolled_at = models.DateTimeField(_("enrolled as expendable"), null=True)
    enrolled_size = models.BigIntegerField(null=True)

    class Meta(Timestamped.Meta):
        ordering: ClassVar[list[str]] = ["host", "node"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["host", "identity"], name="one_disk_per_identity_and_host"
            )
        ]

    def __str__(self) -> str:
        return f"{self.host.name}: {self.node or self.identity}"

    def is_editable(self, user: AnyUser) -> bool:
        return isinstance(user, User) and user.is_disk_owner

    @property
    def is_enrolled(self) -> bool:
        return self.enrolled_at is not None

    @property
    def can_be_enrolled(self) -> bool:
        return not self.enrolment_obstacles()

    def enrolment_obstacles(self) -> list[str]:
        """Why this disk cannot be enrolled, as sentences; empty when it can."""
        said = [
            (self.identity.startswith("none:"), _("It has no identity that outlives a reboot.")),
            (self.data.get("ambiguous"), _("Another device of the host has the same identity.")),
            (self.data.get("system"), _("The host runs from it.")),
            (self.data.get("read_only"), _("It is read-only.")),
            (self.data.get("mounts"), _("It is mounted.")),
            (self.data.get("swap"), _("It is swap space.")),
            (self.data.get("holders"), _("LVM, RAID or a mapping uses it.")),
            (not self.node, _("It was not there when the host was last checked.")),
        ]
        return [str(words) for applies, words in said if applies]

    def last_queue(self) -> dict[str, Any]:
        queue = self.data.get("queue")
        return queue if isinstance(queue, dict) else {}


class Directory(Owned):
    """A scratch directory on a host: tests make their files in its `benchlab` subfolder."""

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="directories")
    path = models.CharField(_("path"), max_length=255, validators=[DIRECTORY])

    class Meta(Owned.Meta):
        verbose_name_plural = "directories"
        ordering: ClassVar[list[str]] = ["host", "path"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["host", "path"], name="one_directory_per_path_and_host")
        ]

    def __str__(self) -> str:
        return f"{self.host.name}: {self.path}"


class Pool(Owned):
    """A Ceph pool as some hosts reach it. With `is_made`, benchlab makes it for each test and
    deletes it afterwards; else it must exist and is only written to and tidied.
    """

    class Kind(models.TextChoices):
        REPLICATED = "replicated", _("replicated")
        ERASURE = "erasure", _("erasure coded")

    class FailureDomain(models.TextChoices):
        HOST = "host", _("host")
        OSD = "osd", _("OSD")

    name = models.CharField(_("pool"), max_length=64, validators=[POOL])
    host = models.ForeignKey(
        Host, on_delete=models.CASCADE, related_name="pools", verbose_name=_("client host")
    )
    clients = models.ManyToManyField(
        Host, blank=True, related_name="+", verbose_name=_("more client hosts, started together")
    )
    is_made = models.BooleanField(_("made and deleted by benchlab"), default=False)
    pg_num = models.PositiveIntegerField(
        _("placement groups"),
        default=64,
        validators=[MinValueValidator(1), MaxValueValidator(32768)],
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices, default=Kind.REPLICATED)
    replicas = models.PositiveIntegerField(
        _("replicas"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    k = models.PositiveIntegerField(_("data chunks (k)"), default=2)
    m = models.PositiveIntegerField(_("coding chunks (m)"), default=1)
    failure_domain = models.CharField(
        _("failure domain"),
        max_length=8,
        choices=FailureDomain.choices,
        default=FailureDomain.HOST,
    )

    class Meta(Owned.Meta):
        ordering: ClassVar[list[str]] = ["host", "name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["host", "name"], name="one_pool_per_name_and_host")
        ]

    def __str__(self) -> str:
        return f"{self.host.name}: pool {self.name}"


class HostPair(Timestamped):
    """Two hosts and a direction: a network test runs its client on one and its server on the
    other.
    """

    client = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="+")
    server = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="+")

    class Meta(Timestamped.Meta):
        ordering: ClassVar[list[str]] = ["client", "server"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["client", "server"], name="one_pair_per_direction"),
            models.CheckConstraint(
                condition=~models.Q(client=models.F("server")), name="a_pair_is_two_hosts"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.client.name} → {self.server.name}"

    @property
    def address(self) -> str:
        """Where the client finds the server."""
        return self.server.data_address or self.server.address


class TargetGroup(Owned):
    """Disks and directories, of one host or several, that one case uses all at once."""

    name = models.CharField(_("name"), max_length=80, unique=True)
    disks = models.ManyToManyField(Disk, blank=True, related_name="groups")
    directories = models.ManyToManyField(Directory, blank=True, related_name="groups")

    class Meta(Owned.Meta):
        ordering: ClassVar[list[str]] = ["name"]

    def __str__(self) -> str:
        return self.name
