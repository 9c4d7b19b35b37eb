"""Facts of a host are read from any agent's answer, however old or odd it is."""

from __future__ import annotations

import pytest

from apps.inventory.models import Disk
from apps.inventory.schemas.host_facts import KnownDisk, KnownFacts, known
from apps.inventory.tests.factories import small_disk, small_facts


def test_what_an_agent_says_is_known_by_name() -> None:
    facts = known(KnownFacts, small_facts())
    disk = facts.disk(str(small_disk()["identity"]))
    assert facts.kernel == small_facts()["kernel"]
    assert facts.tools == small_facts()["tools"]
    assert disk is not None
    assert disk.size == small_disk()["size"]


@pytest.mark.parametrize("said", [None, [], "all", {}, {"cpu": None, "disks": None}])
def test_an_answer_that_says_nothing_leaves_everything_unknown(said: object) -> None:
    assert known(KnownFacts, said) == KnownFacts()


def test_one_bad_value_hides_no_other() -> None:
    said = small_facts(kernel=7, memory="much", nics=[{"name": "eth0", "speed": "fast"}, 3])
    facts = known(KnownFacts, said)
    assert (facts.kernel, facts.memory) == (None, None)
    assert facts.distribution == small_facts()["distribution"]
    assert [(card.name, card.speed) for card in facts.nics] == [("eth0", None), ("", None)]


def test_obstacle_of_a_disk_counts_in_any_form() -> None:
    disk = known(KnownDisk, small_disk(system=1, mounts=[3], swap="yes"))
    assert (disk.system, disk.swap, disk.mounts) == (True, True, ("3",))
    assert Disk(
        identity="wwn:1", device_path="/dev/sdb", facts=small_disk(system=1)
    ).enrolment_obstacles()
