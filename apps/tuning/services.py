"""Services that write tuning profiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, Team, User
from apps.accounts.permissions import lock_editable, require_role
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.common.database.locks import advisory_lock
from apps.common.errors import from_validation_error
from apps.common.services import names_touch
from apps.inventory.models import CephCluster
from apps.tuning.domain.baseline import (
    DEFAULTS_DESCRIPTION,
    HOST_DEFAULTS,
    stored_tuning_name,
)
from apps.tuning.domain.cluster_options import cluster_fit, fit_to_cluster
from apps.tuning.domain.settings import SettingsError, canonical
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.errors import TuningError
from apps.tuning.schemas.settings import STORED, Settings
from apps.tuning.selectors import unused_name

MAX_SETTLE_SECONDS = 3600.0


@dataclass(frozen=True)
class TuningDraft:
    """Values of a profile that its author sets.

    `settings`: unchecked (a list of settings or of their fields).
    """

    name: str
    description: str = ""
    settings: object = ()
    settle_seconds: float = 0.0
    team: Team | None = None


@transaction.atomic
def tuning_create(
    *, user: User, draft: TuningDraft, copy_of: TuningProfile | None = None
) -> TuningProfile:
    """Create a profile owned by `user`. `copy_of`: whose authors are authors of this one.

    Raises: PermissionDenied for a viewer; TuningError.
    """
    require_role(user, Role.OPERATOR)
    tuning = TuningProfile(owner=user)
    _save(tuning, draft, user)
    origin: dict[str, Any] = {"copy_of": copy_of.pk} if copy_of else {}
    audit_record(user=user, action="create", subject=tuning, **origin)
    return tuning


@transaction.atomic
def tuning_update(*, tuning: TuningProfile, user: User, draft: TuningDraft) -> TuningProfile:
    """Update the profile from the draft. Launched runs keep their settings.

    Raises: PermissionDenied; TuningError.
    """
    locked = lock_editable(tuning, user)
    if locked.archived_at:
        raise TuningError(_("This profile is archived: restore it before changing it."))
    change = {"before": STORED.plain(locked.settings)}
    _save(locked, draft, user)
    change["after"] = STORED.plain(locked.settings)
    audit_record(user=user, action="change", subject=locked, **change)
    names_touch()
    return locked


@transaction.atomic
def tuning_clone(*, tuning: TuningProfile, user: User, name: str = "") -> TuningProfile:
    """Create a copy owned by `user`, with `name` or the first unused "... (copy)"."""
    advisory_lock("name a copy of a tuning")
    draft = TuningDraft(
        name=name or unused_name(tuning.name),
        description=tuning.description,
        settings=tuning.settings,
        settle_seconds=tuning.settle_seconds,
    )
    return tuning_create(user=user, draft=draft, copy_of=tuning)


@transaction.atomic
def tuning_fit_to_cluster(
    *, tuning: TuningProfile, cluster: CephCluster, user: User, name: str = ""
) -> TuningProfile:
    """Create a copy owned by `user` with the options that a cluster has.

    Unknown options are left out and named in the description. Options that need a restart get
    one of the daemons that read them. Raises: PermissionDenied for a viewer; TuningError.
    """
    advisory_lock("name a copy of a tuning")
    fit = cluster_fit(tuning.settings, cluster.option_names, cluster.restart_daemons)
    if not cluster.option_names or fit.is_complete:
        raise TuningError(_("This profile needs no change for this cluster."))
    lines = [tuning.description] if tuning.description else []
    if fit.unknown:
        text = _("Without options that the Ceph of %(cluster)s does not have: %(names)s.")
        lines.append(text % {"cluster": cluster.fsid, "names": ", ".join(fit.unknown)})
    draft = TuningDraft(
        name=name or unused_name(tuning.name),
        description="\n".join(lines),
        settings=fit_to_cluster(tuning.settings, cluster.option_names, cluster.restart_daemons),
        settle_seconds=tuning.settle_seconds,
    )
    return tuning_create(user=user, draft=draft, copy_of=tuning)


@transaction.atomic
def tuning_archive(*, tuning: TuningProfile, user: User, archived: bool = True) -> TuningProfile:
    """Archive a profile, or restore it. Plans with it keep it."""
    tuning = lock_editable(tuning, user)
    tuning.archived_at = timezone.now() if archived else None
    tuning.save(update_fields=["archived_at", "updated_at"])
    action = "archive" if archived else "restore"
    audit_record(user=user, action=action, subject=tuning)
    return tuning


def default_profile_ensure(*, user: User) -> TuningProfile:
    """Return the built-in profile without settings; create it if it is missing."""
    tuning, _created = TuningProfile.objects.get_or_create(
        name=HOST_DEFAULTS, defaults={"owner": user, "description": DEFAULTS_DESCRIPTION}
    )
    return tuning


def _save(tuning: TuningProfile, draft: TuningDraft, user: User) -> None:
    team_error = team_fault(draft.team, user, tuning)
    tuning.name, tuning.description = stored_tuning_name(draft.name), draft.description
    tuning.settle_seconds, tuning.team = draft.settle_seconds, draft.team
    tuning.settings = _settings(draft)
    try:
        tuning.full_clean()
    except ValidationError as error:
        service_error = from_validation_error(error)
        raise TuningError(service_error.message, dict(service_error.fields), status=400) from error
    if team_error:
        raise TuningError(team_error, {"team": team_error}, status=400)
    _check(tuning)
    tuning.save()


def _settings(draft: TuningDraft) -> Settings:
    try:
        return canonical(draft.settings)
    except SettingsError as error:
        fields = {f"settings.{name}".rstrip("."): text for name, text in error.errors.items()}
        raise TuningError(next(iter(fields.values())), dict(fields), status=400) from error


def _check(tuning: TuningProfile) -> None:
    if not 0 <= tuning.settle_seconds <= MAX_SETTLE_SECONDS:
        text = _("A settle time is from 0 to %(limit)d seconds.") % {"limit": MAX_SETTLE_SECONDS}
        raise TuningError(text, {"settle_seconds": text}, status=400)
    if tuning.name == HOST_DEFAULTS and tuning.settings:
        text = _("The profile “Host defaults” changes nothing; give this one another name.")
        raise TuningError(text, {"settings": text}, status=400)
