"""JSON as docs/spec/00-conventions.md reads it: UTF-8, no duplicate names at any depth, Unicode scalar values only, limited nesting."""
import json

MAX_DEPTH = 16
MAX_DIGITS = 30


class JsonError(ValueError):
    """The octets are not JSON in the strict sense."""


def members(pairs):
    """An object's members; a name that occurs twice is malformed."""
    read = dict(pairs)
    if len(read) != len(pairs):
        raise JsonError("duplicate member")
    return read


def integer(digits):
    """An integer by its text. `-0` and what is out of all ranges are numbers, but no integers that a rule could accept."""
    if digits == "-0" or len(digits) > MAX_DIGITS:
        return float("inf")
    return int(digits)


def constant(name):
    raise JsonError(name)


def decoder(pairs_hook):
    return json.JSONDecoder(object_pairs_hook=pairs_hook, parse_int=integer, parse_constant=constant)


def loads(raw):
    """The value of these octets, or JsonError."""
    try:
        text = raw.decode("utf-8")
        value = decoder(members).decode(text)
    except (ValueError, RecursionError) as bad:
        raise JsonError(str(bad)) from None
    check_depth(value)
    if "\\u" in text:
        check_scalars(value)
    return value


def inside(value):
    """The values one level further in."""
    if type(value) is dict:
        return list(value.values())
    return value if type(value) is list else []


def check_depth(value):
    """The outermost value has depth 1."""
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise JsonError("nesting")
        level = [one for outer in level for one in inside(outer)]


def check_scalars(value):
    """A lone surrogate is malformed, in names and in texts."""
    rest = [value]
    while rest:
        one = rest.pop()
        texts = list(one) if type(one) is dict else [one] if type(one) is str else []
        for text in texts:
            if any("\ud800" <= char <= "\udfff" for char in text):
                raise JsonError("lone surrogate")
        rest.extend(inside(one))
