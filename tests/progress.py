"""Progress of jobs, recorded instead of logged."""


class Progress:
    """Replacement for `biassay.core.logs.Progress`; `begun` has the instances of a test."""

    def __init__(self, what, total, unit, seconds=5.0):
        self.what, self.total, self.unit, self.done, self.started = what, total, unit, 0.0, 0.0
        self.notes = []
        self.begun.append(self)

    def add(self, amount, note=""):
        assert amount >= 0
        self.done += amount
        self.notes.append(note() if callable(note) else note)


def recorder(begun):
    """Return a replacement for Progress whose instances are added to a list."""
    return type("Kept", (Progress,), {"begun": begun})


def kept(monkeypatch, module):
    """Return a list to which the progress that a module reports is added."""
    begun = []
    monkeypatch.setattr(module, "Progress", recorder(begun))
    return begun


def counts(begun):
    """Return what was counted: its name, total and unit, and how much was done."""
    return [(one.what, one.total, one.unit, one.done) for one in begun]
