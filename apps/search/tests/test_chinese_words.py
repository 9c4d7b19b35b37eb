"""Chinese words of two characters find names, notes, tags and workloads."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.inventory.tests.factories import create_host
from apps.plans.models import Workload
from apps.runs.models import Run
from apps.runs.tests.factories import create_run
from apps.search.selectors.search import search

pytestmark = pytest.mark.django_db


def names(text: str) -> list[str]:
    return [one.name for hits in search(text, most=5) for one in hits.found]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("机房", {"name": "三号机房的固态盘"}),
        ("调优", {"note": "第二次测量，调优之后"}),
        ("稳态", {"tags": ["稳态"]}),
    ],
)
def test_run_is_found_by_two_characters(owner: User, text: str, fields: dict[str, object]) -> None:
    create_run(owner=owner)
    run = create_run(owner=owner)
    Run.objects.filter(pk=run.pk).update(**fields)
    run.refresh_from_db()
    assert names(text) == [str(run)]


def test_host_is_found_by_a_chinese_tag() -> None:
    host = create_host(name="node7", tags=["机柜三"])
    host.full_clean()
    assert names("机柜三") == ["node7"]


def test_workload_is_found_by_the_chinese_name_of_its_operation(owner: User) -> None:
    label = "random read 4 KiB, QD 32"
    Workload.objects.create(tool="fio", key="a", label=label, params={"rw": "randread"})
    Workload.objects.create(
        tool="fio", key="b", label="sequential read 1 MiB, QD 8", params={"rw": "read"}
    )
    assert len(names("随机读")) == 1
