"""Download a language model from the hub, at its pinned revision."""

from biassay.language_models import loading
from biassay.support import logs


def main(hub: str, revision: str, out: str) -> None:
    loading.download(hub, revision, out)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(hub=snakemake.params.hub, revision=snakemake.params.revision, out=snakemake.output[0])
