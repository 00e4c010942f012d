"""What a job says of its progress, kept instead of logged."""


class Progress:
    """Stands for `support.logs.Progress`: `begun` are those that a test's jobs began."""

    def __init__(self, what, total, unit, seconds=5.0):
        self.what, self.total, self.unit, self.done, self.started = what, total, unit, 0.0, 0.0
        self.notes = []
        self.begun.append(self)

    def add(self, amount, note=""):
        assert amount >= 0
        self.done += amount
        self.notes.append(note() if callable(note) else note)


def kept(monkeypatch, module):
    """The progress that a module reports from here on, as a list that grows."""
    begun = []
    monkeypatch.setattr(module, "Progress", type("Kept", (Progress,), {"begun": begun}))
    return begun
