"""Download a language model from the hub, at its pinned revision."""

from biassay.core import scripts
from biassay.language_models import hub


def main(name: str, revision: str, out: str) -> None:
    hub.download(name, revision, out)


if __name__ == "__main__":
    scripts.run(main, snakemake, name=snakemake.params.hub)
