"""An answer is worked out once, and never shown after what it rests on has changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.compare.comparison import answer
from apps.analysis.compare.page import shown
from apps.analysis.compare.tests.factories import PARAMS, Setup, create_measured_run
from apps.common import kept
from apps.common.web.kept_pages import PAGES
from apps.inventory.models import Disk
from apps.results.models import Measurement
from apps.runs.models import Run

pytestmark = pytest.mark.django_db
GAIN = {"Scheduler none": 1.1}
BETTER, WORSE, TOO_FEW = (f'data-state="{kind}"' for kind in ("better", "worse", "too_few"))


@pytest.fixture(autouse=True)
def patient_cache(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """On a busy machine the cache may answer late, which counts as a miss."""
    monkeypatch.setattr(kept, "PATIENCE", 10.0)
    monkeypatch.setattr(kept, "_away", {})
    kept._client.cache_clear()
    yield
    kept._client.cache_clear()


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The questions that were worked out."""
    asked: list[Any] = []

    def counted(question: Any, *at_hand: Any) -> Any:
        asked.append(question)
        return answer(question, *at_hand)

    monkeypatch.setattr(shown, "answer", counted)
    return asked


def text_of(client: Client, query: str) -> str:
    answer = client.get(f"/compare/?{query}")
    assert answer.status_code == 200
    return str(answer.content.decode()).partition('class="card answer"')[2]


def test_a_page_with_its_charts_is_worked_out_once(
    owner: User, viewer_client: Client, worked_out: list[Any]
) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    first = text_of(viewer_client, f"run={run.pk}")
    assert len(worked_out) == 1
    assert text_of(viewer_client, f"run={run.pk}") == first
    viewer_client.get(f"/compare/figure/bars/?run={run.pk}&chart=iops")
    viewer_client.get(f"/compare/figure/forest/?run={run.pk}")
    assert len(worked_out) == 1
    text_of(viewer_client, f"run={run.pk}&minimum=3")
    assert len(worked_out) == 2


def test_figures_that_become_invalid_are_gone_at_once(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    assert BETTER in text_of(viewer_client, f"run={run.pk}")
    of_tuning = Measurement.objects.filter(case__run_tuning__name="Scheduler none")
    of_tuning.filter(pk__in=list(of_tuning.values_list("pk", flat=True)[:4])).update(valid=False)
    said = text_of(viewer_client, f"run={run.pk}")
    assert BETTER not in said
    assert TOO_FEW in said
    of_tuning.update(valid=True)
    assert BETTER in text_of(viewer_client, f"run={run.pk}")


def test_figures_that_are_read_again_are_shown(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    text_of(viewer_client, f"run={run.pk}")
    rows = Measurement.objects.filter(case__run_tuning__name="Scheduler none")
    for row in rows:
        Measurement.objects.filter(pk=row.pk).update(iops=(row.iops or 0) / 2, bandwidth=None)
    assert WORSE in text_of(viewer_client, f"run={run.pk}")


def test_a_deleted_run_and_one_that_is_added_count(owner: User, viewer_client: Client) -> None:
    first, second = (create_measured_run(Setup(owner, seed=seed)) for seed in (1, 2))
    query = f"run={first.pk}&run={second.pk}"
    assert "24 results" in text_of(viewer_client, query)
    Run.objects.filter(pk=second.pk).delete()
    assert "12 results" in text_of(viewer_client, query)


def test_a_disk_that_is_called_otherwise_has_its_new_name(
    owner: User, viewer_client: Client
) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    other = create_measured_run(Setup(owner, gains=GAIN))
    query = f"run={run.pk}&run={other.pk}"
    assert "/dev/nvme0n1" in text_of(viewer_client, query)
    Disk.objects.update(node="/dev/nvme7n1")
    said = text_of(viewer_client, query)
    assert "/dev/nvme7n1" in said
    assert "/dev/nvme0n1" not in said


def test_what_is_kept_and_does_not_fit_is_worked_out_again(
    owner: User, viewer_client: Client, worked_out: list[Any], settings: Any
) -> None:
    run = create_measured_run(Setup(owner, points=[PARAMS]))
    first = text_of(viewer_client, f"run={run.pk}")
    client = kept._client(settings.REDIS_URL)
    for name in client.scan_iter("answer:*"):
        client.set(name, b'{"levels": "<script>"}')
    PAGES.clear()
    assert text_of(viewer_client, f"run={run.pk}") == first
    assert len(worked_out) == 2


def test_without_redis_the_answer_is_the_same(
    owner: User, viewer_client: Client, settings: Any
) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    first = text_of(viewer_client, f"run={run.pk}")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert text_of(viewer_client, f"run={run.pk}") == first
