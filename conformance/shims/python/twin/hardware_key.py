"""One key from the identifiers (docs/spec/07-hardware_key.md)."""
from . import claims
from .octets import b64u, sha256
from .verdicts import Reject

LABEL = b"bc-hardware-key-v1\n"
ORDER = ("product-uuid", "serial", "mac", "gpu-uuid")
ALL_KINDS = {"productUuid": "product-uuid", "productSerial": "product-serial", "boardSerial": "board-serial", "chassisSerial": "chassis-serial"}


def first_serial(normal):
    """The first that survives of product, chassis and board serial."""
    for name in ("productSerial", "chassisSerial", "boardSerial"):
        if name in normal:
            return [normal[name]]
    return []


def kinds(normal):
    """HARDWARE-KEY-1: the surviving kinds and the values that `stable` hashes of each, in the order of HARDWARE-KEY-2."""
    values = {
        "product-uuid": [normal["productUuid"]] if "productUuid" in normal else [],
        "serial": first_serial(normal),
        "mac": normal["permanentMacs"],
        "gpu-uuid": normal["gpuUuids"],
    }
    return {kind: values[kind] for kind in ORDER if values[kind]}


def components(normal, surviving, independence):
    """Kind to the name of its component: kinds that one identifier ties together have the same."""
    names = {kind: kind for kind in surviving}
    if independence == "facts":
        from . import derivations
        for kind in derivations.tied(normal):
            names[kind] = "product-uuid"
    return names


def trusted(normal, independence):
    """HARDWARE-KEY-1: at least two independent kinds survive."""
    return len(set(components(normal, kinds(normal), independence).values())) >= 2


def stable_lines(normal, independence):
    surviving = kinds(normal)
    names = components(normal, surviving, independence)
    taken = []
    for kind in surviving:
        if len(taken) < 2 and names[kind] not in [names[one] for one in taken]:
            taken.append(kind)
    return [(kind, value) for kind in taken for value in surviving[kind]]


def all_lines(normal):
    lines = [(kind, normal[name]) for name, kind in ALL_KINDS.items() if name in normal]
    lines += [("mac", value) for value in normal["permanentMacs"]]
    return lines + [("gpu-uuid", value) for value in normal["gpuUuids"]]


def arrange(lines):
    """Sorted by octets, each once."""
    return sorted(set(lines))


def line(kind, value):
    return ("%s=%s\n" % (kind, value)).encode("utf-8")


def key(normal, selection, independence):
    """HARDWARE-KEY-2: 32 octets, or None."""
    lines = all_lines(normal) if selection == "all" else stable_lines(normal, independence)
    if not lines:
        return None
    return sha256(LABEL + b"".join(arrange([line(kind, value) for kind, value in lines])))


def identified(normal):
    """Whether a product UUID or a serial survived."""
    return "productUuid" in normal or bool(first_serial(normal))


def admit(normal, pinned, independence):
    """HARDWARE-KEY-3: whether the node's key is trusted."""
    if trusted(normal, independence) and identified(normal):
        return True
    if not pinned:
        raise Reject("placeholder-hardware")
    return False


def derived(raw, call):
    normal = claims.normalize(raw)
    octets = key(normal, call.choice("hwkey.selection"), call.choice("hwkey.independence"))
    return {
        "key": b64u(octets) if octets is not None else None,
        "trusted": trusted(normal, call.choice("hwkey.independence")),
    }


def op_derive(args, call):
    return {"keys": [derived(raw, call) for raw in args["sets"]]}


def op_admit(args, call):
    normal = claims.normalize(args["claims"])
    return {"trusted": admit(normal, args["pinned"], call.choice("hwkey.independence"))}
