"""Numbers and lists of the studies that rules derive from the configuration."""


def same_chunks(config: dict) -> list[int]:
    """Number the training jobs of the SAME study."""
    return list(range(-(-count_models(config)["same"] // config["same"]["chunk"])))


def intrinsic_chunks(config: dict) -> list[int]:
    """Number the training jobs of the intrinsic study."""
    return list(range(-(-count_models(config)["intrinsic"] // config["intrinsic"]["chunk"])))


def count_models(config: dict) -> dict[str, int]:
    """Count the models that each study trains, by key."""
    same, intrinsic, planted = config["same"], config["intrinsic"], config["downstream"]["planted"]
    detection = intrinsic["detection"]
    of_grid = len(intrinsic["min_p"]) * len(intrinsic["max_p"]) * intrinsic["repeats"]
    return {
        "same": len(same["means"]) * len(same["spreads"]) * same["repeats"],
        "intrinsic": of_grid + len(detection["strengths"]) * detection["repeats"],
        "downstream.planted": len(planted["strengths"]) * planted["repeats"],
    }


def pair_corpora(config: dict) -> list[str]:
    """List the corpora that the silhouette study's reference pairs are trained on."""
    pairs = [config["reference_pairs"][name] for name in config["silhouette"]["pairs"]]
    models = [pair[side] for pair in pairs for side in ("biased", "unbiased")]
    return [model["corpus"] for model in models if "corpus" in model]


def published_vectors(config: dict) -> list[str]:
    """List the files of vectors with published numbers; raise ValueError if none are configured."""
    vectors = config["published"]["vectors"]
    if not vectors:
        raise ValueError(
            "config: published.vectors: expected vectors with published numbers, such as "
            "{google_news: {file: GoogleNews-vectors-negative300.bin.gz}}, got {}"
        )
    return [model["file"] for model in vectors.values()]
