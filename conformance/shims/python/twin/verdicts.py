"""The ways an op can end other than in acceptance (SHIM.md, Messages)."""


class Reject(Exception):
    """The input was looked at and refused; `cat` is a word of docs/spec/13-refusal.md."""

    def __init__(self, cat, detail=None):
        super().__init__(cat)
        self.cat = cat
        self.detail = detail


class Failure(Reject):
    """An error of docs/spec/13-refusal.md, REFUSAL-5, that is no refusal: CONFLICT, NOT_FOUND and the like. No event tells of it."""


class BadCall(Exception):
    """The call itself is wrong: a member missing, or of another JSON type."""


class Unsupported(Exception):
    """The call asks for something this shim does not know."""
