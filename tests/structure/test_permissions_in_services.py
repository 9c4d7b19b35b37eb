"""Services check permissions on the locked row; pages that only write leave the check to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps

from apps.accounts.models import OwnedModel

PROJECT = Path(__file__).resolve().parents[2]
CHECKS = {"lock_editable", "owned_delete", "_locked"}
NO_CHANGE = {
    *("plan_create", "plan_clone", "run_launch", "report_copy", "wizard_plan_create"),
    *("tuning_create", "tuning_clone", "tuning_fit_to_cluster"),
}
"""Services that read the row and create another one, which belongs to the user."""
OTHER_RULE = {"run_abandon", "abandoned_release", "run_delete", "approval_decide"}
"""Services for admins, for the owner alone without the team, or for anybody but the owner."""
OTHER_PAGES = {
    *("token_revoke_page", "plan_schedule", "plan_advice"),
    *("run_add_repeats", "share_new", "plan_save_and_launch"),
}
"""A token belongs to its user alone; its service also ends all tokens of a disabled user.

The others read a form first: a stranger gets 403, not the errors of the form.
"""
OTHER_CHECKS = {"require_editable", "is_editable"}


def test_services_that_change_an_owned_row_lock_and_check_it() -> None:
    assert sorted(_unchecked_services()) == []


def test_pages_that_only_write_leave_the_check_to_the_service() -> None:
    assert sorted(_checked_pages()) == []


def _unchecked_services() -> Iterator[str]:
    owned = {model.__name__ for model in apps.get_models() if issubclass(model, OwnedModel)}
    for path, function in _functions("services"):
        if function.name.startswith("_") or function.name in NO_CHANGE | OTHER_RULE:
            continue
        types = {
            argument.arg: set(ast.unparse(argument.annotation).split(" | "))
            for argument in function.args.kwonlyargs
            if argument.annotation
        }
        changes = "user" in types and any(names & owned for names in types.values())
        if changes and not CHECKS & _called(function):
            yield f"{path}: {function.name}"


def _checked_pages() -> Iterator[str]:
    for package in ("views", "api"):
        for path, function in _functions(package):
            if function.name in OTHER_PAGES:
                continue
            decorators = {ast.unparse(each) for each in function.decorator_list}
            if "require_POST" in decorators and OTHER_CHECKS & _called(function):
                yield f"{path}: {function.name}"


def _functions(package: str) -> Iterator[tuple[Path, ast.FunctionDef]]:
    for path in (PROJECT / "apps").glob("*/**/*.py"):
        names = path.relative_to(PROJECT / "apps").parts
        if "tests" in names or not {package, f"{package}.py"} & set(names):
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                yield path.relative_to(PROJECT), node


def _called(function: ast.FunctionDef) -> set[str]:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {ast.unparse(call).rpartition(".")[2] for call in calls}
