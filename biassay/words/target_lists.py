"""Word lists of the silhouette study, groups and targets from a second file, and lists of words to swap."""

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


def read(path: str | Path) -> Lists:
    """Read groups from `path`, and targets from the file in the same folder that the key `targets` names.

    Raises ValueError for an unknown key, other than two lists (more groups are allowed with `choose: ground_truth`), an
    empty list, an invalid or duplicate word, paired groups of unequal length, or a missing target file.
    """
    content = _read_content(path)
    choose = content.get("choose")
    if choose not in (None, GROUND_TRUTH):
        raise ValueError(f"{path}: choose: expected {GROUND_TRUTH}, or no such key, got {choose!r}")
    groups = content["groups"] if choose else resources.check_two(path, "groups", content["groups"])
    targets_path = find_targets_file(path)
    targets = resources.check_two(targets_path, "target lists", resources.read_groups(targets_path))
    return Lists(groups, targets, content["paired"], choose == GROUND_TRUTH)


def find_targets_file(path: str | Path) -> str:
    """Return the path of the target file that a file of groups names; raise ValueError if there is none."""
    name, folder = files.read_yaml(path).get("targets"), Path(path).parent
    if name not in [file.name for file in folder.iterdir() if file.is_file()]:
        names = sorted(file.name for file in folder.glob("*.yaml") if file.name != Path(path).name)
        raise ValueError(f"{path}: targets: expected a file of the same folder ({', '.join(names)}), got {name!r}")
    return str(folder / name)


def read_swap(path: str | Path) -> tuple[dict[str, list[str]], bool]:
    """Read the words of two groups to swap, lower-cased and without duplicates, and whether they are paired.

    A word may be in several pairs; only a pair that equals an earlier one is a duplicate. Raises ValueError as `read`.
    """
    content = _read_content(path, allow_several_pairs=True)
    groups = resources.check_two(path, "groups", content["groups"])
    lists = [[word.lower() for word in words] for words in groups.values()]
    if content["paired"]:
        unique = zip(*dict.fromkeys(zip(*lists, strict=True)), strict=True)
    else:
        unique = map(dict.fromkeys, lists)
    return dict(zip(groups, map(list, unique), strict=True)), content["paired"]


def _read_content(path: str | Path, *, allow_several_pairs: bool = False) -> dict:
    """Read a file of groups and check its keys, its words and whether paired groups have equal lengths."""
    content = files.read_yaml(path)
    for key in content:
        if key not in KEYS:
            raise ValueError(f"{path}: unknown key {key!r}; expected one of: {', '.join(KEYS)}")
    paired = content.get("paired")
    if not isinstance(paired, bool):
        raise ValueError(f"{path}: paired: expected true or false, got {paired!r}")
    allow_duplicates = allow_several_pairs and paired
    files.check_lists(f"{path}: groups", content.get("groups"), paired=paired, allow_duplicates=allow_duplicates)
    return content
