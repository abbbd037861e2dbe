"""Derivations that tie the product UUID to another kind (docs/spec/07-hardware_key.md, Layout). Only `facts` calls this file."""
import re

from . import claims, placeholders

AMI = {0: 0x03, 2: 0x02, 4: 0x04, 6: 0x05, 9: 0x06, 11: 0x07, 12: 0x00, 13: 0x08, 14: 0x00, 15: 0x09}
VMWARE = re.compile(r"[0-9a-f]{32}")
VMWARE_FILL = str.maketrans("", "", " -")


def octets_of(uuid):
    return bytes.fromhex(uuid.replace("-", ""))


def spellings(uuid):
    return (uuid, placeholders.twin(uuid))


def dell(uuid, serial):
    b = octets_of(uuid)
    tag = bytes((b[10] & 0x7F, b[5], b[6], b[9], b[13], b[14], b[15]))
    return b[:4] == b"LLED" and tag.isascii() and tag.decode("ascii").lower() == serial


def vmware(uuid, serial):
    digits = serial.removeprefix("vmware-").translate(VMWARE_FILL)
    if not serial.startswith("vmware-") or not VMWARE.fullmatch(digits):
        return False
    return placeholders.dashed(digits) in spellings(uuid)


def uuid_serial(uuid, serial):
    return claims.parse_uuid(serial) in spellings(uuid)


def version_1(uuid):
    b = octets_of(uuid)
    return [b[10:]] if b[6] >> 4 == 1 and b[8] >> 6 == 2 else []


def ami(uuid):
    b = octets_of(uuid)
    fits = all(b[at] == value for at, value in AMI.items())
    return [bytes((b[3], b[1], b[5], b[7], b[8], b[10]))] if fits else []


def zero_tail(uuid):
    b = octets_of(uuid)
    return [octets_of(one)[:6] for one in spellings(uuid)] if not any(b[6:]) else []


SERIAL_TIES = (dell, vmware, uuid_serial)
MAC_TIES = (version_1, ami, zero_tail)


def serial_tied(uuid, serials):
    return any(holds(uuid, serial) for holds in SERIAL_TIES for serial in serials)


def mac_tied(uuid, macs):
    return any(octets.hex(":") in macs for spelled in MAC_TIES for octets in spelled(uuid))


def tied(normal):
    """The kinds that the product UUID is tied to."""
    uuid = normal.get("productUuid")
    if uuid is None:
        return set()
    serials = [normal[name] for name in claims.SERIALS if name in normal]
    ties = {"serial"} if serial_tied(uuid, serials) else set()
    return ties | ({"mac"} if mac_tied(uuid, normal["permanentMacs"]) else set())
