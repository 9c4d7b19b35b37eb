"""What a person does on the pages of tunings and plans."""

from __future__ import annotations

from collections.abc import Mapping

from playwright.sync_api import Locator, expect

from tests.browser.visitor import WIDE, Visitor


def make_tuning(visitor: Visitor, scheduler: str) -> None:
    """A profile that sets one I/O scheduler."""
    page = visitor.open("/tunings/")
    page.get_by_role("link", name="New tuning").first.click()
    page.get_by_label("Name").fill(f"Scheduler {scheduler}")
    page.get_by_label("Find a setting").fill("scheduler")
    page.locator("select[name=scheduler]").select_option(scheduler)
    visitor.judge()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name=f"Scheduler {scheduler}")).to_be_visible()


def begin_plan(visitor: Visitor, name: str, repeats: int) -> None:
    page = visitor.open("/plans/")
    page.get_by_role("link", name="New plan").first.click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Repeats").fill(str(repeats))


def choose(visitor: Visitor, field: str, words: str) -> None:
    """One more entry of a list that is searched by typing."""
    row = visitor.page.locator(f"[data-field={field}]")
    row.locator(".ts-control input").fill(words)
    row.locator(".ts-dropdown .option").filter(has_text=words).first.click()
    expect(row.locator(".ts-control .item").filter(has_text=words)).to_be_visible()
    leave(row)


def add_step(visitor: Visitor, mode: str, values: Mapping[str, str]) -> None:
    """A step of fio: its mode chosen, other parameters typed."""
    page = visitor.page
    before = page.locator(".plan-step").count()
    page.get_by_role("button", name="Add a step of fio").click()
    expect(page.locator(".plan-step")).to_have_count(before + 1)
    step = page.locator(".plan-step").last
    choose_mode(step, mode)
    for name, value in values.items():
        field = f"input[name$='-p-{name}']"
        group = step.locator("details:not([open])").filter(has=page.locator(field))
        if group.count():
            group.locator("summary").click()
        step.locator(field).fill(value)
        expect(step.locator(field)).to_have_value(value)


def paste_step(visitor: Visitor, mode: str, values: Mapping[str, str]) -> None:
    """The same as a command behind root's prompt, below a line that sets the host."""
    page = visitor.page
    before = page.locator(".plan-step").count()
    options = " ".join(f"-{name}={value}" for name, value in values.items())
    command = f"fio -name=pasted -direct=1 -ioengine=libaio -time_based -rw={mode} {options}"
    setting = "echo 2 > /sys/block/vdb/queue/rq_affinity"
    page.get_by_text("Paste commands, a script or a job file").click()
    page.locator("#paste-text").fill(f"{setting}\n[root@rack1 fio]# {command} --foo\n")
    page.get_by_role("button", name="Read it").click()
    expect(page.locator("#pasted [data-line='2'] .state", has_text="not done")).to_be_visible()
    expect(page.locator(".plan-step")).to_have_count(before)
    page.locator("#paste-text").fill(f"{setting}\n[root@rack1 fio]# {command} | tee out.txt\n")
    page.get_by_role("button", name="Read it").click()
    expect(page.locator(".plan-step")).to_have_count(before + 1)
    expect(page.locator("#pasted [data-line='2']")).to_contain_text("4 KiB, QD 4")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Make a tuning profile").click()
    expect(opened.value.get_by_label("Kernel settings")).to_have_value(setting)
    opened.value.close()


def drag_step(visitor: Visitor, index: int, onto: int) -> None:
    """Drag a step by its head onto another one; they change places."""
    page = visitor.page
    # The driver cannot scroll during a drag.
    page.set_viewport_size({"width": WIDE, "height": 5000})
    heads = page.locator(".plan-step > .card-header")
    keys = page.locator(".plan-step > input[name=step]")
    expected = [each.input_value() for each in keys.all()]
    expected.insert(onto, expected.pop(index))
    height = page.locator(".plan-step").nth(onto).bounding_box()
    assert height is not None
    at = 8 if onto < index else height["height"] - 8
    heads.nth(index).drag_to(
        page.locator(".plan-step").nth(onto), target_position={"x": 40, "y": at}
    )
    for place, key in enumerate(expected):
        expect(keys.nth(place)).to_have_value(key)
        expect(heads.nth(place)).to_contain_text(f"Step {place + 1}")
    page.set_viewport_size({"width": WIDE, "height": 900})


def choose_mode(step: Locator, mode: str) -> None:
    row = step.locator("[data-field$='-p-rw']")
    row.locator(".ts-control .item .remove").first.click()
    row.locator(".ts-control input").fill(mode)
    row.locator(f".ts-dropdown .option[data-value='{mode}']").click()
    leave(row)


def leave(row: Locator) -> None:
    """Go on from a list, which takes the focus back a moment after a choice, as often as needed."""
    focused = row.locator(".ts-wrapper.focus")
    for _ in range(20):
        row.page.wait_for_timeout(150)
        if not focused.count():
            return
        row.page.keyboard.press("Tab")
    expect(focused).to_have_count(0)


def read_preview(visitor: Visitor, **expected: str) -> None:
    """The live preview says these of the plan as it is typed."""
    rows = visitor.page.locator("#plan-preview dl > div")
    for name, value in expected.items():
        label = name.replace("_", " ").capitalize()
        row = rows.filter(has=visitor.page.get_by_text(label, exact=True))
        expect(row.locator("dd")).to_contain_text(value)


def save_plan(visitor: Visitor, name: str) -> None:
    visitor.judge_in_both_themes()
    visitor.page.get_by_role("button", name="Save the plan").click()
    expect(visitor.page.get_by_role("heading", name=name, level=1)).to_be_visible()
    visitor.judge()


def launch(visitor: Visitor, note: str) -> None:
    """The plan that is open; ends on the run's page."""
    page = visitor.page
    page.get_by_label("Note").fill(note)
    page.get_by_role("button", name="Launch").click()
    expect(page.locator("#run-status")).to_be_visible()
    expect(page.get_by_text(note).first).to_be_visible()
