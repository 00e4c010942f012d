"""Word lists of a kind of bias: two social groups, and two lists of targets from a file beside."""

from dataclasses import dataclass
from pathlib import Path

from biassay.words import files, resources

KEYS = ["source", "paired", "choose", "groups", "targets"]
GROUND_TRUTH = "ground_truth"  # the choice of two groups by what a generator planted


@dataclass(frozen=True)
class Lists:
    """Words of two social groups and of two targets, both in the order of the file.

    paired: the i-th words of the groups belong together, as she and he. choose: there may be more groups, of which two
    are still to be chosen by the ground truth about a generated corpus.
    """

    groups: dict[str, list[str]]
    targets: dict[str, list[str]]
    paired: bool
    choose: bool = False


def read(path: str | Path, lower: bool = False) -> Lists:
    """Read groups from `path` and targets from the file beside it that its key `targets` names.

    With `lower` the words are lower-cased, and one that is then double is kept once. Raises ValueError, naming file and
    value, for an unknown key, a number of lists other than two (but groups of which two are chosen: `choose:
    ground_truth`), an empty list, what is no word, a word twice in a list, paired groups of unequal length, and a
    missing target file.
    """
    choose = files.read_yaml(path).get("choose")
    if choose not in (None, GROUND_TRUTH):
        raise ValueError(f"{path}: choose is {choose!r}; expected one of: {GROUND_TRUTH}, or leave it out")
    groups, paired = read_groups(path, lower, many=choose == GROUND_TRUTH)
    beside = find_targets_file(path)
    targets = _two(beside, "lists of targets", resources.read_groups(beside))
    if lower:
        targets = {target: list(dict.fromkeys(map(str.lower, words))) for target, words in targets.items()}
    return Lists(groups, targets, paired, choose == GROUND_TRUTH)


def find_targets_file(path: str | Path) -> str:
    """The file of targets beside a file of groups; raises ValueError if there is none."""
    name, folder = files.read_yaml(path).get("targets"), Path(path).parent
    if name not in [file.name for file in folder.iterdir() if file.is_file()]:
        known = sorted(file.name for file in folder.glob("*.yaml") if file.name != Path(path).name)
        raise ValueError(f"{path}: targets: there is no file {name!r} beside it; expected one of: {', '.join(known)}")
    return str(folder / name)


def read_groups(
    path: str | Path, lower: bool = False, *, repeats: bool = False, many: bool = False
) -> tuple[dict[str, list[str]], bool]:
    """Read the two groups, or with `many` two or more, and whether they are paired; with `repeats`, a word of paired
    ones may be in several pairs.

    Where lower-casing makes a word of paired groups double, its later pair is left out; with `repeats`, only a pair
    that is there already. Raises ValueError as `read` does.
    """
    content = files.read_yaml(path)
    for key in content:
        if key not in KEYS:
            raise ValueError(f"{path}: unknown key {key!r}; expected one of: {', '.join(KEYS)}")
    paired, groups = content.get("paired"), content.get("groups")
    if not isinstance(paired, bool):
        raise ValueError(f"{path}: paired is {paired!r}; expected one of: true, false")
    if not isinstance(groups, dict):
        raise ValueError(f"{path}: groups is {groups!r}; give two lists of words by name")
    groups = resources.check_groups(path, groups, repeats=repeats and paired)
    if not many:
        _two(path, "groups", groups)
    if paired and len(set(map(len, groups.values()))) > 1:
        sizes = ", ".join(f"{group} {len(words)} words" for group, words in groups.items())
        raise ValueError(f"{path}: paired groups need equally many words, but they have: {sizes}")
    return (_lower(groups, paired, repeats) if lower else groups), paired


def _two(path: str | Path, what: str, lists: dict[str, list[str]]) -> dict[str, list[str]]:
    if len(lists) != 2:
        raise ValueError(f"{path}: needs exactly two {what}, has {len(lists)}: {', '.join(map(str, lists))}")
    return lists


def _lower(groups: dict[str, list[str]], paired: bool, repeats: bool) -> dict[str, list[str]]:
    lowered = {group: [word.lower() for word in words] for group, words in groups.items()}
    if not paired:
        return {group: list(dict.fromkeys(words)) for group, words in lowered.items()}
    pairs: list[tuple[str, str]] = []
    for pair in zip(*lowered.values(), strict=True):
        double = pair in pairs if repeats else any(a == b for old in pairs for a, b in zip(old, pair, strict=True))
        if not double:
            pairs.append(pair)
    return {group: [pair[i] for pair in pairs] for i, group in enumerate(lowered)}
