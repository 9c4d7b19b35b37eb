"""Users with a role, and teams."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AbstractUser, AnonymousUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

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
        _("months of raw output"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(1200)],
        help_text=_(
            "Raw output of the team's runs is deleted after this time; results stay. Empty: the "
            "rule of the installation."
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
