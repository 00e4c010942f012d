"""Vectors in a plane, with numbers that are worked out by hand.

Of the targets, s = cos with a less cos with b is −.2, 1 (X) and −1, .2 (Y): d = .8 / √(2.08 / 3); of six partitions two
reach the difference of sums. Ann lies elsewhere than ann.
"""

VECTORS = {"a": (2, 0), "b": (0, 5), "x_1": (3, 4), "x_2": (1, 0), "y_1": (0, 1), "y_2": (4, 3), "Ann": (0, -1),
           "ann": (1, 1), "half": (1, 1)}  # fmt: skip
LISTS = {"x": ["x_1", "x_2"], "y": ["y_1", "y_2"], "first": ["a"], "second": ["b"], "jobs": ["x_2", "half"],
         "named": ["Ann", "x_1"], "lost": ["absent", "gone", "half"], "partly": ["y_1", "y_2", "absent"],
         "equal": ["half"], "same": ["ann"], "pairs": ["absent", "a"], "partners": ["x_1", "b"]}  # fmt: skip
D, P = 0.8 / (2.08 / 3) ** 0.5, 1 / 3
HEADER = "test,vectors,quantity,targets,groups,published,source\n"


def number(test="t", vectors="plane", quantity="d", targets="x y", groups="first second", published="", source=""):
    """A row of a file of numbers."""
    return f'{test},{vectors},{quantity},{targets},{groups},{published},"{source or "Someone"}"\n'


def write(folder, *rows):
    """A file of numbers, of lists and of vectors; their paths."""
    paths = {"numbers": folder / "numbers.csv", "word_lists": folder / "lists.yaml", "plane": folder / "plane.txt"}
    paths["numbers"].write_text("# printed\n" + HEADER + "".join(rows))
    paths["word_lists"].write_text("".join(f"{name}: [{', '.join(words)}]\n" for name, words in LISTS.items()))
    lines = [" ".join([word, *map(str, row)]) for word, row in VECTORS.items()]
    paths["plane"].write_text(f"{len(lines)} 2\n" + "\n".join(lines) + "\n")
    return paths
