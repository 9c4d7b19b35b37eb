"""Run a case on one host without a server: the real agent on this machine runs the plugin's
commands, and the plugin's parser reads the output.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.remote.agent_tests.client import Client
from apps.tools.fields import Params
from apps.tools.parse_result import Output, Parsed
from apps.tools.procedure import Command
from apps.tools.targets import ToolTarget
from apps.tools.tool import Tool

JSON = dict[str, Any]


@dataclass(frozen=True)
class Ended:
    """What an attempt left: the agent's exit.json, every file, the stdout of each role."""

    exit: JSON
    files: Mapping[str, bytes]
    roles: Mapping[str, bytes]
    parsed: Parsed | None

    @property
    def complaint(self) -> str:
        """What went to stderr."""
        return self.files["stderr"].decode()


@dataclass(frozen=True)
class AgentCase:
    """One case; `attempt` is a fresh id."""

    client: Client
    plugin: Tool
    params: Params
    target: ToolTarget
    attempt: str

    @property
    def word(self) -> str:
        """What `{attempt}` stands for."""
        return self.attempt.replace("-", "")[:12]

    @property
    def commands(self) -> list[Command]:
        """Return the commands in the order of their stages."""
        asked = self.plugin.build_procedure(self.params, self.target).commands
        return sorted(asked, key=lambda command: command.stage)

    def start(self) -> None:
        """Launch all commands as one job."""
        spec = {"attempt": self.attempt, "commands": [self._sent(c) for c in self.commands]}
        assert self.client.good("launch", spec=spec)["launched"]

    def run(self) -> Ended:
        """Launch it and wait for its end."""
        self.start()
        return self.end()

    def end(self) -> Ended:
        """Wait for its end; parsed only if nothing failed that may not."""
        status = self.client.good("wait", attempt=self.attempt)
        assert status["state"] == "done", status
        names = [entry["name"] for entry in status["files"]]
        files = {name: self.client.read(self.attempt, name) for name in names}
        roles, failed = self._roles(status["exit"], files["stdout"])
        output = Output(files, 0, self.params.canonical(), roles)
        parsed = None if failed else self.plugin.parse(output)
        return Ended(status["exit"], files, roles, parsed)

    def _sent(self, command: Command) -> JSON:
        argv = [w.replace("{attempt}", self.word).replace("{client}", "0") for w in command.argv]
        return {
            "role": command.role,
            "argv": argv,
            "files": list(command.files),
            "always": command.always,
            "may_fail": command.may_fail,
            "seconds": command.seconds,
        }

    def _roles(self, ended: JSON, stdout: bytes) -> tuple[dict[str, bytes], bool]:
        roles, failed = {}, False
        for place, number in enumerate(ended["ran"]):
            command = self.commands[number]
            begin, end = ended["parts"][place]["stdout"]
            roles[command.role] = stdout[begin:end]
            failed |= ended["codes"][place] != 0 and not command.may_fail
        return roles, failed


def agent_case(client: Client, plugin: Tool, target: ToolTarget, **raw: Any) -> AgentCase:
    """A case of a plugin that is run, with parameters as people write them."""
    assert plugin.params is not None
    return AgentCase(client, plugin, plugin.params.from_raw(raw), target, str(uuid.uuid4()))
