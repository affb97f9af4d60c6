"""``python -m gpaplan`` is the command ``gpaplan``."""

from gpaplan.cli import main

main()
