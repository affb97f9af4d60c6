"""Where things are."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
DOMAINS = ROOT / "tests" / "domains"
