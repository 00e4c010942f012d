"""Pages in headless Chromium, without a network; tests that need it skip, with the reason, where it is not."""

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

WIDTHS = (390, 820, 1400)
HEIGHT = 900
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needed = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium():
    """A browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def opened(browser, path, *, width=1400, scheme="light"):
    """A page of a file, offline, and what its console said."""
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHT}, color_scheme=scheme, offline=True, accept_downloads=True
    )
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(Path(path).resolve().as_uri())
    yield page, said
    context.close()


def seen_whole(page):
    """Scroll a page through, so that all that is drawn when it is seen is drawn; wait for charts."""
    for place in range(0, page.evaluate("document.documentElement.scrollHeight"), HEIGHT // 2):
        page.evaluate(f"scrollTo(0, {place})")
        page.wait_for_timeout(20)
    for chart in page.query_selector_all("[data-chart]"):
        chart.scroll_into_view_if_needed()
        page.wait_for_function("chart => chart.dataset.ready", arg=chart)


def overflowing(page):
    """How many pixels a page is wider than its window, and elements that stick out without being scrollable."""
    return page.evaluate(
        """() => {
          const width = document.documentElement.clientWidth;
          const out = [...document.querySelectorAll("body *")].filter((node) => {
            const box = node.getBoundingClientRect();
            return box.width && box.right > width + 1 && !node.closest(".wide, .skip, pre, svg");
          });
          return [document.documentElement.scrollWidth - width, out.map((node) => node.outerHTML.slice(0, 80))];
        }"""
    )


def violations(page):
    """What axe-core finds against WCAG 2.1 AA: rule and the places."""
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}).response
    return [(rule["id"], [node["html"][:120] for node in rule["nodes"]][:3]) for rule in found["violations"]]


def dead_links(page):
    """Links of a page that lead to no element and no file."""
    dead = []
    for link in page.query_selector_all("a[href]"):
        target = link.evaluate("node => node.href")
        base, _, part = target.partition("#")
        here = base == page.url.partition("#")[0]
        if here and part and not page.evaluate("id => Boolean(document.getElementById(id))", part):
            dead.append(target)
        if not here and not Path(base.removeprefix("file://")).is_file():
            dead.append(target)
    return dead
