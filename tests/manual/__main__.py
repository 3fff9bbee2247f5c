"""`python -m tests.manual`: write the manual page anew."""

from tests.kit import ROOT
from tests.manual.page import page

(ROOT / "shell" / "sf.1").write_text(page(), "utf-8")
