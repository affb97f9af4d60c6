"""A headless chromium that shows pages, of automata and of reports, from a file; one browser for all tests.

A missing browser is a failure, not a reason to skip: these tests run only when asked for (``make test-browser``).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gpaplan.automata.automaton import PolicyAutomaton

FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1400,900",
]


class Page:
    """A page in the browser, and the few things that tests do with it."""

    def __init__(self, driver: Any, folder: Path) -> None:
        self.driver = driver
        self._file = folder / "page.html"

    def show(self, automaton: PolicyAutomaton) -> None:
        self.show_text(automaton.to_html())

    def show_text(self, text: str) -> None:
        self._file.write_text(text, encoding="utf-8")
        self.driver.get(self._file.as_uri())

    @property
    def address(self) -> str:
        return self._file.as_uri()

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements("css selector", selector))

    def texts(self, selector: str) -> list[str]:
        found = self.run("return [...document.querySelectorAll(arguments[0])].map(each => each.textContent)", selector)
        return [str(each) for each in found]

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def resize(self, width: int | None, height: int | None) -> None:
        """Show pages on a screen of this size from now on; without one, in the window as it is."""
        if width is None or height is None:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        else:
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def press(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def prefer(self, scheme: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def complaints(self) -> list[str]:
        """What the browser has to say about the page since it was asked last."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """The addresses that were asked for since this was asked last."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
        own = ("chrome:", "chrome-untrusted:")  # of the tab that it opens with
        return [address for address in sent if not address.startswith(own)]


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.fail("chromium and chromedriver are needed; on Debian: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(chromedriver))
    yield browser
    browser.quit()


@pytest.fixture
def page(driver: Any, tmp_path: Path) -> Iterator[Page]:
    """A page that, after every test, must have asked for nothing but itself and complained about nothing."""
    result = Page(driver, tmp_path)
    result.prefer("light")
    result.complaints()
    result.requests()
    yield result
    assert result.complaints() == []
    outside = [each for each in result.requests() if not each.startswith("data:")]
    assert {each.partition("#")[0] for each in outside} <= {result.address, "about:srcdoc"}
    fetched = result.run("return performance.getEntriesByType('resource').map(each => each.name)")
    assert [each for each in fetched if not each.startswith("data:")] == []
