"""Texts of the agent about md arrays."""

from __future__ import annotations

from apps.tools.translation import gettext_noop as _

SENTENCES = (
    _("only a disturbance changes the members of an array."),
    _("Disturbance: %(array)s is %(level)s, which may not lose a member here."),
    _("Disturbance: %(array)s %(reason)s."),
    _("Disturbance: %(disk)s is no whole disk of an md array of this host."),
    _("Disturbance: %(array)s is not below the target of the test."),
    _("Disturbance: the array was not rebuilt within %(seconds)s seconds."),
)

CLAUSES = (
    _("is not active, or read-only"),
    _("is degraded"),
    _("has a %(action)s that runs or waits"),
    _("has too few members"),
    _("has one copy of each block"),
    _("has a spare, faulty or other special member"),
    _("does not have %(disk)s"),
    _("the array is not active, or lost another member"),
    _("the array %(uuid)s is not active on this host"),
    _("mdadm is not installed on this host"),
)
