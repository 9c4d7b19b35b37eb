"""A tool added to the registry is in forms, plans, API and the reading of outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, cast

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.plans.models import Workload
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.services.plans import plan_create
from apps.plans.tests.factories import create_directory
from apps.plans.tests.test_plan_form import NEW
from apps.runs.services.runs import run_launch
from apps.tools import registry
from apps.tools.fields import Field, Part
from apps.tools.parse_result import Output, Parsed
from apps.tools.plugin import ToolPlugin
from apps.tools.plugin_params import PluginParams
from apps.tools.procedure import Command, Procedure
from apps.tools.registry import TOOLS
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.values import Parameters


@dataclass(frozen=True)
class SyncParams(PluginParams):
    table: ClassVar[Mapping[str, Field]] = {
        "files": Field("int", "Synced files", "How many files are synced.", minimum=1, maximum=9),
    }

    files: int = 1

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        return (Part("files", known.get("files"), f"sync {known.get('files')} files"),)


class SyncTool(ToolPlugin):
    name = "synctool"
    label = "Sync tool"
    parser_version = 1
    params = SyncParams
    programs: Mapping[str, str] = {"synctool": "synctools"}
    targets: tuple[TargetKind, ...] = ("directory",)
    operations = ("sync",)

    def detect(self, data: bytes) -> bool:
        return data.startswith(b"synctool ")

    def build_procedure(self, params: SyncParams, target: ToolTarget) -> Procedure:
        command = Command("main", ("synctool", str(params.files), "{target}"))
        return Procedure((command,), seconds=1.0, writes=True)

    def parse(self, output: Output) -> Parsed:
        return Parsed(self.name, "text", None, ())


@pytest.fixture(autouse=True)
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast(dict[str, object], TOOLS), "synctool", SyncTool())


def test_registry_with_an_added_tool_knows_its_programs_and_outputs() -> None:
    assert "synctool" in registry.programs()
    assert registry.packages()["synctool"] == "synctools"
    assert "files" in registry.param_names()
    assert registry.recognise(b"synctool 1.0\n") is TOOLS["synctool"]
    assert registry.parse_output("synctool", Output({"stdout": b"synctool 1.0"})).format == "text"


@pytest.mark.django_db
def test_plan_form_with_an_added_tool_offers_its_step_and_parameters(owner_client: Client) -> None:
    assert "Add a step of Sync tool" in owner_client.get(NEW).content.decode()

    steps = owner_client.post(reverse("plan_steps"), {"name": "x", "act": "add:synctool"})

    assert "Synced files" in steps.content.decode()
    assert "How many files are synced." in steps.content.decode()


def test_run_of_an_added_tool_has_its_cases_and_workloads(
    owner: User, owner_client: Client
) -> None:
    spec = PlanSpec(steps=(StepSpec("synctool", {"files": [1, 2]}),), repeats=1)
    draft = PlanDraft("synced", spec=spec, targets=[create_directory(owner=owner)])
    plan = plan_create(user=owner, draft=draft)

    run = run_launch(plan=plan, user=owner)

    assert set(Workload.objects.values_list("label", flat=True)) == {"sync 1 files", "sync 2 files"}
    assert run.case_count == 2
    found = owner_client.get(reverse("plan_list"), {"tool": "synctool"}).content.decode()
    assert "synced" in found
    assert "Sync tool" in found
