"""Word lists of the silhouette study: the words of two groups, and two target lists from a second file."""

from dataclasses import dataclass
from pathlib import Path

from biassay.words import files, resources

KEYS = ["source", "paired", "choose", "groups", "targets", "sensitive"]
GROUND_TRUTH = "ground_truth"  # value of `choose`: the ground truth of a generated corpus decides on the two groups


@dataclass(frozen=True)
class Lists:
    """Words by group and by target, in the order of the file.

    `paired` says whether the i-th words of the groups correspond, such as she and he; `choose`, whether the ground
    truth of a generated corpus still has to choose two of the groups.
    """

    groups: dict[str, list[str]]
    targets: dict[str, list[str]]
    paired: bool
    choose: bool = False


def read(path: str | Path, lower: bool = False) -> Lists:
    """Read groups from `path`, and targets from the file in the same folder that the key `targets` names.

    With `lower`, words are lower-cased, and the duplicates that arise are dropped. Raises ValueError for an unknown
    key, other than two lists (more groups are allowed with `choose: ground_truth`), an empty list, an invalid or
    duplicate word, paired groups of unequal length, or a missing target file.
    """
    choose = files.read_yaml(path).get("choose")
    if choose not in (None, GROUND_TRUTH):
        raise ValueError(f"{path}: choose: expected {GROUND_TRUTH}, or no such key, got {choose!r}")
    groups, paired = read_groups(path, lower, allow_many_groups=choose == GROUND_TRUTH)
    targets_path = find_targets_file(path)
    targets = _check_two(targets_path, "target lists", resources.read_groups(targets_path))
    if lower:
        targets = {target: list(dict.fromkeys(map(str.lower, words))) for target, words in targets.items()}
    return Lists(groups, targets, paired, choose == GROUND_TRUTH)


def find_targets_file(path: str | Path) -> str:
    """Return the path of the target file that a file of groups names; raise ValueError if there is none."""
    name, folder = files.read_yaml(path).get("targets"), Path(path).parent
    if name not in [file.name for file in folder.iterdir() if file.is_file()]:
        names = sorted(file.name for file in folder.glob("*.yaml") if file.name != Path(path).name)
        raise ValueError(f"{path}: targets: expected a file of the same folder ({', '.join(names)}), got {name!r}")
    return str(folder / name)


def read_groups(
    path: str | Path, lower: bool = False, *, allow_duplicates: bool = False, allow_many_groups: bool = False
) -> tuple[dict[str, list[str]], bool]:
    """Read the words of two groups, and whether they are paired; raise ValueError as `read` does.

    With `lower`, words are lower-cased, and a pair with a word of an earlier pair is dropped; with `allow_duplicates`,
    a word may be in several pairs, and only a pair that equals an earlier pair is dropped.
    """
    content = files.read_yaml(path)
    for key in content:
        if key not in KEYS:
            raise ValueError(f"{path}: unknown key {key!r}; expected one of: {', '.join(KEYS)}")
    paired, groups = content.get("paired"), content.get("groups")
    if not isinstance(paired, bool):
        raise ValueError(f"{path}: paired: expected true or false, got {paired!r}")
    files.check_lists(f"{path}: groups", groups, paired=paired, allow_duplicates=allow_duplicates and paired)
    if not allow_many_groups:
        _check_two(path, "groups", groups)
    return (_lower(groups, paired, allow_duplicates) if lower else groups), paired


def _check_two(path: str | Path, what: str, lists: dict[str, list[str]]) -> dict[str, list[str]]:
    if len(lists) != 2:
        raise ValueError(f"{path}: expected two {what}, got {len(lists)}: {', '.join(map(str, lists))}")
    return lists


def _lower(groups: dict[str, list[str]], paired: bool, allow_duplicates: bool) -> dict[str, list[str]]:
    lowered = [[word.lower() for word in words] for words in groups.values()]
    if not paired:
        return {group: list(dict.fromkeys(words)) for group, words in zip(groups, lowered, strict=True)}
    pairs = list(dict.fromkeys(zip(*lowered, strict=True)))
    if not allow_duplicates:
        kept: list[tuple[str, ...]] = []
        for pair in pairs:
            if not any(a == b for earlier in kept for a, b in zip(earlier, pair, strict=True)):
                kept.append(pair)
        pairs = kept
    return {group: [pair[i] for pair in pairs] for i, group in enumerate(groups)}
