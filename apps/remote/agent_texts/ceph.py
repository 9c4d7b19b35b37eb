"""Texts of the agent about Ceph."""

from __future__ import annotations

from apps.tools.translation import gettext_noop as _

SENTENCES = (
    _("%(program)s is not installed on this host; install ceph-common."),
    _("%(command)s: no answer within %(seconds)s seconds."),
    _("ceph: the answer is no JSON."),
    _("Tuning: %(daemon)s does not run on this host now, so its settings cannot be applied."),
    _(
        "Tuning: OSD %(osd)s has no disk open on this host, such as one that keeps everything in "
        "memory, so no setting of a queue reaches it."
    ),
    _(
        "Pool %(pool)s exists. benchlab was to make it and delete it afterwards, so it was not "
        "touched: choose another name, or register it as an existing pool."
    ),
    _(
        "This cluster deletes no pools, so none was made: set it with ceph config set mon "
        "mon_allow_pool_delete true"
    ),
    _(
        "Pool %(pool)s: not active and clean after %(seconds)s seconds (%(state)s). Are there "
        "enough hosts or OSDs for its copies or chunks?"
    ),
    _("Image %(pool)s/%(image)s exists already. It was not touched."),
    _("Pool %(pool)s has %(free)s bytes free, and the image needs %(needs)s."),
    _("Image %(pool)s/%(image)s was made with %(wanted)s bytes and has %(actual)s."),
    _("Tuning: %(daemon)s's Ceph has no option %(name)s."),
    _("Tuning: %(daemon)s is not in the quorum now, so it is not restarted."),
    _(
        "Tuning: %(daemon)s has no systemd unit, so the restart command is unknown; an admin can "
        "set the command for its cluster."
    ),
    _(
        "Tuning: settings of attempt %(attempt)s could not be restored yet, so nothing was run; "
        "see the host's page."
    ),
    _("Tuning: %(file)s still has benchlab's lines of another test; see the host's page."),
    _("%(name)s = %(value)s is no option of a daemon that can be applied."),
    _("%(name)s names no daemon that can be restarted."),
    _("the restart command for %(name)s is missing."),
    _(
        "Tuning: Ceph's %(name)s takes effect only when daemons are restarted; of monitors, OSDs "
        "and MDS it can be applied as an option of their ceph.conf."
    ),
    _("only a disturbance changes the state of an OSD."),
    _("Disturbance: this host is a client of cluster %(actual)s, not of %(wanted)s."),
    _("Disturbance: the cluster has the flag %(flag)s; unset it first."),
    _("Disturbance: the cluster has no osd.%(osd)s."),
    _("Disturbance: osd.%(osd)s is not up and in."),
    _(
        "Disturbance: without osd.%(osd)s the fullest OSD would be full to %(fill)s; at most "
        "%(limit)s is allowed."
    ),
    _("Disturbance: osd.%(osd)s is the only OSD that is in."),
    _("Disturbance: osd.%(osd)s may not be stopped now (%(reason)s)."),
    _(
        "Disturbance: not all placement groups were active and clean for %(seconds)s seconds "
        "(%(state)s)."
    ),
    _("Disturbance: osd.%(osd)s does not run on this host now."),
    _(
        "Disturbance: osd.%(osd)s has no systemd unit, so an admin has to set the commands that "
        "stop and start an OSD of its cluster."
    ),
    _("Disturbance: %(reason)s"),
    _("Tuning: this cluster's Ceph has no option %(name)s."),
    _("%(section)s is no section of Ceph's configuration."),
    _("%(name)s is not an option of Ceph that can be applied."),
    _("%(value)s is no value for %(name)s."),
)

CLAUSES = (
    _("this host is a client of another cluster now"),
    _("osd.%(osd)s still runs %(seconds)s seconds after it was stopped"),
    _("osd.%(osd)s does not take part %(seconds)s seconds after it was started"),
    _("the cluster has no osd.%(osd)s"),
    _("placement groups are inactive (%(states)s)"),
    _("not clean %(seconds)s seconds after the disturbance"),
    _("the cluster has not answered for %(seconds)s seconds (%(reason)s)"),
    _("the job ended before the disturbance"),
    _("ok_to_stop is false"),
    _("%(degraded)s objects degraded, %(misplaced)s misplaced"),
    _("exit code %(code)s"),
    _(
        "%(file)s is a link to %(target)s (Proxmox VE keeps one for its whole cluster), which "
        "benchlab leaves alone"
    ),
    _("%(file)s is no file of root's or ceph's that only they can write"),
    _("%(file)s: the end of benchlab's lines is missing, so they were edited; remove them"),
    _("%(file)s is too large for a ceph.conf"),
    _("%(daemon)s runs in a container, and its ceph.conf is missing"),
    _("%(daemon)s runs as the user %(user)s: benchlab restarts only those of root and ceph"),
    _("it has no admin socket"),
    _("it broke off"),
    _("an empty answer"),
    _("ceph is no Python program"),
    _("Ceph's Python binding ended"),
    _("other hosts of the cluster restarted daemons for %(minutes)s minutes"),
    _("the cluster did not become HEALTH_OK within %(seconds)s seconds (%(state)s)"),
    _("%(daemon)s was not back %(seconds)s seconds after `%(command)s` (%(state)s)"),
    _("`%(command)s` ended with %(code)s: %(output)s"),
    _("it does not run"),
    _("mon.%(monitor)s is not in the quorum"),
    _("rank %(rank)s of %(filesystem)s is not active"),
    _("it is the same process"),
    _("ceph config get returns %(value)s, a narrower section is set"),
    _("Ceph's section %(section)s"),
)
