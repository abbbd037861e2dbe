"""How a fault breaks the twin: by putting another function or value in the place of one of the library's, after import."""
from importlib import import_module

from twin.verdicts import Reject

FAULTS = {}


def fault(name, rule, what):
    """Registers a fault; the function is called with a Patcher when the fault is asked for."""
    def register(function):
        assert name not in FAULTS, name
        FAULTS[name] = (rule, what, function)
        return function
    return register


def nothing(*args):
    """In place of a check that raises."""


def always(*args):
    """In place of a check that answers yes or no."""
    return True


class Patcher:
    """`patch.seal` is the module twin.seal; targets are written `seal.check_csr`."""

    def __getattr__(self, name):
        return import_module("twin." + name)

    def find(self, target):
        module, name = target.split(".")
        return import_module("twin." + module), name

    def real(self, target):
        module, name = self.find(target)
        return getattr(module, name)

    def put(self, target, value):
        module, name = self.find(target)
        getattr(module, name)
        setattr(module, name, value)

    def skip(self, target):
        self.put(target, nothing)

    def wrap(self, target, broken):
        """The broken function gets the real one as its first argument."""
        real = self.real(target)
        self.put(target, lambda *args: broken(real, *args))

    def feed(self, target, change):
        """The first argument is changed on its way in."""
        self.wrap(target, lambda real, first, *rest: real(change(first), *rest))

    def before(self, target, cat, check):
        """Where the target refuses with `cat`, another check comes first; so the order of the two is turned round."""
        def turned(real, *args):
            try:
                return real(*args)
            except Reject as refusal:
                if refusal.cat == cat:
                    check(*args)
                raise
        self.wrap(target, turned)

    def during(self, target, inner, value):
        """While the target runs, and only then, `inner` is replaced."""
        module, name = self.find(inner)
        good = getattr(module, name)

        def broken(real, *args):
            setattr(module, name, value)
            try:
                return real(*args)
            finally:
                setattr(module, name, good)
        self.wrap(target, broken)


def listing():
    return [{"name": name, "rule": rule, "what": what} for name, (rule, what, _) in FAULTS.items()]


def apply(name):
    """Breaks the twin in this process; False where there is no such fault."""
    if name not in FAULTS:
        return False
    FAULTS[name][2](Patcher())
    return True
