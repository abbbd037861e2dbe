"""The protobuf wire format, stricter than most libraries (docs/spec/15-response.md, Layout)."""

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


class WireError(ValueError):
    """The octets are not a message in the strict sense."""


def need(good, what):
    if not good:
        raise WireError(what)


def read_varint(data, at):
    """The number at `at` and what follows; in shortest form, 64 bits."""
    number = shift = 0
    start = at
    while True:
        need(at < len(data) and shift < 70, "varint")
        octet = data[at]
        at += 1
        number |= (octet & 0x7F) << shift
        shift += 7
        if octet < 0x80:
            break
    check_shortest(octet, at - start)
    need(number < 2**64, "varint over 64 bits")
    return number, at


def check_shortest(last, size):
    need(last or size == 1, "varint is not in shortest form")


def skip_or_read(data, at, wire):
    """The value of a field (octets for wire type 2, else None) and what follows."""
    if wire == VARINT:
        return None, read_varint(data, at)[1]
    size = {FIXED64: 8, FIXED32: 4}.get(wire)
    if wire == BYTES:
        size, at = read_varint(data, at)
    need(size is not None, "wire type")
    check_inside(at, size, data)
    return (data[at:at + size] if wire == BYTES else None), at + size


def check_inside(at, size, data):
    need(at + size <= len(data), "truncated")


def read_fields(data):
    """(number, wire type, value) of each field, in order."""
    fields, at = [], 0
    while at < len(data):
        key, at = read_varint(data, at)
        number, wire = key >> 3, key & 7
        need(number, "field number 0")
        value, at = skip_or_read(data, at, wire)
        fields.append((number, wire, value))
    return fields


def read_message(data, singular, repeated=()):
    """Number to octets, or to a list of them; unknown numbers are skipped."""
    read = {number: [] for number in repeated}
    for number, wire, value in read_fields(data):
        if number not in singular and number not in repeated:
            continue
        check_wire(wire)
        if number in repeated:
            read[number].append(value)
        else:
            check_once(number, read)
            read[number] = value
    return read


def check_wire(wire):
    need(wire == BYTES, "wire type of a known field")


def check_once(number, read):
    need(number not in read, "field twice")


def varint(number):
    octets = bytearray()
    while number > 0x7F:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(octets) + bytes((number,))


def field(number, value):
    return varint(number << 3 | BYTES) + varint(len(value)) + value
