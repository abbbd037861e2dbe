"""The types of a world and of the requests of a step (SHIM.md, Worlds). What does not fit is a BadCall."""
from .schema import CLAIMS, EXPECT, Optional as Maybe, PRIVATE_JWK, Record, WINDOW
from .schema import boolean, listing, mapping, nullable, octets, octets_of, text, time, whole, word
from .verdicts import BadCall


def anything(value):
    return value


def number(value):
    """Any JSON number; what counts as an integer is judged later."""
    if type(value) not in (int, float):
        raise BadCall("not a number")
    return value


def natural(low):
    def read(value):
        if whole(value) < low:
            raise BadCall("below %d" % low)
        return value
    return read


NODE_CA = Record(key=PRIVATE_JWK, certificate=octets)
KEYS = Record(encryption=listing(PRIVATE_JWK), signing=PRIVATE_JWK, nodeCa=NODE_CA, trustBundle=listing(octets))
SITE = Record(id=text, ownerTenant=text, custom=boolean)
POLICY = Record(
    joinAttestors=Maybe(listing(text)), requestBinding=Maybe(word("optional", "required")),
    kubernetes=Maybe(Record(platformOperated=Maybe(anything))))
POOL = Record(id=text, siteId=text, ownerTenant=text, agent=text, acceptanceChecks=boolean, policy=POLICY)
TOKEN = Record(
    id=text, tenant=text, poolId=text, secretSha256=octets_of(32), role=text, usesLeft=natural(0), maxUses=natural(0), expiresAt=time,
    revokedAt=nullable(time), expect=nullable(EXPECT), allowReclaim=boolean, hosted=nullable(text), allowedKinds=Maybe(listing(text)),
    ttlLimitS=Maybe(natural(1)))
NODE = Record(
    id=text, tenant=text, poolId=text, siteId=text, kind=text, certificateRole=text, generation=natural(0), retired=boolean, claims=CLAIMS,
    tokenId=nullable(text))
CERT = Record(
    nodeId=text, generation=natural(0), der=octets, allowedKinds=Maybe(listing(text)), ttlLimitS=Maybe(natural(1)), revoked=nullable(text))
WORLD = Record(
    trustDomain=text, rootTenant=nullable(text), attestors=listing(text), certTtlS=number, iatWindow=Maybe(WINDOW), keys=nullable(KEYS),
    sites=listing(SITE), pools=listing(POOL), tokens=listing(TOKEN), nodes=listing(NODE), certs=listing(CERT))

X509POP = Record(chain=listing(octets), clientTimeMs=whole, popSig=octets)
JOIN = dict(attestor=text, role=text, csr=octets, claims=CLAIMS, seal=Maybe(octets), x509pop=Maybe(X509POP))
POOL_OF = dict(tenant=text, poolId=text)
REQUESTS = {
    "join": Record(**JOIN),
    "join-begin": Record(ticket=text, **JOIN),
    "join-finish": Record(ticket=text),
    "renew": Record(csr=octets, chain=listing(octets), clientTimeMs=whole, popSig=octets, caller=nullable(text)),
    "token-create": Record(request=mapping, **POOL_OF),
    "token-list": Record(includeInactive=boolean, limit=Maybe(number), after=Maybe(text), **POOL_OF),
    "token-revoke": Record(id=text, **POOL_OF),
    "retire": Record(nodeId=text),
    "enqueue": Record(nodeId=text, kind=text),
    "restart": Record(),
}
