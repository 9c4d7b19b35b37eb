"""Errors of the library. Each has the exit code of the command line."""

from __future__ import annotations

from typing import Dict, List

from benchlab_client import exit_codes


class BenchlabError(Exception):
    """Base class; the text is a sentence for people."""

    exit_code = exit_codes.SERVER


class UsageError(BenchlabError):
    """An argument, a setting or a file of the caller is wrong."""

    exit_code = exit_codes.USAGE


class NetworkError(BenchlabError):
    """No usable answer came: connection, TLS, time, redirect, or no JSON."""


class LoginError(BenchlabError):
    """No token is known for the server."""

    exit_code = exit_codes.LOGIN


class TimeOverError(BenchlabError):
    """The caller's time limit is over."""

    exit_code = exit_codes.TIME_OVER


class ServerError(BenchlabError):
    """The server refused the request, with its own sentence.

    - `status`: HTTP status
    - `kind`: as listed in docs/reference/api.md, for example "not_found"
    - `fields`: sentences by the name of the field or filter
    """

    def __init__(self, status: int, kind: str, message: str, fields: Dict[str, List[str]]) -> None:
        self.status, self.kind, self.message, self.fields = status, kind, message, fields
        super().__init__(message)

    @property
    def exit_code(self) -> int:  # type: ignore[override] # the base class has a constant
        """Return 2 for invalid values, 4 for a refused login, else 1."""
        if self.status in (401, 403):
            return exit_codes.LOGIN
        return exit_codes.USAGE if self.status == 400 else exit_codes.SERVER

    def __str__(self) -> str:
        lines = [self.message]
        for name, sentences in self.fields.items():
            lines += [f"  {name}: {sentence}" for sentence in sentences]
        return "\n".join(lines)
