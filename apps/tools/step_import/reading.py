"""Parser of a pasted text: first the lines, then the calls in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from apps.tools.messages import error_message, message
from apps.tools.pasted_commands.call import Call, CommandError, CommandNote, NoteKind, ParsedCommand
from apps.tools.pasted_commands.job_import import ImportedStep, ImportNote, OutputLines
from apps.tools.registry import TOOLS, cpus_param
from apps.tools.step_import.command_lines import Recognition, is_program, programs
from apps.tools.tool import Tool

from . import unneeded
from .shell.expansion import is_unknown, reasons
from .shell.logical_lines import LogicalLine, lines_of
from .shell.running import Runner, TooManyCalls
from .shell.script import nodes_of
from .shell.words import ShellError, tokens_of
from .sweeps import MadeStep
from .wrappers import Unwrapped, unwrapped

MAX_NAME_LENGTH = 80
_OUTPUT = message("benchlab stores what a tool prints itself.")
_AT_ONCE = message(
    "It runs at the same time as another test of this text, which steps of a plan never do: they "
    "follow one another."
)
_COMMENTED = message("This call is commented out and was not taken: take the # away to have it.")

_NOT_READ = message("The rest of the text was not read.")
_CEPH_CONF = message("These lines are a ceph.conf: a tuning takes its options.")
# Commands in loops and functions that neither measure nor change settings.
_WITHOUT_EFFECT = frozenset(
    {"[", "[[", "test", "exit", "return", "break", "continue", "true", "false", ":", "echo"}
)


@dataclass
class PastedText:
    """State of the parse of one text."""

    text: str
    notes: list[ImportNote] = field(default_factory=list)
    made: list[MadeStep] = field(default_factory=list)
    tuning: list[str] = field(default_factory=list)
    outputs: list[OutputLines] = field(default_factory=list)
    runner: Runner = field(default_factory=Runner)
    lines: list[LogicalLine] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    @cached_property
    def recognition(self) -> Recognition:
        """Return the recogniser of commands in this text."""
        return Recognition(self.text)

    def read(self) -> None:
        """Parse every line, then every call."""
        recognition = self.recognition
        self.runner.is_call = recognition.is_call
        self.lines = lines_of(self.text, recognition.is_command, recognition.is_call)
        for index, line in enumerate(self.lines):
            if line.kind == "file":
                self._file(line, self.lines[:index], recognition.is_call)
            elif line.kind == "command" and not self._command(line, recognition):
                self.note(line.first + 1, "refused", _NOT_READ)
                break
            elif line.kind == "conf":
                self.note(
                    line.first,
                    "left",
                    _CEPH_CONF,
                    str(line.first) if line.last == line.first else f"{line.first}-{line.last}",
                )
            elif line.kind == "commented":
                self.note(line.first, "left", _COMMENTED, line.text[:80])
        for comment in self.runner.comments:
            if recognition.is_call(comment.text):
                self.note(comment.line, "left", _COMMENTED, comment.text[:80])
        self._calls([call for call in self.runner.calls if call is not None])
        self._files()

    def note(self, line: int, kind: NoteKind, text: str, option: str = "") -> None:
        """Add a note that begins with its option."""
        written = CommandNote(kind, self.runner.scope.written(option), text).sentence()
        self.notes.append(ImportNote(line, written, kind))

    def _command(self, line: LogicalLine, recognition: Recognition) -> bool:
        """Run the calls of a line; return False if the text has too many calls."""
        benchmark = recognition.is_call(line.text)
        if benchmark:
            self._how_read(line)
        try:
            nodes = nodes_of(tokens_of(line.text))
            if line.body:
                self._heredoc(line)
            self.runner.run(nodes, line.first)
        except (ShellError, TooManyCalls) as error:
            kind: NoteKind = "refused" if benchmark else "left"
            self.note(line.first, kind, error_message(error), line.text[:80])
            return isinstance(error, ShellError)
        return True

    def _how_read(self, line: LogicalLine) -> None:
        if line.prompt == "hash" and line.before:
            reason = message(
                "The # before a command is read as a prompt; if it makes a comment of the line, "
                "remove the step."
            )
            self.note(line.first, "understood", reason)
        elif line.before:
            reason = message("It is read as a prompt.")
            self.note(line.first, "understood", reason, line.before)
        if line.changed:
            reason = message("Typographic dashes, quotes and spaces are read as plain ones.")
            self.note(line.first, "understood", reason)
        if line.wrapped:
            reason = message("The lines below that begin with an option are read as part of it.")
            self.note(line.first, "understood", reason)

    def _heredoc(self, line: LogicalLine) -> None:
        """Store a here-document as a file of the text, or as the input of a program."""
        words = [word for word in line.text.split("<<")[0].split() if word not in (">", "cat")]
        after_redirection = (
            line.text.partition(">")[2].split() or line.text.partition("tee")[2].split()
        )
        into = ">" in line.text.replace("<<", "") or "tee" in words
        name = after_redirection[0].lstrip(">") if into and after_redirection else "-"
        self.runner.files[name.rsplit("/", 1)[-1]] = line.body

    def _file(
        self, line: LogicalLine, before: Iterable[LogicalLine], is_call: Callable[[str], bool]
    ) -> None:
        """Store a job file of the text; the line that shows or edits it has its name."""
        last_line = [each for each in before if each.kind != "blank"][-1:]
        words = last_line[0].text.split() if last_line and last_line[0].kind == "command" else []
        named = len(words) > 1 and words[0] in ("cat", "vi", "vim", "nano", "more", "less")
        name = words[-1].rsplit("/", 1)[-1] if named else f"#{line.first}"
        self.runner.files[name] = line.body
        for row, text in enumerate(line.body.split("\n")):
            inside = text.strip().lstrip("#").strip()
            if text.strip().startswith("#") and is_call(inside):
                self.note(line.first + row, "left", _COMMENTED, inside[:80])

    def _files(self) -> None:
        """Take the steps of job files that no call uses."""
        for line in self.lines:
            if line.kind != "file" or line.body in self.used:
                continue
            for plugin in TOOLS.values():
                if plugin.importable_text:
                    self._job_file(plugin, line)

    def _job_file(self, plugin: Tool, line: LogicalLine) -> None:
        call = Call((plugin.name,), line.first, site=(line.first,))
        try:
            self._take(plugin.name, call, plugin.parse_file(line.body), in_text=True)
        except CommandError as error:
            self.note(line.first, "refused", error_message(error), error.where)

    def _calls(self, calls: list[Call]) -> None:
        """Take every call in order; refuse calls that run at the same time.

        A background test lasts until `wait`, or, if each line was typed at a prompt, until the next
        test has ended.
        """
        typed = {
            row for line in self.lines if line.prompt for row in range(line.first, line.last + 1)
        }
        running: list[MadeStep] = []
        for call in calls:
            if call.program == "wait":
                running = []
            before = len(self.made)
            self._call(call)
            new = self.made[before:]
            if new and running:
                for each in (*running, *new):
                    self._refuse(each, _AT_ONCE)
                overlapping, new = new, []
                running = running if call.background or call.line not in typed else []
                running += overlapping if call.background else []
            if call.background:
                running += new

    def _refuse(self, made: MadeStep, reason: str) -> None:
        if made in self.made:
            self.made.remove(made)
        self.note(made.step.line, "refused", reason, made.step.name)

    def _call(self, call: Call) -> None:
        try:
            program = unwrapped(call, is_program)
        except CommandError as error:
            self.note(call.line, "refused", error_message(error), error.where)
            return
        call = program.call
        tool = programs().get(call.program)
        if tool is None:
            self._other(call)
            return
        try:
            self._benchmark(tool, program)
        except CommandError as error:
            where = error.where or " ".join(call.argv)[:80]
            unknown = reasons(self.runner.scope, [error.where])
            self.note(call.line, "refused", unknown or error_message(error), where)

    def _benchmark(self, tool: str, program: Unwrapped) -> None:
        call = program.call
        parsed = TOOLS[tool].parse_command(call)
        self.used.update(parsed.files)
        if not parsed.steps:
            self._noted(call, parsed.notes)
            return
        if call.condition or call.otherwise:
            reason = call.condition or message("It is executed only where another command fails.")
            raise CommandError(reason)
        for note in program.notes:
            self.note(call.line, note.kind, note.text, note.option)
        printed = [*call.redirected, *(f"| {' '.join(words)}" for words in call.pipe)]
        if call.background:
            printed.append("&")
        if printed and not call.stdout.startswith("/dev/"):
            self.note(call.line, "left", _OUTPUT, " ".join(printed))
        self._take(tool, call, parsed, program.cpus)

    def _take(
        self, tool: str, call: Call, parsed: ParsedCommand, cpus: str = "", *, in_text: bool = False
    ) -> None:
        """Add the steps of a call.

        `in_text`: the call is a job file, whose lines are lines of the text.
        """
        self._noted(call, parsed.notes, in_text=in_text)
        for number, step in enumerate(parsed.steps):
            unknown = reasons(self.runner.scope, [str(value) for value in step.params.values()])
            if unknown:
                self.note(call.line, "refused", unknown, step.name)
                continue
            params = dict(step.params)
            name = cpus_param(tool)
            if cpus and name and name not in params:
                params[name] = cpus
            pasted = ImportedStep(
                name=self.runner.scope.written(step.name)[:MAX_NAME_LENGTH],
                params=params,
                tool=tool,
                line=call.line + (step.row if in_text else 0),
                target=self.runner.scope.written(step.target),
            )
            site = (*call.site, number)
            self.made.append(MadeStep(pasted, site, call.loops, len(self.made), step.facts))

    def _noted(self, call: Call, notes: Iterable[CommandNote], *, in_text: bool = False) -> None:
        """Add the notes of a command; unknown values share one note."""
        unknown: list[str] = []
        for note in notes:
            if note.kind == "refused" and is_unknown(note.option):
                unknown.append(note.option)
            else:
                row = note.row if in_text else 0
                self.note(call.line + row, note.kind, note.text, note.option)
        reason = reasons(self.runner.scope, unknown)
        if reason:
            self.note(call.line, "refused", reason, ", ".join(unknown))

    def _other(self, call: Call) -> None:
        """Note a command that is no benchmark."""
        if call.piped and call.program == "tee":
            return  # noted with the command that writes into it
        settings = unneeded.tuning_lines(call)
        text = self.runner.scope.written(" ".join((*call.argv, *call.redirected)))[:80]
        if settings and not any(map(is_unknown, settings)):
            self.tuning += settings
            text = "; ".join(settings)
            self.note(call.line, "left", message("This line is a setting of a tuning."), text)
            return
        reason = unneeded.reason(call)
        if unneeded.is_benchmark(call):
            reason = message("benchlab does not run this benchmark.")
            self.note(call.line, "refused", reason, text)
            return
        words = [part for word in call.argv for part in word.split()]
        starts = not reason or call.program in unneeded.STARTS
        if starts and any(is_program(word) for word in words):
            reason = message("benchlab does not support this program around a benchmark.")
            self.note(call.line, "refused", reason, text)
            return
        if call.program in _WITHOUT_EFFECT and (call.loops or len(call.site) > 1):
            return
        reason = reason or message("This is no command of a supported tool.")
        if call.program.endswith(".sh"):
            reason = message("What is in this script is not here: paste it as well.")
        self.note(call.line, "left", reason, text)
