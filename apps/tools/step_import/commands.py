"""Import of plan steps from pasted text: commands, a script, a job file, notes.

benchlab runs no shell. A value that it cannot resolve is named in a note, and the step that needs
it is refused.
"""

from __future__ import annotations

from dataclasses import replace

from apps.tools.errors import ParamsError, PointError
from apps.tools.messages import as_message, message
from apps.tools.pasted_commands.call import ParsedStep
from apps.tools.pasted_commands.job_import import Commands, ImportedStep
from apps.tools.registry import TOOLS
from apps.tools.sweep import sweep

from .reading import PastedText
from .remains import note_remains
from .sweeps import MadeStep, merged

_OTHER_TOOL = message("It is a command of another tool than the selected one.")


def read_commands(text: str, tool: str = "") -> Commands:
    """Return the steps of a text, loops as sweeps, and a note for each part without a step.

    `tool`: the only tool whose steps are returned; empty for all.
    """
    reading = PastedText(text)
    reading.read()
    made = [each for plugin in TOOLS.values() for each in _joined_steps(reading, plugin.name)]
    for each in made if tool else ():
        if each.step.tool != tool:
            reading.note(each.step.line, "left", _OTHER_TOOL, each.step.name)
    made = [each for each in made if tool in ("", each.step.tool)]
    made = [each for each in made if _is_possible(reading, each)]
    made.sort(key=lambda each: each.order)
    steps, notes = merged(made)
    reading.notes += notes
    note_remains(reading)
    noted = sorted(dict.fromkeys(reading.notes), key=lambda note: note.line)
    return Commands(tuple(steps), tuple(noted), tuple(reading.tuning), tuple(reading.outputs))


def read_calls(text: str) -> list[ImportedStep]:
    """Return every call of a tool in a text by itself, without sweeps and joined commands.

    Calls that `Tool.parse_command` does not fully understand are omitted.
    """
    reading = PastedText(text)
    reading.read()
    return [each.step for each in reading.made]


def _joined_steps(reading: PastedText, tool: str) -> list[MadeStep]:
    """Return one tool's steps, with the commands of one planned test joined."""
    made = [each for each in reading.made if each.step.tool == tool]
    if not made:
        return []
    parsed = [
        ParsedStep(each.step.name, each.step.params, each.step.target, each.facts) for each in made
    ]
    joined: list[MadeStep] = []
    for group, result in TOOLS[tool].join_commands(parsed):
        members = [made[number] for number in group]
        for note in result.notes:
            reading.note(members[-1].step.line, note.kind, note.text, note.option)
        for step in result.steps:
            pasted = replace(members[0].step, name=step.name, params=dict(step.params))
            site = tuple(number for each in members for number in each.site)
            joined.append(MadeStep(pasted, site, members[0].loops, members[0].order))
    return joined


def _is_possible(reading: PastedText, made: MadeStep) -> bool:
    """Return True if a plan takes the step; otherwise note each invalid parameter."""
    plugin = TOOLS[made.step.tool].params
    if plugin is None:
        return False
    errors: dict[str, str] = {}
    possible = 0
    try:
        for point in sweep(made.step.params, plugin.fields()):
            try:
                plugin.from_raw(point)
                possible += 1
            except PointError as error:
                errors = errors or dict(error.errors)
    except ParamsError as error:
        errors, possible = dict(error.errors), 0
    if not possible:
        for name, text in errors.items():
            reading.note(made.step.line, "refused", as_message(text), name)
    return possible > 0
