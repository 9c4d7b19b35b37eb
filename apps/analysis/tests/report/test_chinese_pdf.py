"""A PDF in Chinese embeds a font that has the characters; the text layer does not prove it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from django.utils import translation

from apps.analysis.report import pdf
from apps.analysis.report.content import Report
from apps.analysis.report.document import make_document

needs_programs = pytest.mark.skipif(
    pdf.chromium() is None or shutil.which("pdffonts") is None,
    reason="Chromium or pdffonts is not installed",
)


@needs_programs
def test_pdf_in_chinese_embeds_a_chinese_font(tmp_path: Path) -> None:
    report = Report("顺序读对比", "sequential", (), "测试空间为 1 GiB。", (), ())
    target = tmp_path / "report.pdf"
    with translation.override("zh-hans"):
        target.write_bytes(make_document(report, "pdf").data)
    fonts = subprocess.run(
        ["pdffonts", str(target)], capture_output=True, check=True, text=True
    ).stdout
    chinese = [line.split() for line in fonts.splitlines() if "WenQuanYi" in line]
    assert chinese
    assert all("yes" in columns for columns in chinese)
