"""Texts of the agent about jobs, ports, packages and the limits of a host's owner."""

from __future__ import annotations

from apps.tools.translation import gettext_noop as _

SENTENCES = (
    _("This host has neither apt-get nor dnf nor yum; install it by hand."),
    _("The agent installs %(packages)s only."),
    _("This host has no attempt %(attempt)s."),
    _("Attempt %(attempt)s is still running; cancel it or wait."),
    _("Attempt %(attempt)s has unrestored settings; restore them first."),
    _("Attempt %(attempt)s is not ready yet (phase %(phase)s); try again when it is."),
    _("Attempt %(attempt)s is not held."),
    _("Attempt %(attempt)s has no file %(name)s."),
    _(
        "Start: no start time within %(seconds)s seconds; check the other hosts of the case. "
        "Nothing was started."
    ),
    _("Port: %(protocol)s port %(port)s is taken by %(owner)s; stop it or choose another port."),
    _("Agent: it failed before anything was started. %(reason)s"),
    _("%(limit)s in %(path)s is not %(expected)s, so nothing is started here."),
    _("%(path)s must be root's and writable by root only, so nothing is started here."),
    _("%(path)s cannot be read (%(reason)s), so nothing is started here."),
    _("%(path)s is no JSON (%(reason)s), so nothing is started here."),
    _("%(path)s has the unknown limit %(limit)s, so nothing is started here."),
    _("%(path)s is larger than %(bytes)s bytes."),
    _("%(path)s is not an object."),
    _("Owner: tests may write %(limit)s bytes a day, and %(count)s are written today (UTC)."),
    _("Owner: a test may run for %(seconds)s s at most."),
    _("Owner: tests run from %(begin)s to %(end)s (%(zone)s) only."),
    _("Owner: %(path)s stops all tests on this host."),
    _("tests may write %(limit)s bytes a day, and %(count)s are written today (UTC)."),
    _("a test may run for %(seconds)s s at most."),
    _("tests run from %(begin)s to %(end)s (%(zone)s) only."),
    _("%(path)s stops all tests on this host."),
    _("Owner: the tools in %(path)s do not include %(names)s."),
    _("Owner: the settings in %(path)s do not include %(names)s."),
    _("Owner: %(name)s lies on no disk, and %(path)s limits the disks."),
    _("Owner: %(name)s (%(disk)s) is none of the disks in %(path)s."),
    _("Owner: %(path)s limits the bytes a day, and writes to %(name)s cannot be counted here."),
)

CLAUSES = (
    _("a request was killed by signal %(signal)s"),
    _("a process outside this host"),
    _("%(name)s (process %(pid)s)"),
    _("the host was restarted meanwhile"),
    _("the agent failed: %(why)s"),
    _("another process ended them, or the kernel for lack of memory"),
    _("a key is there twice"),
    _("a list of names"),
    _("a number above 0"),
    _("a whole number from 0"),
    _("a text of at most 500 characters"),
    _("an object with from, to and zone"),
    _("two different times"),
    _("given as times such as 22:00"),
    # the network's reasons, as apps.remote.login gives them
    _("connection refused"),
    _("connection reset by peer"),
    _("connection timed out"),
    _("no route to host"),
    _("network is unreachable"),
    _("Name or service not known"),
    _("Temporary failure in name resolution"),
    _("in a time zone that this host has in %(folder)s"),
)
