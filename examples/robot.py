"""A robot in another program: it tells `gpaplan act` what has changed, and does what it is told.

    python examples/robot.py

Only the standard library is used to talk. The world here is a toy, three lines long: a hand that lets every fifth ball
slip. Yours is a robot, a simulator, or a game.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

GPAPLAN = [sys.executable, "-m", "gpaplan"]
chance = random.Random(0)


def execute(action: str) -> tuple[list[str], list[str]]:
    """Do it, and say which atoms are true now, and which are no more."""
    name, *objects = action.strip("()").split()
    if name == "move":
        return [f"(robot-in {objects[1]})"], [f"(robot-in {objects[0]})"]
    ball, room, hand = objects
    inside, held, free = f"(ball-in {ball} {room})", f"(held {ball} {hand})", f"(free {hand})"
    if name == "drop":
        return [inside, free], [held]
    return ([held], [inside, free]) if chance.random() < 0.8 else ([], [])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*GPAPLAN, "generate", "gripper", "4", "-o", folder], check=True, stdout=subprocess.DEVNULL)
        files = [str(Path(folder) / name) for name in ("domain.ppddl", "gripper-4.ppddl")]
        with subprocess.Popen(
            [*GPAPLAN, "act", *files], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as actor:

            def ask(request: dict[str, Any]) -> dict[str, Any]:
                assert actor.stdin is not None
                assert actor.stdout is not None
                print(json.dumps(request), file=actor.stdin, flush=True)
                answer: dict[str, Any] = json.loads(actor.stdout.readline())
                return answer

            answer, steps = ask({}), 0
            while answer["action"] is not None:
                added, deleted = execute(answer["action"])
                answer, steps = ask({"added": added, "deleted": deleted}), steps + 1
            print(f"{answer['source']} after {steps} steps: {answer['reason']}")
            assert actor.stdin is not None
            actor.stdin.close()


if __name__ == "__main__":
    main()
