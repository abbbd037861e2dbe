"""A token pinned to a machine (docs/spec/08-expect.md)."""
from . import claims
from .verdicts import Reject

NORMALIZERS = {"productUuid": claims.product_uuid, "serial": claims.serial, "mac": claims.mac, "gpuUuid": claims.gpu}


def normal_value(name, value):
    """The token's side, normalized like the machine's; None matches nothing."""
    try:
        return NORMALIZERS[name](value.encode("utf-8"))
    except Reject:
        return None


def candidates(name, normal):
    """The claimed values that a member is compared with."""
    if name == "serial":
        return [normal[serial] for serial in claims.SERIALS if serial in normal]
    if name == "productUuid":
        return [normal["productUuid"]] if "productUuid" in normal else []
    return normal["permanentMacs"] if name == "mac" else normal["gpuUuids"]


def matches(name, value, normal):
    wanted = normal_value(name, value)
    return wanted is not None and wanted in candidates(name, normal)


def match(binding, normal):
    """EXPECT-1: all that are named must match."""
    for name, value in binding.items():
        if not matches(name, value, normal):
            raise Reject("expect", name)


def op_match(args, call):
    match(args["expect"], claims.normalize(args["claims"]))
    return {}
