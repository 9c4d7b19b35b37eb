"""benchlab completion: scripts for bash and zsh, made from the parser."""

from __future__ import annotations

import argparse
import shlex
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

from benchlab_client.client import Client
from benchlab_client.exit_codes import OK
from benchlab_client.output import print_json

Subparsers = Any
"""argparse._SubParsersAction, whose name is private."""


class Option(NamedTuple):
    """An option: its names, help, choices, whether a value follows, and whether that is a file."""

    names: List[str]
    help: str
    choices: List[str]
    has_value: bool
    is_file: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the shell."""
    parser.add_argument("shell", choices=["bash", "zsh"])


def run(arguments: argparse.Namespace, _client: Optional[Client]) -> int:
    """Print the script, for example for `source <(benchlab completion bash)`."""
    from benchlab_client.cli import build_parser

    script = {"bash": bash, "zsh": zsh}[arguments.shell](build_parser())
    if arguments.json:
        print_json({"shell": arguments.shell, "script": script})
    else:
        print(script, end="")
    return OK


def bash(parser: argparse.ArgumentParser) -> str:
    """Return the script for bash."""
    commands = _commands(parser)
    lines = [
        "_benchlab() {",
        '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=""',
        "    COMPREPLY=()",
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f"        words={shlex.quote(' '.join([*commands, '--help', '--version']))}",
        "    else",
        '        case "${COMP_WORDS[1]} $before" in',
    ]
    for name, one in commands.items():
        for option in _options(one):
            if option.has_value:
                patterns = "|".join(shlex.quote(f"{name} {text}") for text in option.names)
                words = f"words={shlex.quote(' '.join(option.choices))}" if option.choices else ""
                lines.append(f"        {patterns}) {words or 'return'} ;;")
    lines += ["        *)", '            case "${COMP_WORDS[1]}" in']
    for name, one in commands.items():
        names = [text for option in _options(one) for text in option.names]
        every = shlex.quote(" ".join([*_positional_choices(one), *names]))
        lines.append(f"            {name}) words={every} ;;")
    lines += [
        "            esac ;;",
        "        esac",
        "    fi",
        '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "}",
        "complete -o bashdefault -o default -F _benchlab benchlab",
    ]
    return "\n".join(lines) + "\n"


def zsh(parser: argparse.ArgumentParser) -> str:
    """Return the script for zsh; it works from a folder of $fpath and with `source`."""
    lines = ["#compdef benchlab", "_benchlab() {", "    local -a commands", "    commands=("]
    commands = _commands(parser)
    helps = {action.dest: action.help or "" for action in _subparsers(parser)._choices_actions}
    lines += [f"        {_zsh_word(name, helps[name])}" for name in commands]
    lines += [
        "    )",
        "    if (( CURRENT == 2 )); then",
        "        _describe command commands",
        "        return",
        "    fi",
        '    local name="${words[2]}"',
        "    shift words",
        "    (( CURRENT-- ))",
        '    case "$name" in',
    ]
    for name, one in commands.items():
        specs = " ".join([*_zsh_options(one), *_zsh_positionals(one)])
        lines.append(f"    {name}) _arguments -s {specs} ;;")
    lines += [
        "    esac",
        "}",
        'if [ "$funcstack[1]" = _benchlab ]; then',
        '    _benchlab "$@"',
        "else",
        "    compdef _benchlab benchlab",
        "fi",
    ]
    return "\n".join(lines) + "\n"


def _zsh_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for option in _options(parser):
        values = f"({' '.join(option.choices)})" if option.choices else " "
        value = f":value:{'_files' if option.is_file else values}" if option.has_value else ""
        text = _zsh_text(option.help)
        for name in option.names:
            yield shlex.quote(f"*{name}[{text}]{value}")


def _zsh_positionals(parser: argparse.ArgumentParser) -> Iterator[str]:
    choices = _positional_choices(parser)
    values = f"({' '.join(choices)})" if choices else "_files" if _takes_files(parser) else " "
    yield shlex.quote(f"*:argument:{values}")


def _zsh_word(name: str, text: str) -> str:
    return shlex.quote(f"{name}:{_zsh_text(text)}")


def _zsh_text(text: str) -> str:
    """Escape what _arguments and _describe read as their own signs."""
    for sign in ("\\", "[", "]", ":"):
        text = text.replace(sign, f"\\{sign}")
    return text


def _subparsers(parser: argparse.ArgumentParser) -> Subparsers:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return action
    raise AssertionError("The parser has commands.")


def _commands(parser: argparse.ArgumentParser) -> Dict[str, argparse.ArgumentParser]:
    return dict(_subparsers(parser).choices)


def _options(parser: argparse.ArgumentParser) -> List[Option]:
    return [
        Option(
            list(action.option_strings),
            (action.help or "").replace("%%", "%"),
            [str(one) for one in action.choices or ()],
            action.nargs != 0,
            action.metavar == "FILE",
        )
        for action in parser._actions
        if action.option_strings
    ]


def _positional_choices(parser: argparse.ArgumentParser) -> List[str]:
    return [
        str(one)
        for action in parser._actions
        if not action.option_strings
        for one in action.choices or ()
    ]


def _takes_files(parser: argparse.ArgumentParser) -> bool:
    return any(one.metavar == "FILE" and not one.option_strings for one in parser._actions)
