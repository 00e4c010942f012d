"""Download a language model from the hub, at its pinned revision."""

from biassay.language_models import hub
from biassay.support import logs


def main(name: str, revision: str, out: str) -> None:
    hub.download(name, revision, out)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(name=snakemake.params.hub, revision=snakemake.params.revision, out=snakemake.output[0])
