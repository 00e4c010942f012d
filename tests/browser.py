"""Pages in headless Chromium without a network; tests that need it are skipped, with a reason, without it."""

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

LOOKS = [(390, "dark"), (1400, "light")]  # width and colour scheme
HEIGHT = 900
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needed = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]


@contextmanager
def chromium():
    """A browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def opened(browser, path, *, width=1400, scheme="light", **options):
    """Open a file offline; return the page and its console messages."""
    size = {"width": width, "height": HEIGHT}
    context = browser.new_context(viewport=size, color_scheme=scheme, offline=True, **options)
    context.set_default_timeout(300_000)  # ms, for a busy machine
    page, messages = context.new_page(), []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(Path(path).resolve().as_uri())
    yield page, messages
    context.close()


def see_all(page):
    """Scroll through a page, so that lazy content is drawn, and wait for charts."""
    for place in range(0, page.evaluate("document.documentElement.scrollHeight"), HEIGHT // 2):
        page.evaluate(f"scrollTo(0, {place})")
        page.wait_for_timeout(20)
    page.wait_for_function("[...document.querySelectorAll('.drawn')].every((chart) => chart.dataset.ready)")
    page.wait_for_function("[...document.querySelectorAll('img')].every((image) => image.complete)")


def errors(messages):
    """Return the messages of a page without a remark of Vega that concerns no reader."""
    return [text for text in messages if "fit-y" not in text]


def overflowing(page):
    """Return by how many pixels a page is wider than its window, and elements that overflow without scrolling."""
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
    """Return the violations of WCAG 2.1 AA that axe-core finds: rule and elements."""
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
    found = Axe().run(page, options={"runOnly": rules, "preload": False}).response  # files cannot be fetched
    return [(rule["id"], [node["html"][:120] for node in rule["nodes"]][:3]) for rule in found["violations"]]


def dead_links(page):
    """Return the links of a page without a target."""
    here = page.url.partition("#")[0]
    has_target = "!link.hash || document.getElementById(link.hash.slice(1)) !== null"
    links = page.evaluate(f"[...document.links].map((link) => [link.href.split('#')[0], link.href, {has_target}])")
    return [
        link
        for base, link, has_target in links
        if not (has_target if base == here else Path(base.removeprefix("file://")).is_file())
    ]
