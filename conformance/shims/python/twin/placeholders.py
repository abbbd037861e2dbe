"""Values that many machines report (docs/spec/06-claims.md, CLAIMS-5), read from docs/spec/placeholders.toml."""
import pathlib
from functools import lru_cache

FILE = pathlib.Path(__file__).resolve().parents[4] / "docs" / "spec" / "placeholders.toml"
FOLDED = str.maketrans("", "", "._ ")


class Lists:
    """The six arrays of the file."""

    def __init__(self, tables):
        values = {name: [entry["value"] for entry in tables.get(name, ())] for name in
                  ("text", "number", "uuid", "uuid_prefix", "mac", "mac_prefix")}
        self.texts = {fold(value) for value in values["text"]}
        self.numbers = set(values["number"])
        self.uuids = set(values["uuid"])
        self.uuid_prefixes = tuple(values["uuid_prefix"])
        self.macs = set(values["mac"])
        self.mac_prefixes = tuple(values["mac_prefix"])


def fold(text):
    """Without dots, underscores and blanks."""
    return text.translate(FOLDED)


@lru_cache(maxsize=None)
def lists():
    import tomllib
    with open(FILE, "rb") as file:
        return Lists(tomllib.load(file))


def repeated(text):
    """One character, once or more often."""
    return len(set(text)) == 1


def twin(uuid):
    """The octets of the first three fields reversed."""
    octets = bytes.fromhex(uuid.replace("-", ""))
    return dashed((octets[3::-1] + octets[5:3:-1] + octets[7:5:-1] + octets[8:]).hex())


def dashed(digits):
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def listed_text(text):
    return fold(text) in lists().texts


def listed_number(text):
    return text in lists().numbers


def is_text(text):
    """Serials and other texts."""
    return repeated(text) or listed_text(text) or listed_number(text)


def listed_uuid(uuid):
    return uuid in lists().uuids or twin(uuid) in lists().uuids


def has_uuid_prefix(uuid):
    return uuid.startswith(lists().uuid_prefixes)


def is_uuid(uuid):
    """A UUID, dashed and in lower case."""
    return repeated(uuid.replace("-", "")) or listed_uuid(uuid) or has_uuid_prefix(uuid)


def is_mac(mac):
    return mac in lists().macs or mac.startswith(lists().mac_prefixes)
