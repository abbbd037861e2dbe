//! What the model of identity claims.

use super::{Cert, Flaw, Identity, Machine, Node, Pool, Reason, State, Via};
use crate::types::{Claim, Explained, Kind, Rules};

impl Explained for Identity {
    const NAME: &'static str = "identity";
    const BOUNDS: &'static str = "two machines with a TPM each, two pools, four tokens, three certificates, \
        one certificate revoked by an operator, one node retired, one change of a pool's owner before the \
        last token join, three time units";
    const STATES: usize = 102_058;

    fn new(rules: Rules) -> Self {
        Self { rules }
    }

    fn claims() -> Vec<Claim<Self>> {
        [nodes(), reclaims(), certificates(), tpm(), hosted()].into_iter().flatten().collect()
    }

    fn outcome(_: &State, after: &State) -> String {
        after.0.as_ref().map_or_else(|reason| format!("refused, {reason}"), |_| String::new())
    }
}

fn nodes() -> Vec<Claim<Identity>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &["reclaim_1", "tpm_4_claims"],
            sentence: "One trusted key has one live node.",
            holds: |_, state| is_unique(state, |node| Some(node.key)),
            twin: "A retired node's machine has a new node.",
            reached: |_, state| {
                nodes_of(state).iter().enumerate().any(|(at, node)| {
                    !node.retired
                        && nodes_of(state)[..at].iter().any(|old| old.retired && old.key == node.key)
                })
            },
        },
        Claim {
            kind: Kind::Holds,
            rules: &["tpm_4_ek"],
            sentence: "One EK has at most one live node.",
            holds: |_, state| is_unique(state, |node| node.ek),
            twin: "A tpm join reclaims the node of its EK.",
            reached: |_, state| any_cert(state, |cert| cert.via == Via::Tpm && cert.generation > 1),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["reclaim_3"],
            sentence: "One generation of a node is alive: every certificate of an older one is revoked.",
            holds: |_, state| {
                let older = |node: &Node| {
                    node.certs.iter().any(|cert| !cert.revoked && cert.generation != node.generation)
                };
                !nodes_of(state).iter().any(older)
            },
            twin: "A node is in its third generation.",
            reached: |_, state| nodes_of(state).iter().any(|node| node.generation == 3),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["reclaim_4"],
            sentence: "A retired node has no certificate that is not revoked.",
            holds: |_, state| {
                nodes_of(state).iter().all(|node| !node.retired || node.certs.iter().all(|cert| cert.revoked))
            },
            twin: "A node is retired.",
            reached: |_, state| nodes_of(state).iter().any(|node| node.retired),
        },
        Claim {
            kind: Kind::Fails,
            rules: &[],
            sentence: "A node with a machine's identifiers is that machine's.",
            holds: |_, state| all_certs(state, |node, cert| cert.holder == node.key),
            twin: "A node is its machine's.",
            reached: |_, state| nodes_of(state).iter().any(|node| node.newest().holder == node.key),
        },
    ]
}

fn reclaims() -> Vec<Claim<Identity>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &["reclaim_2"],
            sentence: "A token takes over a node only with allowReclaim.",
            holds: |_, state| all_certs(state, |_, cert| cert.flaw != Some(Flaw::NotAllowed)),
            twin: "A token join is refused for the node that has its key.",
            reached: |_, state| refused(state, Reason::Reclaim),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["reclaim_2_same"],
            sentence: "A token takes over nodes of its own pool only.",
            holds: |_, state| all_certs(state, |_, cert| cert.flaw != Some(Flaw::OtherPool)),
            twin: "A node of pool q is reclaimed.",
            reached: |_, state| {
                nodes_of(state).iter().any(|node| node.pool == Pool::Q && node.generation > 1)
            },
        },
        Claim {
            kind: Kind::Holds,
            rules: &["reclaim_5"],
            sentence: "A token takes over no TPM-bound node.",
            holds: |_, state| all_certs(state, |_, cert| cert.flaw != Some(Flaw::TpmBound)),
            twin: "A TPM-bound node is retired and its machine joins by token.",
            reached: |_, state| {
                let bound = |node: &Node| node.retired && node.is_tpm_bound();
                let joined = |node: &Node| !node.retired && matches!(node.newest().via, Via::Token { .. });
                nodes_of(state).iter().any(|old| {
                    bound(old) && nodes_of(state).iter().any(|new| joined(new) && new.key == old.key)
                })
            },
        },
        Claim {
            kind: Kind::Holds,
            rules: &["destination_2"],
            sentence: "A token joins nobody to a pool that its tenant no longer owns.",
            holds: |_, state| all_certs(state, |_, cert| cert.flaw != Some(Flaw::OtherTenant)),
            twin: "A token of a pool that changed hands is refused.",
            reached: |_, state| refused(state, Reason::PoolTenant),
        },
        Claim {
            kind: Kind::Fails,
            rules: &[],
            sentence: "An unpinned allowReclaim token takes over only nodes of the machine that joins.",
            holds: |_, state| {
                let taken = |pair: &[Cert]| {
                    matches!(pair[1].via, Via::Token { .. }) && pair[0].holder != pair[1].holder
                };
                !nodes_of(state).iter().any(|node| node.certs.windows(2).any(taken))
            },
            twin: "A token join reclaims its machine's own node.",
            reached: |_, state| {
                let own = |pair: &[Cert]| {
                    matches!(pair[1].via, Via::Token { .. }) && pair[0].holder == pair[1].holder
                };
                nodes_of(state).iter().any(|node| node.certs.windows(2).any(own))
            },
        },
    ]
}

