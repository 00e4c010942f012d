"""Packages of the wheel: the library with the small inputs of resources/ as biassay/resources/, and the logger plug-in.

The inputs are copied when the wheel is built, not mapped: an editable install is then the folder itself on Python's
path, where Snakemake looks for its plug-ins.
"""

import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

INPUTS = [
    *("audit/*", "board/*", "published/*", "references.bib", "statistics/*", "templates/*"),
    "words/**/*",
]


class WithInputs(build_py):
    """Builds the packages, and puts the inputs beside them."""

    def run(self):
        """Build, and copy the inputs unless the install is editable."""
        super().run()
        if self.editable_mode:
            return
        for path in sorted(path for pattern in INPUTS for path in Path("resources").glob(pattern) if path.is_file()):
            target = Path(self.build_lib, "biassay", path)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


setup(
    packages=find_packages(include=["biassay*", "snakemake_logger_plugin_biassay"]),
    package_dir={"": "."},
    package_data={"": ["templates/*", "results.yaml", "py.typed", "*.pyi"]},
    cmdclass={"build_py": WithInputs},
)
