"""Chinese words of two characters find names, notes, tags and workloads."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import Q, Value

from apps.accounts.models import User
from apps.common.database.character_pairs import CharacterPairs
from apps.inventory.tests.factories import create_host
from apps.plans.models import Workload
from apps.runs.models import Run
from apps.runs.tests.factories import create_run
from apps.search.domain.terms import terms_of
from apps.search.selectors.kinds import KINDS
from apps.search.selectors.matching import kind_holds, with_stems
from apps.search.selectors.search import search

pytestmark = pytest.mark.django_db


def names(text: str) -> list[str]:
    return [one.name for hits in search(text, most=5) for one in hits.results]


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


def test_frequent_word_finds_the_newest_runs_and_a_rare_one_the_old(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest runs are searched first; an older match is shown if they have too few."""
    monkeypatch.setattr("apps.search.selectors.runs.NEWEST", 4)
    runs = [create_run(owner=owner) for _ in range(10)]
    Run.objects.update(name="夜间测试")
    Run.objects.filter(pk=runs[0].pk).update(note="验收之前")
    newest = [run.pk for run in reversed(runs)]
    (frequent,) = search("夜间", kinds=["runs"], most=2)
    assert ([one.id for one in frequent.results], frequent.more) == (newest[:2], True)
    (rare,) = search("验收", kinds=["runs"], most=2)
    assert ([one.id for one in rare.results], rare.more) == ([runs[0].pk], False)
    (all_of_them,) = search("夜间测试", kinds=["runs"], most=20)
    assert [one.id for one in all_of_them.results] == newest


def test_words_of_two_characters_are_found_by_an_index(owner: User) -> None:
    """PostgreSQL has no trigrams of Chinese letters under its C locale."""
    create_run(owner=owner)
    condition = Q(name_pairs__contains=CharacterPairs(Value("机房a")))
    rows = Run.objects.annotate(name_pairs=CharacterPairs("name")).filter(condition)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "runs_by_pairs_of_name" in rows.order_by().explain()
    Run.objects.update(name="三号机房A")
    assert rows.count() == 1


@pytest.mark.parametrize("word", ["机房", "机房三号", "A机房"])
def test_chinese_word_is_compared_without_like(owner: User, word: str) -> None:
    """The planner would read every run: the index of trigrams has none of Chinese text."""
    (term,) = terms_of([word])
    kind = KINDS["runs"]
    rows = with_stems(Run.objects.order_by(), kind).filter(kind_holds(kind, term))
    assert "LIKE" not in str(rows.query)
    run = create_run(owner=owner)
    Run.objects.filter(pk=run.pk).update(name="a机房三号")
    assert rows.filter(pk=run.pk).exists()


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
