"""What lax decoders forgive; used by the faults only."""
import base64
import re


def lax_b64u(text):
    """Base64url with padding, unused bits and the other alphabet forgiven."""
    raw = text.encode("ascii", "replace") if isinstance(text, str) else text
    raw = raw.rstrip(b"=").replace(b"+", b"-").replace(b"/", b"_")
    return base64.urlsafe_b64decode(raw + b"=" * (-len(raw) % 4)) if re.fullmatch(rb"[\w-]*", raw, re.A) and len(raw) % 4 != 1 else None
