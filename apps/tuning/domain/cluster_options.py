"""Ceph options of a profile held against the options that a cluster has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy

from apps.tuning.domain.ceph_conf_parser import as_conf_settings, by_restart
from apps.tuning.schemas.settings import CEPH, CEPH_CONF, OSD_SECTION, Setting, Settings

CEPH_KINDS = (CEPH, CEPH_CONF)
# Options that need a restart, each with the kinds of daemons that read it.
SlowOptions = Mapping[str, Collection[str]]
# Kinds of daemons in a sentence.
DAEMON_LABELS: Mapping[str, str | Promise] = {
    "mon": lazy("monitors"),
    "osd": lazy("OSDs"),
    "mds": lazy("MDS"),
}


@dataclass(frozen=True)
class ClusterFit:
    """Names of a profile's Ceph options by how a cluster takes them.

    `runtime`: set while it runs. `restart`: set with a restart of daemons. `misplaced`: they need
    a restart and are set without one, so nothing changes. `foreign`: the daemons that are restarted
    do not read them. `unknown`: this Ceph does not have them.
    """

    runtime: tuple[str, ...] = ()
    restart: tuple[str, ...] = ()
    misplaced: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Return True if the cluster takes every option as the profile has it."""
        return not (self.misplaced or self.foreign or self.unknown)


def has_ceph_options(settings: Iterable[Setting]) -> bool:
    return any(one.kind in CEPH_KINDS for one in settings)


def unknown_options(settings: Iterable[Setting], names: Collection[str]) -> tuple[str, ...]:
    """Return the options that a cluster does not have; none if its options are not known."""
    if not names:
        return ()
    options = [one.name for one in settings if one.kind in CEPH_KINDS and one.name not in names]
    return tuple(dict.fromkeys(options))


def is_misplaced(setting: Setting, slow: SlowOptions) -> bool:
    """Return True if an option needs a restart and is set without one.

    Clients read their options when they start, so they need none.
    """
    if setting.kind != CEPH or setting.section.startswith("client"):
        return False
    return setting.name in slow


def is_foreign(setting: Setting, slow: SlowOptions) -> bool:
    """Return True if the daemons that are restarted for an option do not read it."""
    if setting.kind != CEPH_CONF or setting.name not in slow:
        return False
    return (setting.section or OSD_SECTION) not in slow[setting.name]


def cluster_fit(settings: Settings, names: Collection[str], slow: SlowOptions) -> ClusterFit:
    """Sort a profile's Ceph options by how a cluster takes them."""
    unknown = unknown_options(settings, names)
    known = [one for one in settings if one.kind in CEPH_KINDS and one.name not in unknown]
    runtime = [one for one in known if one.kind == CEPH]
    conf = [one for one in known if one.kind == CEPH_CONF]
    return ClusterFit(
        tuple(one.name for one in runtime if not is_misplaced(one, slow)),
        tuple(one.name for one in conf if not is_foreign(one, slow)),
        tuple(one.name for one in runtime if is_misplaced(one, slow)),
        tuple(one.name for one in conf if is_foreign(one, slow)),
        unknown,
    )


def fit_to_cluster(settings: Settings, names: Collection[str], slow: SlowOptions) -> Settings:
    """Return the settings without unknown options, and with a restart where one is needed."""
    unknown = set(unknown_options(settings, names))
    others = [one for one in settings if one.kind not in CEPH_KINDS]
    known = [one for one in settings if one.kind in CEPH_KINDS and one.name not in unknown]
    runtime, restart = by_restart(tuple(one for one in known if one.kind == CEPH), slow)
    conf = {one.key: one for one in restart}
    for one in known:
        if is_foreign(one, slow):
            conf |= {other.key: other for other in as_conf_settings(one, slow[one.name])}
        elif one.kind == CEPH_CONF:
            conf[one.key] = one
    return (*others, *runtime, *conf.values())
