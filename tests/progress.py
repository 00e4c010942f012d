"""Progress of jobs, recorded instead of logged."""


class Progress:
    """Replacement for `support.logs.Progress`; `begun` has the instances of a test."""

    def __init__(self, what, total, unit, seconds=5.0):
        self.what, self.total, self.unit, self.done, self.started = what, total, unit, 0.0, 0.0
        self.notes = []
        self.begun.append(self)

    def add(self, amount, note=""):
        assert amount >= 0
        self.done += amount
        self.notes.append(note() if callable(note) else note)


def kept(monkeypatch, module):
    """Return a list to which the progress that a module reports is added."""
    begun = []
    monkeypatch.setattr(module, "Progress", type("Kept", (Progress,), {"begun": begun}))
    return begun
