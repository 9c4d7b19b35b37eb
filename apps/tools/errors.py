"""Errors of tools, of parsers and of parameters."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.messages import join_messages, message


class ToolError(Exception):
    """The tool failed; the text is its own error message."""


class OutputError(Exception):
    """The output is empty, or benchlab cannot parse it."""


class ParamsError(ValueError):
    """Invalid parameters of a plan. `errors` maps a parameter's name to a sentence."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        texts = [
            message("%(name)s: %(why)s", name=name, why=reason) for name, reason in errors.items()
        ]
        super().__init__(join_messages(*texts))
        self.errors = dict(errors)


class PointError(ParamsError):
    """Values that are valid alone and contradict each other, such as a record above its file size.

    A parameter sweep leaves such a point out, as long as other points remain.
    """
