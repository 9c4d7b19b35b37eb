"""Users with a role, teams, API tokens, and the audit log."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AbstractUser, AnonymousUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from apps.accounts.domain.browsers import browser_name
from apps.common.domain.preferences import DENSITIES, UNITS, Density, Preferences, Units
from apps.common.models import Timestamped


class Role(models.TextChoices):
    """Rights of a user; each role includes the previous ones (docs/reference/roles.md)."""

    VIEWER = "viewer", _("Viewer")
    OPERATOR = "operator", _("Operator")
    DISK_OWNER = "disk_owner", _("Disk owner")
    ADMIN = "admin", _("Admin")


SESSION_SALT = "apps.accounts.models.User.session"
RANK = {role: rank for rank, role in enumerate(Role)}


class Team(Timestamped):
    name = models.CharField(_("name"), max_length=60, unique=True)
    raw_retention_months = models.PositiveSmallIntegerField(
        _("months for which raw output is kept"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(1200)],
        help_text=_(
            "Of the team's runs. After that files are removed for good; what was measured stays. "
            "Empty: as the installation does."
        ),
    )

    class Meta(Timestamped.Meta):
        ordering: ClassVar[list[str]] = ["name"]

    def __str__(self) -> str:
        return self.name


class User(AbstractUser):  # type: ignore[django-manager-missing] # knox's manager is untyped
    """User account. Only the role grants rights: Django's flags and permissions are removed."""

    is_staff = None
    is_superuser = None
    groups = None  # type: ignore[assignment] # how Django takes out an inherited field
    user_permissions = None  # type: ignore[assignment] # as above
    role = models.CharField(_("role"), max_length=12, choices=Role.choices, default=Role.VIEWER)
    teams = models.ManyToManyField(
        Team, related_name="members", blank=True, verbose_name=_("teams")
    )
    units = models.CharField(
        _("units"), max_length=8, choices=UNITS, default=Units.BINARY.value, editable=False
    )
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", editable=False)
    density = models.CharField(
        _("density of tables"),
        max_length=8,
        choices=DENSITIES,
        default=Density.ROOMY.value,
        editable=False,
    )
    language = models.CharField(
        _("language"), max_length=12, choices=settings.LANGUAGES, blank=True, editable=False
    )
    session_epoch = models.PositiveIntegerField(default=0, editable=False)
    signed_on_at = models.DateTimeField(_("last sign-on"), null=True, editable=False)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Return the hash that every session of this user carries.

        It depends on the password, as in Django, and on the epoch, so that sessions can be ended
        without a new password.
        """
        credentials = f"{self.password}:{self.session_epoch}"
        return salted_hmac(SESSION_SALT, credentials, secret=secret, algorithm="sha256").hexdigest()

    def has_role(self, role: Role) -> bool:
        """Return True if the user is active and has at least `role`."""
        return self.is_active and RANK[Role(self.role)] >= RANK[role]

    @property
    def is_external(self) -> bool:
        """Return True if an OpenID Connect provider vouches for this user."""
        return self.signed_on_at is not None

    @property
    def preferences(self) -> Preferences:
        """Return the preferences of this user's pages."""
        return Preferences(self.units, self.time_zone, self.density, self.language)

    @property
    def is_operator(self) -> bool:
        return self.has_role(Role.OPERATOR)

    @property
    def is_disk_owner(self) -> bool:
        return self.has_role(Role.DISK_OWNER)

    @property
    def is_admin(self) -> bool:
        return self.has_role(Role.ADMIN)


AnyUser = User | AnonymousUser | AbstractBaseUser


