"""Pages are followed as their readers would: what is a step, and what counts as a failure."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from building.pages import Step, claims, follow, steps
from tests.paths import ROOT

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

- In a list, with a pipe:

  ```sh
  echo '{}' | gpaplan act domain.ppddl gripper-3.ppddl
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
        Step("gpaplan", "echo '{}' | gpaplan act domain.ppddl gripper-3.ppddl", None),
        Step("python", "print(1 + 1)\n", "2\n"),
    ]


def test_a_page_that_is_right_can_be_followed(tmp_path: Path) -> None:
    assert follow(PAGE, PROGRAMS, tmp_path, dict(os.environ)) == 7
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.ppddl", "domain.ppddl", "gripper-3.ppddl"]


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("Try `gpaplan solve nowhere.ppddl`.", "failed (31): gpaplan solve nowhere.ppddl"),
        ("```console\n$ gpaplan solve nowhere.ppddl\nnowhere.ppddl: no such file\n```", "failed (31): gpaplan solve"),
        ("```sh\necho '{' | gpaplan act nowhere.ppddl\n```", "failed (31): echo"),
        ("  ```sh\n  gpaplan solve nowhere.ppddl\n  ```", "failed (31): gpaplan solve"),
        ("```console\n$ gpaplan generate gripper 3\nanything else\n```", "is not what the page shows"),
        ("```python\nprint(3)\n```\n\n```text\n2\n```", "is not what the page shows"),
        ("```python\nraise ValueError\n```", "failed (1)"),
    ],
)
def test_a_page_that_is_wrong_stops_the_program(page: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as raised:
        follow(page, PROGRAMS, tmp_path, dict(os.environ))
    assert message in str(raised.value)


def test_every_command_of_ten_things_is_a_step() -> None:
    page = (ROOT / "docs" / "ten-things.md").read_text(encoding="utf-8")
    lines = re.findall(r"^ *(?:\$ )?((?:gpaplan|echo) .*)$", page, re.MULTILINE)
    assert [step.text for step in steps(page) if step.text in lines] == lines
    assert any(line.startswith("echo ") for line in lines)


def test_what_the_readme_says_of_the_demo() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = claims(readme)
    assert len(found) == 5
    assert found[0] == "11 vertices"
    with pytest.raises(SystemExit, match="does not say this"):
        claims(readme.replace("vertices", "nodes"))
