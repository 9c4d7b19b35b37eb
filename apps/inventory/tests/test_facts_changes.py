"""Changes between two sets of facts, in lines that people read."""

from __future__ import annotations

from apps.inventory.domain.facts import changes, stable_part
from apps.inventory.tests.factories import small_disk, small_facts


def test_equal_facts_have_no_changes() -> None:
    assert changes(small_facts(), small_facts(uptime=1.0)) == []


def test_a_changed_value_is_named_by_its_way() -> None:
    tuned = small_disk(queue={"scheduler": "bfq", "schedulers": ["none", "bfq"], "nr_requests": 64})
    assert changes(small_facts(), small_facts(disks=[tuned], kernel="6.12")) == [
        ("disks wwn:eui.1 queue scheduler", "none", "bfq"),
        ("kernel", "6.1.0-18-amd64", "6.12"),
    ]


def test_a_disk_that_came_is_one_line() -> None:
    more = [small_disk(), small_disk(identity="wwn:eui.2", model="Other", size=5)]
    assert changes(small_facts(), small_facts(disks=more)) == [("disks wwn:eui.2", "", "Other 5 B")]


def test_a_tool_that_was_installed_had_no_version() -> None:
    after = small_facts(tools={"fio": "3.33", "iozone": "3.506"})
    assert changes(small_facts(), after) == [("tools iozone", "", "3.506")]


def test_cables_between_containers_are_no_change() -> None:
    nics = [*small_facts()["nics"], {"name": "veth12", "driver": "veth"}]
    assert changes(small_facts(), small_facts(nics=nics)) == []


def test_a_network_card_that_came_is_there_and_one_that_is_down_is_not_up() -> None:
    nics = [{"name": "eth0", "up": False}, {"name": "eth1", "up": True}]
    seen = [{"name": "eth0", "up": True}]
    assert changes(small_facts(nics=seen), small_facts(nics=nics)) == [
        ("nics eth0 up", "yes", "no"),
        ("nics eth1", "", "there"),
    ]


def test_the_order_of_disks_is_no_change() -> None:
    two = [small_disk(), small_disk(identity="wwn:eui.0")]
    assert stable_part(small_facts(disks=two)) == stable_part(small_facts(disks=two[::-1]))


def test_facts_that_failed_are_survived() -> None:
    assert changes(small_facts(), small_facts(disks=None, cpu=None, nics=None)) != []
