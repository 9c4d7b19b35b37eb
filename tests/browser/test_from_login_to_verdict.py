"""The whole way in a browser, as its first user goes it: from the login to the answer."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Site
from tests.browser.pages import hosts, plans, runs, tasks
from tests.browser.visitor import Visitor
from tests.e2e.template import PASSWORD

# Collecting static files takes 7 s of CPU time.
pytestmark = [
    pytest.mark.browser,
    pytest.mark.e2e,
    pytest.mark.needs_root,
    pytest.mark.timeout(600),
]
SIZES = {"bs": "4k", "iodepth": "4", "size": "16M", "runtime": "2"}
CLICKS_TO_COMPARISON = 30
"""From the login through a host, a disk, two tunings and a plan of two steps."""
PLAN, HOST = "Which scheduler", "rack1"


def test_from_login_to_verdict(site: Site, visitor: Visitor) -> None:
    tasks.count_clicks(visitor)
    hosts.log_in(visitor, PASSWORD)
    visitor.judge()
    _add_host_and_disk(site, visitor)
    for scheduler in ("none", "mq-deadline"):
        plans.make_tuning(visitor, scheduler)
    _write_plan(site, visitor)
    plans.launch(visitor, "the first run of all")
    runs.watch(visitor, 8)
    runs.read_cases(visitor, 8)
    visitor.judge()
    runs.open_case(visitor)
    runs.compare(visitor)
    tasks.check_clicks(visitor, CLICKS_TO_COMPARISON)
    runs.address_keeps_the_choice(visitor)
    runs.lay_over(visitor, "1")
    runs.keep_report(visitor, "1")
    tasks.read_the_verdict(visitor, "1")
    tasks.send_a_report(visitor, "1")
    tasks.find_the_slow_disk(visitor)
    tasks.run_again_with_a_change(visitor, "1")


def _add_host_and_disk(site: Site, visitor: Visitor) -> None:
    hosts.add_host(visitor, site.box, HOST)
    hosts.accept_key(visitor, site.box)
    hosts.wait_for_facts(visitor)
    hosts.enrol_disk(visitor, site.node)


def _write_plan(site: Site, visitor: Visitor) -> None:
    """Two steps under two tunings, twice: eight cases of two seconds and two to start."""
    plans.begin_plan(visitor, PLAN, repeats=2)
    plans.choose(visitor, "targets", site.node)
    plans.choose(visitor, "tunings", "Scheduler none")
    plans.choose(visitor, "tunings", "Scheduler mq-deadline")
    plans.add_step(visitor, "randwrite", SIZES)
    plans.paste_step(visitor, "randread", SIZES)
    plans.drag_step(visitor, 1, 0)
    plans.drag_step(visitor, 0, 1)
    plans.read_preview(visitor, cases="8", expected_time="32 s", bytes_written="4 timed cases")
    plans.save_plan(visitor, PLAN)
