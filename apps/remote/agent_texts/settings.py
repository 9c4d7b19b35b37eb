"""Texts of the agent about kernel, queue, CPU and file system settings."""

from __future__ import annotations

from apps.tools.translation import gettext_noop as _

SENTENCES = (
    _("Tuning: %(name)s of %(owner)s cannot be read (%(reason)s); nothing was run."),
    _(
        "Tuning: %(name)s of %(owner)s should be %(wanted)s and is %(actual)s (%(reason)s); "
        "everything was restored, nothing was run."
    ),
    _(
        "Tuning: %(name)s of %(owner)s should be %(wanted)s and is %(actual)s; everything was "
        "restored, nothing was run."
    ),
    _("Tuning: %(name)s is in use by attempt %(attempt)s; wait for it."),
    _(
        "Tuning: %(name)s is still set by attempt %(attempt)s, which has ended but could not "
        "restore it; the host's page has the cause."
    ),
    _("Tuning: the agent supports no settings of kind %(kind)s."),
    _("%(name)s cannot be set to %(value)s (%(reason)s)."),
    _(
        "%(name)s of %(disk)s is %(value)s and could not be restored: the kernel accepts at most "
        "%(limit)s."
    ),
    _("Tuning: %(count)s disks of this host are %(identity)s; there must be exactly one."),
    _("Tuning: %(disk)s has no setting %(name)s."),
    _("%(name)s must be a whole number from %(least)s to %(most)s, not %(value)s."),
    _("%(name)s must be a whole number from %(least)s, not %(value)s."),
    _("%(name)s must be one line of text, not %(value)s."),
    _("%(name)s takes a whole number, not %(value)s."),
    _("%(name)s is not a setting that can be applied."),
    _("%(name)s is not a scheduler's name."),
    _("%(name)s is not a CPU setting that can be applied."),
    _("%(name)s is not a governor's name."),
    _("%(name)s is not a kernel setting that can be applied."),
    _("%(name)s names no interrupts."),
    _("%(value)s is no list of CPUs."),
    _("Attributes of %(scheduler)s: %(names)s."),
    _("It offers: %(names)s."),
    _("They offer: %(names)s."),
    _(
        "Tuning: this host offers no governors for its CPUs (%(folder)s has no policy), as most "
        "virtual machines."
    ),
    _("Tuning: this host's kernel has no setting %(name)s."),
    _("Tuning: this host has no interrupt that %(name)s names."),
    _("Tuning: %(disk)s shows no interrupts of its own on this host."),
    _("Tuning: interrupt %(number)s is named by %(first)s and by %(second)s; name it once."),
    _(
        "If its driver keeps each queue on CPUs of its own (a managed interrupt, as of most NVMe "
        "and virtio disks), it cannot be moved."
    ),
    _("Tuning: %(name)s cannot be %(value)s for a file system of %(kind)s."),
    _("Tuning: this host has no %(program)s; install it."),
    _("Tuning: a file system cannot be mounted for this job alone (%(reason)s); nothing was run."),
    _(
        "Tuning: %(path)s lies on %(kind)s (%(source)s), below which this host shows no disk, so "
        "no setting of a queue reaches it."
    ),
    _(
        "Tuning: %(path)s lies on btrfs, which reads ahead by a setting of its own; %(name)s of "
        "the disks below changes nothing there."
    ),
    _(
        "CPUs: %(threads)s threads are to be placed on CPUs of their own for %(disk)s, and "
        "%(cpus)s CPUs are there for it; use fewer threads (numjobs) or a tuning that places none."
    ),
    _(
        "CPUs: %(disk)s shows no hardware queues, so no CPU can be chosen for them; do not pin "
        "here."
    ),
)

CLAUSES = (
    _("it did not stay"),
    _("the CPUs of %(policy)s"),
    _("%(program)s took longer than %(seconds)s s"),
    _("this host"),
    _("this Python has no ctypes"),
)
