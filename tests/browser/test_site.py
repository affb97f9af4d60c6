"""The built site (``make docs``) in a real browser, from a server of its own: pages, search, frames, small screens."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import Page
from tests.paths import ROOT

pytestmark = pytest.mark.browser

SITE = ROOT / "build" / "site"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    if not (SITE / "index.html").exists():
        pytest.fail("there is no site in build/site; make docs builds it")
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def site(driver: Any, server: str, tmp_path: Any) -> Iterator[tuple[Page, str]]:
    """The browser, and the site's address. In the end nothing may have been loaded from elsewhere."""
    page = Page(driver, tmp_path)
    page.prefer("light")
    page.complaints()
    page.requests()
    yield page, server
    assert page.complaints() == []
    hosts = {urlsplit(address).netloc for address in page.requests() if not address.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(server).netloc}
    page.resize(None, None)


def wait_for(page: Page, script: str) -> Any:
    """What a script returns as soon as that is something."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(page.driver, 20).until(lambda _: page.run(script))


def test_the_first_page_says_what_it_is_and_shows_what_it_saves(site: tuple[Page, str]) -> None:
    page, address = site
    page.driver.get(f"{address}/index.html")
    assert page.texts("h1")[0].startswith("gpaplan")
    assert "gpaplan new plants" in page.texts(".md-content pre code")[0]
    assert wait_for(page, "return document.querySelector('.md-content img').naturalWidth") > 300
    assert "Results" in "".join(page.texts(".md-tabs__link"))


def test_the_search_finds_pages(site: tuple[Page, str]) -> None:
    page, address = site
    page.driver.get(f"{address}/index.html")
    page.find(".md-search__input").send_keys("harmonize")
    found = wait_for(page, "return [...document.querySelectorAll('.md-search-result__link')].map(each => each.href)")
    assert any("decisions/0010-learning-automata.html" in each for each in found)


def test_the_automaton_lives_in_its_frame(site: tuple[Page, str]) -> None:
    page, address = site
    page.driver.get(f"{address}/howto/explore-an-automaton.html")
    frame = page.find("iframe.live")
    page.run("arguments[0].scrollIntoView()", frame)
    page.driver.switch_to.frame(frame)
    assert wait_for(page, "return document.querySelectorAll('.level:not([hidden]) svg .vertex').length") == 10
    page.driver.switch_to.default_content()


def test_the_report_lives_in_its_frame(site: tuple[Page, str]) -> None:
    page, address = site
    page.driver.get(f"{address}/howto/read-a-report.html")
    frame = page.find("iframe.live")
    page.run("arguments[0].scrollIntoView()", frame)
    page.driver.switch_to.frame(frame)
    assert wait_for(page, "return document.querySelectorAll('table').length") > 3
    page.driver.switch_to.default_content()


@pytest.mark.parametrize(
    "name",
    ["index", "first-minutes", "results/evaluation", "howto/explore-an-automaton", "notebooks/learn-small-solve-large"],
)
def test_pages_fit_a_phone(site: tuple[Page, str], name: str) -> None:
    page, address = site
    page.resize(400, 800)
    page.driver.get(f"{address}/{name}.html")
    assert page.run("return document.documentElement.scrollWidth") <= 400


def test_pages_are_dark_where_that_is_preferred(site: tuple[Page, str]) -> None:
    page, address = site
    page.driver.get("about:blank")  # where no script of the site stores the scheme of before
    page.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "local_storage"})
    page.prefer("dark")
    page.driver.get(f"{address}/index.html")
    assert wait_for(page, "return document.body.dataset.mdColorScheme === 'slate'")
    page.run("localStorage.clear()")
