"""Screenshots of pages for the notebooks."""

import shutil
import subprocess
from pathlib import Path

from IPython.display import Image

OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=10000"]


def screenshot(page: str | Path, *, width: int, height: int) -> Image | str:
    """Take a picture of the top of a page by Chromium; without it, return what to open."""
    page = Path(page).resolve()
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        return f"Open {page} in a browser."
    picture = page.with_suffix(".png")
    command = [browser, *OPTIONS, f"--window-size={width},{height}", f"--screenshot={picture}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    data = picture.read_bytes()
    picture.unlink()
    return Image(data, width=width)
