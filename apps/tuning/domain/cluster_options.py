"""Ceph options of a profile held against the options that a cluster has."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from apps.tuning.domain.ceph_conf_parser import by_restart
from apps.tuning.schemas.settings import CEPH, CEPH_CONF, Setting, Settings

CEPH_KINDS = (CEPH, CEPH_CONF)


@dataclass(frozen=True)
class ClusterFit:
    """Names of a profile's Ceph options by how a cluster takes them.

    `runtime`: set while it runs. `restart`: set with a restart of the OSDs. `misplaced`: they need
    a restart and are set without one, so nothing changes. `unknown`: this Ceph does not have them.
    """

    runtime: tuple[str, ...] = ()
    restart: tuple[str, ...] = ()
    misplaced: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Return True if the cluster takes every option as the profile has it."""
        return not (self.misplaced or self.unknown)


def has_ceph_options(settings: Iterable[Setting]) -> bool:
    return any(one.kind in CEPH_KINDS for one in settings)


def unknown_options(settings: Iterable[Setting], names: Collection[str]) -> tuple[str, ...]:
    """Return the options that a cluster does not have; none if its options are not known."""
    if not names:
        return ()
    options = [one.name for one in settings if one.kind in CEPH_KINDS and one.name not in names]
    return tuple(dict.fromkeys(options))


def cluster_fit(
    settings: Settings, names: Collection[str], restart_names: Collection[str]
) -> ClusterFit:
    """Sort a profile's Ceph options by how a cluster takes them."""
    unknown = unknown_options(settings, names)
    known = [one for one in settings if one.kind in CEPH_KINDS and one.name not in unknown]
    runtime = [one for one in known if one.kind == CEPH]
    return ClusterFit(
        tuple(one.name for one in runtime if one.name not in restart_names),
        tuple(one.name for one in known if one.kind == CEPH_CONF),
        tuple(one.name for one in runtime if one.name in restart_names),
        unknown,
    )


def fit_to_cluster(
    settings: Settings, names: Collection[str], restart_names: Collection[str]
) -> Settings:
    """Return the settings without unknown options, and with a restart where one is needed."""
    unknown = set(unknown_options(settings, names))
    others = [one for one in settings if one.kind not in CEPH_KINDS]
    known = [one for one in settings if one.kind in CEPH_KINDS and one.name not in unknown]
    runtime, restart = by_restart(
        tuple(one for one in known if one.kind == CEPH), frozenset(restart_names)
    )
    conf = {one.name: one for one in restart}
    conf |= {one.name: one for one in known if one.kind == CEPH_CONF}
    return (*others, *runtime, *conf.values())
