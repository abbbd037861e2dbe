"""The shim: puts your implementation before the judge. Start here; README.md tells how to run it."""

import base64
import hashlib
import re
import sys

import jc

# What the judge is told. Say what your implementation does, not what it will do.
DECLARATION = {
    # Yours in place of these: reports name it.
    "impl": {"name": "skeleton", "version": "0.0.0", "lang": "python", "url": ""},
    "roles": ["server"],  # "client" too, once ops of that role are here
    "features": {},
    "choices": {},  # each named choice of the spec that you implement, to its value
    "clock": "injected",  # ops take the time from `call.now`
    "categories": "exact",  # reasons are the spec's own words
    "parallel": 1,
    "world": False,
}


# PLUG IN: this is the example. Replace it by a call of your own parser.
TOKEN = re.compile(rb"bcjt_(jt_[0-7][0-9a-hjkmnp-tv-z]{25})\.([A-Za-z0-9_-]{43})")


def parse_token(text: bytes) -> tuple[str, bytes] | None:
    """The id and the 32 octets of the secret (TOKEN-1, TOKEN-2), or None."""
    found = TOKEN.fullmatch(text)
    if not found:
        return None
    identifier, spelled = found[1].decode("ascii"), found[2].decode("ascii")
    secret = base64.urlsafe_b64decode(spelled + "=")
    # The two unused bits of the last character must be zero: one secret, one spelling.
    return (identifier, secret) if jc.b64u(secret) == spelled else None


def token_parse(call: jc.Call) -> dict:
    """`token.parse`: `in` {token}, `out` {id, secretSha256}."""
    parsed = parse_token(call.octets("token"))
    if parsed is None:
        raise jc.Reject("token-malformed")
    identifier, secret = parsed
    # TOKEN-3: the hash is over the octets of the secret, not over its characters.
    return {"id": identifier, "secretSha256": jc.b64u(hashlib.sha256(secret).digest())}


# PLUG IN: the ops you have. What is not here is answered `unsupported`.
OPS = {
    "token.parse": jc.Op({"token"}, token_parse),
}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit("this shim takes no arguments: it reads calls from standard input")
    jc.serve(DECLARATION, OPS)
