"""A pasted text of any kind, commands, a script, a job file, notes, as steps of a plan. benchlab
runs no shell; what it cannot resolve is named, and refuses the step that it would change.
"""

from __future__ import annotations

from dataclasses import replace

from apps.tools.errors import ParamsError, PointError
from apps.tools.messages import as_message, message
from apps.tools.params import sweep
from apps.tools.registry import TOOLS

from .call import ParsedStep
from .job_import import Commands, ImportedStep
from .reading import PastedText
from .remains import note_remains
from .sweeps import MadeStep, merged

_OTHER_TOOL = message("It is a command of another tool than the one that was asked for.")


def read_commands(text: str, tool: str = "") -> Commands:
    """The steps of a text, loops as sweeps, and a note for each piece that became none. `tool`: the
    only one whose steps are taken; empty for all.
    """
    reading = PastedText(text)
    reading.read()
    made = [each for plugin in TOOLS.values() for each in _joined(reading, plugin.name)]
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
    """Every call of a tool in a text by itself, as `Tool.parse_command` understands it: no sweeps,
    nothing joined. A call that is not understood as a whole is left out.
    """
    reading = PastedText(text)
    reading.read()
    return [each.step for each in reading.made]


def _joined(reading: PastedText, tool: str) -> list[MadeStep]:
    """One tool's steps, those joined that are one test in a plan."""
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
    """Whether a plan takes the step; a note names each parameter that it refuses."""
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
