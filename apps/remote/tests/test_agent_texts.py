"""Every text of the agent has a translatable message, and an unknown one stays as it is."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import apps.remote.agent
from apps.remote.agent.ceph.ceph_cli import CephError
from apps.remote.agent.disks.claim import find_disk
from apps.remote.agent.errors import FolderError, RefusalError
from apps.remote.agent_texts import CLAUSES, SENTENCES, agent_text
from apps.remote.errors import AgentCommandError
from apps.tools.messages import TranslatableMessage

AGENT = Path(apps.remote.agent.__file__).parent
# What only a defect of benchlab itself provokes, and keys of other programs' output.
NOT_FOR_PAGES = (
    "__main__.py",
    "frames.py",
    "session.py",
    "validators.py",
    "verbs.py",
    "jobs/kernel_log.py",
    "jobs/spec.py",
    "disturbance/request.py",
    "disks/megaraid.py",
    "disks/ocp.py",
    "facts/fabrics.py",
    "disks/smart.py",
    "host/power.py",
)
TEXT = re.compile(r"[A-Za-z]{2,}.* [a-z(]")
COMMAND = re.compile(r"(osd|mon|mds|fs|config|config-key|pg) [a-z -]+")
NO_MESSAGES = {
    # written to ceph.conf, to journals, or compared
    " (no end of line before)",
    "reset by reboot",
    "handed over",
    "what only may change along is not written",
    "(not set)",
    "(not offered)",
    # names of formats, files and file systems
    "GPT (backup)",
    "irq {} ({})",
    "squashfs iso9660",
    "proc sysfs devtmpfs devpts cgroup cgroup2 debugfs tracefs securityfs pstore bpf mqueue",
    "configfs fusectl binfmt_misc efivarfs hugetlbfs selinuxfs rpc_pipefs nsfs autofs",
    "lock spec.json boot_id phase argv.json tuning-journal.json refused.json exit.json",
    "cancel command contact supervisor reserve start.json",
    "autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fusectl "
    "hugetlbfs mqueue nsfs proc pstore ramfs rpc_pipefs securityfs selinuxfs squashfs sysfs "
    "tracefs",
    "addr clientaddr mountaddr mountport port secret name uid gid user username",
    # calls of benchlab itself
    "@ceph-pool: make or delete, a pool's name, an attempt.",
    "@ceph-pool does not understand {}.",
    "@ceph-query: {!r} is no name of a file.",
    "@rbd-image does not understand {}.",
    "offsets is not an object.",
    "{!r} is not a plain file name.",
    "{!r} is not an attempt id.",
    "only disks are asked for",
    "directories are not claimed",
    "directories have no generic device",
    # text around others
    "Agent: it failed before anything was started. {}",
}
# Clauses of the C library.
KERNEL = {
    "No such file or directory",
    "Device or resource busy",
    "No space left on device",
    "Operation not permitted",
    "Operation not supported",
    "Read-only file system",
    "Input/output error",
    "Permission denied",
    "connection refused",
    "connection reset by peer",
    "connection timed out",
    "no route to host",
    "network is unreachable",
    "Name or service not known",
    "Temporary failure in name resolution",
}
PROGRAMS = {"ceph"}
WORD = re.compile(r"[a-z]{2,}")


class Marked:
    """A language in which each translated text is one sign and its parameters."""

    def gettext(self, message: str) -> str:
        return "§" + "".join(re.findall(r"%\(\w+\)s", message))

    def ngettext(self, one: str, many: str, number: int) -> str:
        return self.gettext(one if number == 1 else many)

    def plain(self, text: str) -> str:
        return marked(text)


def marked(text: str) -> str:
    known = agent_text(text)
    assert known == text
    return known.render(Marked()) if isinstance(known, TranslatableMessage) else text


def constants(path: Path) -> Iterator[str]:
    """Texts of a module that are no docstrings and no patterns."""
    tree = ast.parse(path.read_text())
    silent = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in silent
        ):
            yield node.value


def agent_messages() -> list[str]:
    result = []
    for path in sorted(AGENT.rglob("*.py")):
        if str(path.relative_to(AGENT)) in NOT_FOR_PAGES:
            continue
        for text in constants(path):
            is_text = (
                TEXT.search(text) and "\n" not in text and not text.startswith(("/", "^", "#"))
            )
            if is_text and not COMMAND.fullmatch(text) and text not in NO_MESSAGES:
                result.append(text)
    return sorted(set(result))


def filled(text: str) -> str:
    """The text with a value of capitals for each parameter."""
    if text.endswith(" "):
        text += "{}"
    fields = [
        name
        for _text, name, _form, _conversion in string.Formatter().parse(text)
        if name is not None
    ]
    form = re.sub(r"\{\d*(![rs])?(:[^}]*)?\}", "{}", text)
    values = [f"X{chr(65 + (int(name) if name else at))}" for at, name in enumerate(fields)]
    return form.format(*values)


def test_each_text_has_a_message() -> None:
    left = {text: WORD.findall(marked(filled(text))) for text in agent_messages()}
    missing = [text for text, words in left.items() if set(words) - PROGRAMS]
    assert missing == [], "add these texts to apps/remote/agent_texts"
    assert len(left) > 100


def test_all_templates_are_texts_of_the_agent() -> None:
    """A template that no text of the agent makes is a mistake of spelling, or outdated."""
    source = "\n".join(text for path in AGENT.rglob("*.py") for text in constants(path))
    missing = [
        row.text
        for row in (*SENTENCES, *CLAUSES)
        if max(map(str.strip, row.literals), key=len).strip("().;, ") not in source
    ]
    assert set(missing) == KERNEL


def test_several_reasons_and_the_owners_note_are_one_text() -> None:
    first = "Mounts: sda1 is mounted on /srv/a. b; unmount it first."
    second = "Owner: tests run from 22:00 to 06:00 (UTC) only."
    text = f"{first} {second} Ask anna. Something the agent says later. {first}"
    reasons = marked(text)
    assert reasons.startswith("§§sda1/srv/a. b§22:0006:00UTC")
    assert reasons.count("§sda1/srv/a. b") == 2
    assert "Something the agent says later." in reasons


def test_a_real_refusal_has_a_message() -> None:
    with pytest.raises(RefusalError) as refused:
        find_disk("wwn:nobody")
    error = AgentCommandError("host", refused.value.kind, str(refused.value))
    assert isinstance(error.message, TranslatableMessage)
    assert error.message.render(Marked()) == "§host§wwn:nobody"
    full = FolderError("/var/lib/benchlab", OSError(28, "No space left on device"))
    assert marked(str(full)) == "§/var/lib/benchlab§§"
    assert marked(str(CephError("ceph: no answer within 30 seconds."))) == "§ceph30"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "nothing of the agent",
        "Mounts: ",
        "100 % of it.",
        "Tuning: this is new.",
        "a. b. c.",
    ],
)
def test_an_unknown_text_is_as_it_is(text: str) -> None:
    assert agent_text(text) == marked(text) == text


@pytest.mark.timeout(60)  # reached in quadratic time
def test_hostile_texts_are_read_in_linear_time() -> None:
    for row in SENTENCES:
        agent_text("".join(row.literals[:-1]) + " (".join(row.literals[1:-1]) * 100 + "x. " * 900)
