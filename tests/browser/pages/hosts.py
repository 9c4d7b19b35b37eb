"""What a person does on the pages of hosts and disks."""

from __future__ import annotations

import subprocess
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.visitor import Visitor
from tests.harness.netns_host import NetnsHost


def log_in(visitor: Visitor, password: str) -> None:
    """As the first admin; a page asked for before is shown after it."""
    page = visitor.open("/hosts/")
    visitor.judge()
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Hosts", level=1)).to_be_visible()


def add_host(visitor: Visitor, box: NetnsHost, name: str) -> None:
    """With the private key of the box pasted; ends on the host's page."""
    page = visitor.page
    page.get_by_role("link", name="Add a host").first.click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Address", exact=True).fill(box.network.address)
    page.get_by_label("Key", exact=True).select_option(label="paste a private key")
    page.get_by_label("Private key").fill(box.private_key)
    visitor.judge()
    page.get_by_role("button", name="Save and check").click()


def accept_key(visitor: Visitor, box: NetnsHost) -> None:
    """Compare the fingerprint with the one that the host itself prints, then trust it."""
    page = visitor.page
    page.get_by_role("link", name="Compare the fingerprint").click()
    expect(page.get_by_text(fingerprint(box.folder / "host_key.pub"))).to_be_visible()
    visitor.judge()
    page.get_by_role("button", name="trust this key").click()


def fingerprint(key: Path) -> str:
    """As ssh-keygen prints it."""
    words = ["ssh-keygen", "-lf", str(key)]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()[1]


def wait_for_facts(visitor: Visitor) -> None:
    """The host is looked at without anybody asking; its page shows what was found."""
    page = visitor.page
    expect(page.locator(".state[data-state=ok]")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Kernel", exact=True)).to_be_visible()
    tool = page.get_by_role("cell", name="fio", exact=True)
    expect(page.get_by_role("row").filter(has=tool)).to_contain_text("3.")
    visitor.judge_in_both_themes()


def enrol_disk(visitor: Visitor, node: str) -> None:
    """By typing its identity; the button stays shut for anything else."""
    page = visitor.page
    page.get_by_role("link", name=node, exact=True).click()
    form = page.locator(".confirm-form")
    identity = form.locator("label code").first.inner_text()
    button = form.get_by_role("button", name="Enrol as expendable")
    form.get_by_role("textbox").fill(identity[:-1])
    expect(button).to_be_disabled()
    form.get_by_role("textbox").fill(identity)
    visitor.judge()
    button.click()
    expect(
        page.get_by_text("Tests may overwrite it: admin enrolled it as expendable")
    ).to_be_visible()
