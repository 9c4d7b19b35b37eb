"""benchlab login: store an address and a token."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from typing import Optional

from benchlab_client.client import Client
from benchlab_client.config import Login, read_login, write_login
from benchlab_client.errors import UsageError
from benchlab_client.exit_codes import OK
from benchlab_client.output import note, print_json
from benchlab_client.transport import base_url


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the address is a common option, the token is no argument.

    Arguments are visible to all users of a machine.
    """
    parser.epilog = "The token is read from the terminal, else from stdin."


def run(arguments: argparse.Namespace, _client: Optional[Client]) -> int:
    """Try the token with the server, then store it."""
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    url = base_url(arguments.url or os.environ.get("BENCHLAB_URL") or _ask_url(interactive))
    login = Login(url, _token(url, interactive))
    with Client(login.url, login.token) as client:
        version = client.version()
    path = write_login(login)
    if arguments.json:
        print_json({"url": login.url, "file": str(path), "version": version["version"]})
    else:
        note(f"{login.url} (benchlab {version['version']}) accepts the token. Stored in {path}.")
    return OK


def _ask_url(interactive: bool) -> str:
    stored = read_login().url
    if not interactive:
        raise UsageError("Name the server: --url, or BENCHLAB_URL.")
    return input(f"Address of benchlab [{stored}]: ").strip() or stored


def _token(url: str, interactive: bool) -> str:
    if interactive:
        note(f"Create a token: {url}/tokens/")
        token = getpass.getpass("Token (not shown): ").strip()
    elif sys.stdin.isatty():
        raise UsageError("stdout is no terminal: send the token to stdin.")
    else:
        token = sys.stdin.readline().strip()
    if not token:
        raise UsageError("No token was given.")
    return token
