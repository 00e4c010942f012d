"""Packages of the wheel: the library, and the small inputs of resources/ as biassay/resources/."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["biassay*"]), "biassay.resources"],
    package_dir={"biassay.resources": "resources"},
    package_data={
        "biassay.pages": ["templates/*"],
        "biassay.resources": ["references.bib", "board/*", "published/*", "statistics/*", "templates/*", "words/**/*"],
    },
)