fn certificates() -> Vec<Claim<Identity>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &["renewal_2"],
            sentence: "A certificate that is revoked, of an older generation or of a retired node is worth \
                no other.",
            holds: |_, state| all_certs(state, |_, cert| cert.flaw != Some(Flaw::Dead)),
            twin: "A revoked certificate is refused.",
            reached: |_, state| refused(state, Reason::CertRevoked),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["renewal_2_expired"],
            sentence: "An expired certificate renews nothing.",
            holds: |_, state| all_certs(state, |_, cert| cert.flaw != Some(Flaw::Expired)),
            twin: "The renewal of an expired certificate is refused.",
            reached: |_, state| refused(state, Reason::CertExpired),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["x509pop_1", "x509pop_1_expired"],
            sentence: "An x509pop join is admitted only after its certificate's end and within the grace.",
            holds: |_, state| all_certs(state, |_, cert| cert.flaw != Some(Flaw::OutsideGrace)),
            twin: "An x509pop join is admitted.",
            reached: |_, state| any_cert(state, |cert| cert.via == Via::Pop),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["x509pop_2"],
            sentence: "An x509pop join is admitted only with the newest certificate.",
            holds: |_, state| all_certs(state, |_, cert| cert.flaw != Some(Flaw::Superseded)),
            twin: "An x509pop join with a superseded certificate is refused.",
            reached: |_, state| refused(state, Reason::PopSuperseded),
        },
    ]
}

fn tpm() -> Vec<Claim<Identity>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &["tpm_4"],
            sentence: "A tpm join takes over no node but that of its EK.",
            holds: |_, state| all_certs(state, |_, cert| cert.flaw != Some(Flaw::OtherEk)),
            twin: "A node is found by its EK and takes the identifiers of other claims.",
            reached: |_, state| {
                let moved = |node: &Node| {
                    node.newest().via == Via::Tpm && node.ek != Some(node.key) && node.generation > 1
                };
                nodes_of(state).iter().any(moved)
            },
        },
        Claim {
            kind: Kind::Holds,
            rules: &["renewal_2_attestation", "x509pop_3"],
            sentence: "A certificate that names an AK is of a key inside that AK's TPM.",
            holds: |_, state| {
                all_certs(state, |_, cert| cert.ak.is_none_or(|tpm| cert.inside && cert.holder == tpm))
            },
            twin: "A renewal without the key's attestation is refused.",
            reached: |_, state| refused(state, Reason::KeyAttestation),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["renewal_4"],
            sentence: "A renewal and an x509pop join keep AK statement and role of the \
                certificate presented.",
            holds: |_, state| {
                all_certs(state, |node, cert| {
                    let old = cert.from.map(|from| &node.certs[from]);
                    old.is_none_or(|old| (old.ak, old.tenant) == (cert.ak, cert.tenant))
                })
            },
            twin: "An x509pop join keeps an AK statement.",
            reached: |_, state| any_cert(state, |cert| cert.via == Via::Pop && cert.ak.is_some()),
        },
    ]
}

fn hosted() -> Vec<Claim<Identity>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &["hosted_1"],
            sentence: "A hosted token makes a tenant-controlled node wherever the platform does not \
                own the pool.",
            holds: |_, state| {
                all_certs(state, |node, cert| node.pool == Pool::Q || !is_hosted(cert) || cert.tenant)
            },
            twin: "A hosted token makes a platform node of a pool that the platform owns and operates.",
            reached: |_, state| any_cert(state, |cert| is_hosted(cert) && !cert.tenant),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["hosted_2"],
            sentence: "A node once tenant-controlled stays so wherever the platform does not own the pool.",
            holds: |_, state| {
                let raised = |pair: &[Cert]| pair[0].tenant && !pair[1].tenant;
                nodes_of(state).iter().all(|node| node.pool == Pool::Q || !node.certs.windows(2).any(raised))
            },
            twin: "A plain token reclaims a node that a hosted one lowered.",
            reached: |_, state| {
                let plain = |pair: &[Cert]| {
                    is_hosted(&pair[0]) && matches!(pair[1].via, Via::Token { hosted: false })
                };
                nodes_of(state).iter().any(|node| node.certs.windows(2).any(plain))
            },
        },
        Claim {
            kind: Kind::Fails,
            rules: &[],
            sentence: "A hosted allowReclaim token lowers no node that joined as the platform's.",
            holds: |_, state| {
                let lowered = |pair: &[Cert]| !pair[0].tenant && pair[1].tenant;
                !nodes_of(state).iter().any(|node| node.certs.windows(2).any(lowered))
            },
            twin: "A renewal keeps a tenant-controlled role.",
            reached: |_, state| any_cert(state, |cert| cert.via == Via::Renew && cert.tenant),
        },
    ]
}

fn nodes_of(state: &State) -> &[Node] {
    state.0.as_ref().map_or(&[], |store| &store.nodes)
}

fn all_certs(state: &State, holds: fn(&Node, &Cert) -> bool) -> bool {
    nodes_of(state).iter().all(|node| node.certs.iter().all(|cert| holds(node, cert)))
}

fn any_cert(state: &State, is: fn(&Cert) -> bool) -> bool {
    nodes_of(state).iter().any(|node| node.certs.iter().any(is))
}

/// Whether no two live nodes share this.
fn is_unique(state: &State, of: fn(&Node) -> Option<Machine>) -> bool {
    [Machine::One, Machine::Two].into_iter().all(|machine| {
        nodes_of(state).iter().filter(|node| !node.retired && of(node) == Some(machine)).count() <= 1
    })
}

fn refused(state: &State, reason: Reason) -> bool {
    state.0 == Err(reason)
}

const fn is_hosted(cert: &Cert) -> bool {
    matches!(cert.via, Via::Token { hosted: true })
}