class OwnedModel(Timestamped):
    """Row with an owner and an optional team.

    Every user may read it. The owner, members of the team and admins may change it, if their role
    permits writing.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("owner"),
    )
    team = models.ForeignKey(
        Team,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("team"),
    )

    class Meta(Timestamped.Meta):
        abstract = True

    def is_editable(self, user: AnyUser) -> bool:
        if not isinstance(user, User) or not user.is_operator:
            return False
        if self.owner_id == user.pk or user.is_admin:
            return True
        return self.team_id is not None and user.teams.filter(pk=self.team_id).exists()


class SavedView(Timestamped):
    """Filter, order and columns of a list under a name; of its owner, or shared with a team.

    `page`: URL name of the list; `query`: query string of its URL.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    team = models.ForeignKey(
        Team,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("team"),
    )
    page = models.CharField(max_length=40)
    name = models.CharField(_("name"), max_length=60)
    query = models.CharField(max_length=2000)

    class Meta(Timestamped.Meta):
        ordering: ClassVar[list[str]] = ["name", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["owner", "page", "name"],
                name="uniq_saved_view_name",
                violation_error_message=_("You have a view of this name. Choose another name."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    def is_editable(self, user: AnyUser) -> bool:
        return isinstance(user, User) and self.owner_id == user.pk


class DefaultView(models.Model):
    """View with which a list opens for a user."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    page = models.CharField(max_length=40)
    view = models.ForeignKey(SavedView, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "page"], name="uniq_default_view_of_list")
        ]

    def __str__(self) -> str:
        return f"{self.page}: {self.view_id}"


class ApiToken(AbstractAuthToken):  # type: ignore[misc] # knox ships no type information
    """API token. Only its digest is stored, so it is shown once. `name` describes its use."""

    class Scope(models.TextChoices):
        """URLs that a token opens: /api/v1/ in its user's name, or /metrics for Prometheus."""

        API = "api", _("the API")
        METRICS = "metrics", _("only /metrics, for Prometheus")

    expiry = models.DateTimeField(_("valid until"))
    reference = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=60, default="")
    read_only = models.BooleanField(_("read only"), default=False)
    scope = models.CharField(
        _("opens"), max_length=8, choices=Scope.choices, default=Scope.API, db_default=Scope.API
    )
    may_wipe = models.BooleanField(_("may wipe"), default=False)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-created"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(scope="api") | models.Q(scope="metrics", read_only=True),
                name="token_scope_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.token_key[:8]}…)"

    @property
    def opens_metrics(self) -> bool:
        return self.scope == self.Scope.METRICS

    @property
    def is_expired(self) -> bool:
        return bool(self.expiry < timezone.now())

    def is_editable(self, user: AnyUser) -> bool:
        return isinstance(user, User) and (self.user_id == user.pk or user.is_admin)


class Session(AbstractBaseSession):
    """Login of a browser. The store (apps.accounts.sessions) copies the columns from its data.

    `reference`: ID in URLs, because the key opens the session. `provider_session`: `sid` of the
    OpenID Connect provider, which its logout names.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    # Not unique: `cycle_key` stores the data under a new key before it deletes the old row.
    reference = models.UUIDField(null=True, db_index=True)
    browser = models.CharField(max_length=200, blank=True)
    address = models.CharField(max_length=64, blank=True)
    since = models.DateTimeField(null=True)
    last_seen_at = models.DateTimeField(null=True)
    provider_session = models.CharField(max_length=255, blank=True, db_index=True)

    class Meta(AbstractBaseSession.Meta):
        abstract = False

    @property
    def browser_name(self) -> str:
        return browser_name(self.browser)


class AuditEntry(models.Model):
    """Recorded action: who, when, what, from where, and its outcome. Immutable."""

    timestamp = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    username = models.CharField(_("user"), max_length=150)
    address = models.CharField(_("from"), max_length=64, blank=True)
    action = models.CharField(_("action"), max_length=40)
    object_type = models.CharField(_("object"), max_length=40)
    object_id = models.CharField(max_length=64, blank=True)
    label = models.CharField(max_length=200, blank=True)
    detail = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["action", "username", "timestamp"], name="accounts_audit_by_action"
            )
        ]

    def __str__(self) -> str:
        return f"{self.username} {self.action} {self.object_type} {self.label}"
