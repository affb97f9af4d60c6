"""Pages are followed as their readers would: what is a step, and what counts as a failure."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from building.pages import Step, follow, steps

PAGE = """# Title

Try `gpaplan --version`, or read on: `gpaplan explain` says why, and `solve` is a word.

```sh
make demo    # not a command of gpaplan
gpaplan generate --list    # shows the families
```

```ppddl
; file: d.ppddl
(define (domain d))
```

```console
$ gpaplan generate gripper 3
domain.ppddl
gripper-3.ppddl
```

```python
print(1 + 1)
```

```text
2
```
"""
PROGRAMS = Path(sys.executable).parent


def test_steps_are_blocks_and_commands_within_the_text_in_the_order_of_the_page() -> None:
    assert steps(PAGE) == [
        Step("gpaplan", "gpaplan --version", None),
        Step("gpaplan", "gpaplan explain --help", None),
        Step("gpaplan", "gpaplan generate --list", None),
        Step("file", "; file: d.ppddl\n(define (domain d))\n", None),
        Step("gpaplan", "gpaplan generate gripper 3", "domain.ppddl\ngripper-3.ppddl\n"),
        Step("python", "print(1 + 1)\n", "2\n"),
    ]


def test_a_page_that_is_right_can_be_followed(tmp_path: Path) -> None:
    assert follow(PAGE, PROGRAMS, tmp_path, dict(os.environ)) == 6
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.ppddl", "domain.ppddl", "gripper-3.ppddl"]


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("Try `gpaplan solve nowhere.ppddl`.", "failed (31): gpaplan solve nowhere.ppddl"),
        ("```console\n$ gpaplan generate gripper 3\nanything else\n```", "is not what the page shows"),
        ("```python\nprint(3)\n```\n\n```text\n2\n```", "is not what the page shows"),
        ("```python\nraise ValueError\n```", "failed (1)"),
    ],
)
def test_a_page_that_is_wrong_stops_the_program(page: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as raised:
        follow(page, PROGRAMS, tmp_path, dict(os.environ))
    assert message in str(raised.value)
