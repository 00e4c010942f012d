"""Download a language model from the hub, at its pinned revision."""

from biassay import language_models, logs


def main(hub: str, revision: str, out: str) -> None:
    language_models.download(hub, revision, out)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(hub=snakemake.params.hub, revision=snakemake.params.revision, out=snakemake.output[0])
