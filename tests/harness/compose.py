"""Services of a compose file as this machine starts them: variables filled in, image's commands."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.harness.documents import Document

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = re.compile(r"\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}")


@dataclass(frozen=True)
class ComposeFile:
    """One file with the values of its variables, as Compose reads both."""

    name: str
    values: Mapping[str, str]

    @property
    def services(self) -> Document:
        document: Document = yaml.safe_load((ROOT / self.name).read_text())
        services: Document = document["services"]
        return services

    def environment(self, service: str) -> dict[str, str]:
        """What a process of the service finds in its environment."""
        values = self.services[service]["environment"].items()
        return {name: self.filled(str(value)) for name, value in values}

    def command(self, service: str) -> list[str]:
        """The command, the image's where the service has none."""
        words = self.services[service].get("command") or image_command()
        return [self.filled(word) for word in words]

    def health(self, service: str) -> list[str]:
        """The command of the health check."""
        kind, *words = self.services[service]["healthcheck"]["test"]
        filled = [self.filled(word) for word in words]
        return ["sh", "-c", *filled] if kind == "CMD-SHELL" else filled

    def filled(self, text: str) -> str:
        """The text with the values of its variables. Raises: KeyError without a required one."""
        return VARIABLE.sub(self._value, text)

    def _value(self, match: re.Match[str]) -> str:
        name, kind, default = match.groups()
        if name is None:
            return "$"
        if kind == "?" and not self.values.get(name):
            raise KeyError(f"{name}: {default}")
        return self.values.get(name) or (default if kind == "-" else "") or ""


def image_command() -> list[str]:
    """The CMD of the Dockerfile."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", "")
    words: list[str] = json.loads(text[text.rindex("\nCMD ") + 5 :])
    return words
