"""A peer on PyPI's jwcrypto: one JSON request a line in, one JSON answer a line out.

{"do": "seal", "token", "csr", "iat", "jwk"} -> {"seal"};  {"do": "open", "seal", "jwk"} -> {"token", "header"}
"""

import json
import sys

from jwcrypto import jwe, jwk

ALGS = ["ECDH-ES+A256KW", "A256GCM"]


def seal(request):
    header = {"alg": ALGS[0], "enc": ALGS[1], "typ": "bcjt+jwe", "iat": request["iat"], "csr": request["csr"]}
    sealed = jwe.JWE(request["token"].encode(), json.dumps(header), algs=ALGS)
    sealed.add_recipient(jwk.JWK(**request["jwk"]))
    return {"seal": sealed.serialize(compact=True)}


def open_(request):
    opened = jwe.JWE(algs=ALGS)
    opened.deserialize(request["seal"], jwk.JWK(**request["jwk"]))
    return {"token": opened.payload.decode(), "header": json.loads(opened.objects["protected"])}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"seal": seal, "open": open_}[request["do"]](request)), flush=True)
