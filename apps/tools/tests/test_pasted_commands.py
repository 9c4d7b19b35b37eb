"""Pasted commands become exactly their tests, or none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from apps.tools.registry import TOOLS
from apps.tools.step_import.commands import read_calls, read_commands
from apps.tools.values import RawValue

from .pasted_calls import FIO, OTHERS, USUAL, Case
from .pasted_scripts import SCRIPTS

CASES = (*FIO, *OTHERS, *SCRIPTS)
COMMANDS = (Path(__file__).parent / "samples/pasted/commands.txt").read_text().splitlines()
PROMPTS = ("#", "# ", "$", "[user@host dir]# ", "root@host:~# ", "")
OTHER_PROMPTS = (
    *("node1:~ # ", "user@host ~ % ", "(venv) [root@h ~]# ", "bash-5.1$ ", "host:~ user$ "),
    *("➜  ~ ", "➜ dir git:(main) ✗ ", "└─# ", "> ", "+ "),
    *("C:\\>", "PS C:\\fio> ", "10:01:02 $ "),
    *(
        "[2024-01-01 10:00:00] root@h:~# ",
        "1. ",
        "2) ",
        "- ",
        "* ",
        "（3）",
        "1）随机读：",
        "Read: ",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_text_gives_exactly_its_steps(case: Case) -> None:
    found = read_commands(case.text)

    assert [(step.tool, step.line) for step in found.steps] == [
        (step.tool, step.line) for step in case.steps
    ]
    for step, expected in zip(found.steps, case.steps, strict=True):
        assert dict(step.params) == {**USUAL[step.tool], **expected.given}
        _check_possible(step.tool, step.params)
    refused = {note.line for note in found.notes if note.kind == "refused"}
    assert refused == set(case.refused)


def _check_possible(tool: str, params: Mapping[str, RawValue]) -> None:
    one = {name: value[0] if isinstance(value, list) else value for name, value in params.items()}
    plugin = TOOLS[tool].params
    assert plugin is not None
    plugin.from_raw(one)


@pytest.mark.parametrize("command", COMMANDS, ids=range(len(COMMANDS)))
def test_prompt_of_any_shell_changes_no_step(command: str) -> None:
    texts = [prompt + command for prompt in PROMPTS]

    found = [[(s.tool, s.name, dict(s.params)) for s in read_commands(t).steps] for t in texts]
    refused = [[n.text for n in read_commands(t).notes if n.kind == "refused"] for t in texts]

    assert all(each == found[0] for each in found)
    assert all(each == refused[0] for each in refused)
    assert found[0] or read_commands(command).notes


@pytest.mark.parametrize("prompt", OTHER_PROMPTS)
def test_prompt_or_mark_of_a_list_changes_no_step(prompt: str) -> None:
    command = "fio -direct=1 -rw=randread -bs=4k -name=x"

    found = read_commands(prompt + command).steps

    assert [dict(step.params) for step in found] == [
        dict(step.params) for step in read_commands(command).steps
    ]


def test_commands_that_set_the_host_are_lines_of_a_tuning() -> None:
    found = read_commands(
        "echo none | sudo tee /sys/block/sda/queue/scheduler\n"
        "for d in sda sdb; do echo 2 > /sys/block/$d/queue/rq_affinity; done\n"
        "sysctl -w net.core.rmem_max=1 net.core.wmem_max=2\n"
        "sudo cpupower frequency-set -g performance\nblockdev --setra 256 /dev/sda\n"
        "echo 3 > /proc/sys/vm/drop_caches\n"
    )

    assert found.tuning == (
        "echo none > /sys/block/sda/queue/scheduler",
        "echo 2 > /sys/block/sda/queue/rq_affinity",
        "echo 2 > /sys/block/sdb/queue/rq_affinity",
        "sysctl -w net.core.rmem_max=1",
        "sysctl -w net.core.wmem_max=2",
        "echo performance > /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
        "echo 128 > /sys/block/sda/queue/read_ahead_kb",
    )


def test_every_call_of_a_text_is_read_by_itself() -> None:
    calls = read_calls("rados bench -p a 10 write --no-cleanup\nrados bench -p a 10 seq\n")

    assert [(call.line, call.target, call.params["operations"]) for call in calls] == [
        (1, "a", "write"),
        (2, "a", "seq"),
    ]
