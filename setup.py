"""Packages of the wheel: the library, and the small inputs of resources/ as biassay/resources/."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["biassay*"]), "biassay.resources"],
    package_dir={"biassay.resources": "resources"},
    package_data={
        "biassay.auditing": ["templates/*"],
        "biassay.pages": ["templates/*"],
        "biassay.resources": ["audit/*", "board/*", "published/*", "statistics/*", "templates/*", "words/**/*"],
    },
)
