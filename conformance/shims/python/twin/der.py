"""Strict DER: a walker over tag, length, value (docs/spec/05-csr.md, CSR-1; X.690)."""

MAX_DEPTH = 16
CONSTRUCTED = 0x20


class DerError(ValueError):
    """The octets are not the strict DER that was asked for."""


class Node:
    """One element; `kids` are the elements in a constructed one."""

    __slots__ = ("data", "tag", "at", "body", "end", "kids")

    def __init__(self, data, tag, at, body, end):
        self.data, self.tag, self.at, self.body, self.end, self.kids = data, tag, at, body, end, ()

    @property
    def raw(self):
        return self.data[self.at:self.end]

    @property
    def content(self):
        return self.data[self.body:self.end]


def need(good, what):
    if not good:
        raise DerError(what)


def read_length(data, at, end):
    """The length at `at` and where the content begins."""
    first = data[at]
    if first < 0x80:
        return first, at + 1
    count = first & 0x7F
    need(0 < count <= 4 and at + 1 + count <= end, "length")
    length = int.from_bytes(data[at + 1:at + 1 + count], "big")
    check_length_minimal(length, count)
    return length, at + 1 + count


def check_length_minimal(length, count):
    need(length >= 0x80 and length >> (8 * (count - 1)), "length is not minimal")


def read_node(data, at, end, level):
    need(level <= MAX_DEPTH, "nesting")
    need(end - at >= 2, "truncated")
    tag = data[at]
    need(tag & 0x1F != 0x1F, "high tag")
    length, body = read_length(data, at + 1, end)
    need(body + length <= end, "truncated")
    node = Node(data, tag, at, body, body + length)
    if tag & CONSTRUCTED:
        node.kids = read_nodes(data, body, node.end, level + 1)
    return node


def read_nodes(data, at, end, level):
    nodes = []
    while at < end:
        node = read_node(data, at, end, level)
        nodes.append(node)
        at = node.end
    return nodes


def parse(data):
    """The one element that these octets are."""
    node = read_node(data, 0, len(data), 1)
    check_no_trailing(node, data)
    return node


def check_no_trailing(node, data):
    need(node.end == len(data), "trailing octets")


def expect(node, tag, kids=None):
    """This tag, and so many elements in it."""
    need(node.tag == tag, "tag")
    need(kids is None or len(node.kids) == kids, "number of elements")
    return node.kids


def check_set_order(nodes):
    """X.690 section 11.6; equal neighbours are allowed. No encoding is a prefix of another, so octets compare as they are."""
    raws = [node.raw for node in nodes]
    need(raws == sorted(raws), "order of a SET OF")


def check_oid(node):
    need(node.tag == 0x06, "tag")
    content = node.content
    need(content and not content[-1] & 0x80, "object identifier")
    previous = 0
    for octet in content:
        need(previous & 0x80 or octet != 0x80, "object identifier is not minimal")
        previous = octet


def check_integer_minimal(content):
    need(content, "integer")
    if len(content) > 1:
        need((content[0], content[1] >> 7) not in ((0, 0), (0xFF, 1)), "integer is not minimal")


def positive(node):
    """A minimal INTEGER above zero."""
    need(node.tag == 0x02, "tag")
    check_integer_minimal(node.content)
    number = int.from_bytes(node.content, "big", signed=True)
    need(number > 0, "integer is not positive")
    return number


def bit_string(node):
    """The octets of a BIT STRING without unused bits."""
    need(node.tag == 0x03 and node.content[:1] == b"\0", "bit string")
    return node.content[1:]


def check_name(node):
    """Name: SEQUENCE OF SET OF SEQUENCE { OID, any }; each SET has a member."""
    for rdn in expect(node, 0x30):
        pairs = expect(rdn, 0x31)
        need(pairs, "empty RDN")
        for pair in pairs:
            check_oid(expect(pair, 0x30, 2)[0])
        check_set_order(pairs)


def encode(tag, *parts):
    """One element of these contents."""
    body = b"".join(parts)
    size = len(body)
    if size < 0x80:
        return bytes((tag, size)) + body
    count = (size.bit_length() + 7) // 8
    return bytes((tag, 0x80 | count)) + size.to_bytes(count, "big") + body


def encode_integer(number):
    return encode(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big"))
