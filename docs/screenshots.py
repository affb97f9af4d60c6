"""Makes the screenshots of docs/images, in a headless chromium: the workbench, pages, and states of six families.

    python docs/screenshots.py

It needs chromium and chromedriver (make chromium) and selenium (pip install gpaplan[browser]).
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gpaplan import GroundTask, RuleFilter, ground, record_trials, solve
from gpaplan.benchmarks import generate
from gpaplan.cli.serve import Server
from gpaplan.pictures import draw
from gpaplan.workbench import Workbench

IMAGES = Path(__file__).parent / "images"
WIDE, NARROW = (1200, 800), (400, 800)
FAMILIES = {
    "gripper": ((4,), WIDE),
    "rover": ((2, 4, 2, 2), NARROW),
    "triangle-tireworld": ((2,), WIDE),
    "blocksworld-towers": ((7, 1), NARROW),
    "zenotravel": ((4, 3, 2, 1), WIDE),
    "elevators": ((3, 4, 2, 2, 1, 1), NARROW),
}
PICTURES = (
    '<!doctype html><meta name="viewport" content="width=device-width">'
    "<style>body { display: flex; flex-wrap: wrap; gap: 24px } svg { max-width: 100%; height: auto }</style>"
)
RULES = """move: (nearer ?to ?from (some (inverse @at) carried) road)
move: (nearer ?to ?from (some (inverse at) !at/1) road), (empty (some (inverse @at) carried))
pick: (is ?c !at/1)
drop: (is ?c (every @at vehicle-at))
open:"""


@contextmanager
def browser() -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or "chromium"
    with tempfile.TemporaryDirectory() as folder:
        for flag in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={folder}",
        ):
            options.add_argument(flag)
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        try:
            yield driver
        finally:
            driver.quit()


def resize(driver: Any, size: tuple[int, int]) -> None:
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def save(driver: Any, name: str) -> None:
    time.sleep(1)
    driver.save_screenshot(str(IMAGES / f"{name}.png"))


def show(driver: Any, page: str) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8", delete=False) as file:
        file.write(page)
    driver.get(Path(file.name).as_uri())
    Path(file.name).unlink()


def task_of(family: str, *theta: int) -> GroundTask:
    made = generate(family, *theta)
    return ground(made.domain, made.problem, relevance=False)


def in_the_middle(task: GroundTask) -> Any:
    states = list(record_trials(task, solve(task), seed=3).trials[0].states())
    return states[len(states) // 2]


def click(driver: Any, selector: str, then: str) -> None:
    """Click what is there, as soon as it is, and wait until something else is there."""
    from selenium.webdriver.support.ui import WebDriverWait

    wait = WebDriverWait(driver, 120, ignored_exceptions=[Exception])
    wait.until(lambda _: driver.execute_script(f"document.querySelector('{selector}').click(); return true"))
    wait.until(lambda _: driver.execute_script(f"return {then}"))


def workbench(driver: Any, task: GroundTask) -> None:
    with Server(Workbench([task], RuleFilter.of(task.domain, RULES)), 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name, size in (("workbench-wide", WIDE), ("workbench-narrow", NARROW)):
            resize(driver, size)
            driver.get(server.address)
            click(driver, "#solve", "document.querySelector('#known').textContent.includes('optimal')")
            click(driver, "#run", "document.querySelector('#where').textContent.includes('step 0')")
            for step in (1, 2, 3):
                click(driver, "#next", f"document.querySelector('#where').textContent.includes('step {step}')")
            time.sleep(2)
            click(driver, "#actions .link", "document.querySelectorAll('#outcomes li').length > 0")
            save(driver, name)
        server.shutdown()


def main() -> None:
    task = task_of("delivery", 3, 9, 3, 2, 1)
    rules = RuleFilter.of(task.domain, RULES)
    with browser() as driver:
        workbench(driver, task)
        resize(driver, WIDE)
        show(driver, rules.to_html(task=task))
        save(driver, "rules-wide")
        resize(driver, NARROW)
        show(driver, record_trials(task, solve(task), trials=2).to_html(task))
        save(driver, "trace-narrow")
        for family, (theta, size) in FAMILIES.items():
            resize(driver, size)
            drawn = task_of(family, *theta)
            pictures = [draw(drawn), draw(drawn, in_the_middle(drawn))]
            show(driver, PICTURES + "".join(pictures))
            resize(driver, (size[0], driver.execute_script("return document.body.scrollHeight + 16")))
            save(driver, f"state-{family}-{'wide' if size == WIDE else 'narrow'}")


if __name__ == "__main__":
    main()
